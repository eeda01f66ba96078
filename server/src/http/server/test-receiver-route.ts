/**
 * The endpoint of the built-in test receiver. A wrong path is rejected before the body is read, and a wrong signature
 * always. Above the rate limit deliveries are accepted and not stored: an error would only lead to retries.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import {
  findTestReceiver,
  maxTestRequestsPerMinute,
  storeTestRequest,
  verifyDelivery,
} from '../../hooks/test-receiver.ts'
import { ApiError } from '../../model/errors.ts'
import { networkOf, plainIp } from '../../model/ip.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Vault } from '../../vault/vault.ts'
import type { AccountLimiters } from '../operation/account-limiter.ts'

interface TestReceiverDeps {
  /** Connections for calls without credentials. */
  anonymousDb: Database
  vault: Vault
  clock: Pick<Clock, 'now'>
  accountLimiters: Pick<AccountLimiters, 'identifyUnknown'>
}

/** More than the largest delivery. */
const bodyLimitBytes = 2 * 1024 * 1024

export function addTestReceiver(
  app: FastifyInstance,
  { anonymousDb, vault, clock, accountLimiters }: TestReceiverDeps,
): void {
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
      if (accountId === undefined) throw new ApiError('routeNotFound', 'Not found.')
      const testRequest = received(request)
      // Anyone may send requests. They wait among the calls with unknown credentials of their network.
      const hookId = await accountLimiters.identifyUnknown(networkOf(plainIp(request.ip) ?? 'unknown'), () =>
        verifyDelivery(anonymousDb, vault, accountId, testRequest, clock.now()),
      )
      if (isWithinRate(accountId))
        await storeTestRequest(anonymousDb, vault, { accountId, hookId }, testRequest)
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

/** Counts per account and minute in this process. Only verified deliveries are counted, so accounts bound it. */
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
