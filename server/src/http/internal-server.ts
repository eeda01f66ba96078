/**
 * The internal server, never public. Producers submit events with their key. Health and metrics need no credential.
 */
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/database.ts'
import { createProducerAuth, type ProducerAuth } from '../identity/keys/authenticate-producer.ts'
import { errorCatalog, ApiError } from '../model/errors.ts'
import { parseTraceparent, traceIdOf } from '../model/traceparent.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Readiness } from '../runtime/readiness.ts'
import type { Tracing } from '../runtime/tracing.ts'
import type { Accept } from '../delivery/accept.ts'
import type { Vault } from '../vault/vault.ts'
import { createListener } from './server/listener.ts'

export interface InternalDeps {
  db: Database
  vault: Vault
  log: Log
  metrics: Metrics
  tracing: Tracing
  /** Undefined without the api role, which alone accepts events. */
  accept: Accept | undefined
  role: string
  readiness: () => Promise<Readiness>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace of an intake call. */
    traceId?: string
  }
}

/** Many times the size of a full call with typical events. */
const bodyLimitBytes = 16 * 1024 * 1024

export function createInternalServer(deps: InternalDeps): FastifyInstance {
  const app = createListener({
    log: deps.log,
    trustedProxies: [],
    headers: { 'cache-control': 'no-store' },
    bodyLimitBytes,
    logFields: ({ traceId }) => ({ listener: 'internal', trace_id: traceId }),
    errorStatus: (rejection) => rejection.status,
    isContract: () => false,
  })
  const { accept } = deps
  if (accept !== undefined) {
    const intake = { ...deps, accept, producers: createProducerAuth(deps.db, deps.vault) }
    app.post('/intake/events', (request, reply) => authenticateAndSubmit(intake, request, reply))
  }
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const { isReady, checks } = await deps.readiness()
    void reply.status(isReady ? 200 : 503)
    return { status: isReady ? 'ready' : 'not ready', role: deps.role, checks }
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4').send(await deps.metrics.text()),
  )
  app.setNotFoundHandler(async () => {
    throw new ApiError('routeNotFound', 'Not found.')
  })
  return app
}

interface IntakeDeps extends InternalDeps {
  accept: Accept
  producers: ProducerAuth
}

/** The commit of events checks a producer that is known from an earlier call. Without a commit, a query does. */
async function authenticateAndSubmit(
  deps: IntakeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const key = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const remembered = deps.producers.remembered(key)
  if (remembered === undefined)
    return submitEvents(deps, await deps.producers.authenticate(key), request, reply)
  let isCommitted = false
  try {
    const response = await submitEvents(deps, remembered, request, reply)
    isCommitted = response.accepted.length > 0
    return response
  } finally {
    if (!isCommitted) await deps.producers.authenticate(key)
  }
}

/** Responds 202 if all listed ids are committed. If no event is accepted, the status is that of the first rejection. */
async function submitEvents(
  deps: IntakeDeps,
  producerId: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ accepted: string[]; rejected: object[] }> {
  if (!Buffer.isBuffer(request.body)) throw new ApiError('malformedRequest', 'The body is missing.')
  if (!isUtf8(request.body)) throw new ApiError('malformedRequest', 'The body is not valid UTF-8.')
  const body = request.body.toString()
  const parent = parseTraceparent([request.headers.traceparent].flat()[0])
  const { accepted, rejected } = await deps.tracing.inSpan('accept events', { parent }, async (span) => {
    if (span.traceparent !== undefined) request.traceId = traceIdOf(span.traceparent)
    const result = await deps.accept(producerId, body, span.traceparent)
    span.set({
      'hookline.events.accepted': result.accepted.length,
      'hookline.events.rejected': result.rejected.length,
    })
    return result
  })
  deps.metrics.accepted.inc(accepted.length)
  for (const { reason } of rejected) deps.metrics.rejected.inc({ code: errorCatalog[reason].code })
  const [first] = rejected
  const status = accepted.length > 0 || first === undefined ? 202 : errorCatalog[first.reason].status
  if (status === 429) void reply.header('retry-after', '10')
  void reply.status(status)
  return {
    accepted,
    rejected: rejected.map(({ index, reason, message }) => ({
      index,
      code: errorCatalog[reason].code,
      error_message: message,
    })),
  }
}
