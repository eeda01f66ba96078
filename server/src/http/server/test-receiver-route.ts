/**
 * The endpoint of the built-in test receiver. A wrong path is rejected before the body is read. Above the rate limit
 * requests are accepted and not stored: an error would only lead to retries.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { findTestReceiver, maxTestRequestsPerMinute, storeTestRequest } from '../../hooks/test-receiver.ts'
import { ApiError } from '../../model/errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Vault } from '../../vault/vault.ts'

interface TestReceiverDeps {
  /** Connections for calls without credentials. */
  anonymousDb: Database
  vault: Vault
  clock: Pick<Clock, 'now'>
}

/** More than the largest delivery. */
const bodyLimitBytes = 2 * 1024 * 1024

export function addTestReceiver(app: FastifyInstance, { anonymousDb, vault, clock }: TestReceiverDeps): void {
  const isWithinRate = createRateLimit(maxTestRequestsPerMinute, () => clock.now())
  app.route({
    method: ['GET', 'POST'],
    exposeHeadRoute: false,
    url: '/test-receiver/:token',
    bodyLimit: bodyLimitBytes,
    async onRequest(request) {
      if (accountOf(request) === undefined) throw new ApiError('routeNotFound', 'Not found.')
    },
    async handler(request, reply) {
      const accountId = accountOf(request)
      if (accountId !== undefined && isWithinRate(accountId))
        await storeTestRequest(anonymousDb, vault, accountId, received(request), clock.now())
      return reply.status(204).send()
    },
  })

  /** Compares the path as it was sent: an encoded one is another path. */
  function accountOf({ url }: FastifyRequest): number | undefined {
    return findTestReceiver(vault, url.split('?', 1)[0] ?? '')
  }
}

function received(request: FastifyRequest) {
  const { rawHeaders } = request.raw
  return {
    method: request.method,
    query: request.url.split('?').slice(1).join('?'),
    headers: rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [{ name: name.toLowerCase(), value: rawHeaders[index + 1] ?? '' }] : [],
    ),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  }
}

/** Counts per account and minute in this process. Only paths with a valid secret are counted, so accounts bound it. */
function createRateLimit(max: number, now: () => number): (accountId: number) => boolean {
  let minute = 0
  let counts = new Map<number, number>()
  return (accountId) => {
    const current = Math.floor(now() / 60_000)
    if (current !== minute) {
      minute = current
      counts = new Map()
    }
    const count = (counts.get(accountId) ?? 0) + 1
    counts.set(accountId, count)
    return count <= max
  }
}
