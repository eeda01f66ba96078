/**
 * The internal listener, never public: producers hand in events, operators look at health and figures. Producers show
 * their key; health and figures ask for none.
 */
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/database.ts'
import { authenticateProducer } from '../identity/keys/authenticate-producer.ts'
import { catalogue, Refusal } from '../model/errors.ts'
import type { Log } from '../ops/log.ts'
import type { Metrics } from '../ops/metrics.ts'
import type { Readiness } from '../ops/readiness.ts'
import type { Accept } from '../pipeline/accept.ts'
import type { Vault } from '../vault/vault.ts'
import { createListener } from './listener.ts'

export interface InternalParts {
  db: Database
  vault: Vault
  log: Log
  metrics: Metrics
  /** Only processes that serve the API take events. */
  accept: Accept | undefined
  role: string
  readiness: () => Promise<Readiness>
}

/** A full call of events of usual size, many times over. */
const bodyLimitBytes = 16 * 1024 * 1024

export function createInternalApp(parts: InternalParts): FastifyInstance {
  const app = createListener({
    log: parts.log,
    trustedProxies: [],
    headers: { 'cache-control': 'no-store' },
    bodyLimitBytes,
    logFields: () => ({ listener: 'internal' }),
    failureStatus: (refusal) => refusal.status,
  })
  const { accept } = parts
  if (accept !== undefined)
    app.post('/intake/events', (request, reply) => handIn({ ...parts, accept }, request, reply))
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const { isReady, checks } = await parts.readiness()
    void reply.status(isReady ? 200 : 503)
    return { status: isReady ? 'ready' : 'not ready', role: parts.role, checks }
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4').send(await parts.metrics.text()),
  )
  app.setNotFoundHandler(async () => {
    throw new Refusal('unknownPath', 'There is nothing at this path.')
  })
  return app
}

/** 202 says that all listed ids are committed. With nothing accepted, the status is that of the first refusal. */
async function handIn(
  parts: InternalParts & { accept: Accept },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const key = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const producerId = await authenticateProducer(parts.db, parts.vault, key)
  if (!Buffer.isBuffer(request.body)) throw new Refusal('unreadableRequest', 'The body is missing.')
  if (!isUtf8(request.body)) throw new Refusal('unreadableRequest', 'The body is not valid UTF-8.')
  const { accepted, rejected } = await parts.accept(producerId, request.body.toString())
  parts.metrics.accepted.inc(accepted.length)
  for (const { reason } of rejected) parts.metrics.rejected.inc({ code: catalogue[reason].code })
  const [first] = rejected
  const status = accepted.length > 0 || first === undefined ? 202 : catalogue[first.reason].status
  if (status === 429) void reply.header('retry-after', '10')
  void reply.status(status)
  return {
    accepted,
    rejected: rejected.map(({ index, reason, message }) => ({
      index,
      code: catalogue[reason].code,
      error_message: message,
    })),
  }
}
