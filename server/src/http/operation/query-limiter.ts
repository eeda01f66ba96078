/**
 * Limits expensive calls, each of which can use a database connection for up to a second. The limiter is fair between
 * accounts, so that searches of one account do not block other accounts or deliveries. The calls of an account may use
 * one second of query time per second, and a fifth of that while the process is busy.
 */
import { type CallLimiter, createCallLimiter, busyCostFactor } from './call-limiter.ts'

const maxConcurrentPerAccount = 2
const timeoutMs = 3_000
/** A dashboard page sends several of these calls at once, then none for a while. */
const burstMs = 3_000
/** A call can be slow for reasons outside the account. */
const maxCostMs = 1_000

export type QueryLimiter = CallLimiter

/** Uses at most half of the connections, the rest is for other calls. */
export function createQueryLimiter(connections: number, isBusy: () => boolean): QueryLimiter {
  const maxConcurrent = Math.max(1, Math.floor(connections / 2))
  return createCallLimiter(
    {
      maxConcurrent,
      maxConcurrentPerOwner: maxConcurrentPerAccount,
      timeoutMs,
      share: {
        burstMs,
        costMs: (durationMs) => Math.min(maxCostMs, durationMs * (isBusy() ? busyCostFactor : 1)),
      },
    },
    `Too many concurrent searches, at most ${maxConcurrentPerAccount} per account. Retry after the time in Retry-After.`,
  )
}

const maxConcurrentExports = 2
/** An export waits for those of other accounts, page by page. */
const exportTimeoutMs = 20_000

/** Limits the reads of exports, which run beside the calls: one at a time per account. */
export function createExportLimiter(): CallLimiter {
  return createCallLimiter(
    { maxConcurrent: maxConcurrentExports, maxConcurrentPerOwner: 1, timeoutMs: exportTimeoutMs },
    'Too many concurrent exports. Retry after the time in Retry-After.',
  )
}
