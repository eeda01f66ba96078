/**
 * Limits concurrent calls per account before they use a database connection. An account with hundreds of concurrent
 * calls, or with calls that wait for row locks, then leaves connections to other accounts.
 */
import type { Caller } from '../../model/caller.ts'
import type { FairLimiterOptions } from '../../runtime/fair-limiter.ts'
import { type CallLimiter, createCallLimiter, busyCostFactor } from './call-limiter.ts'

const maxConcurrentIdentifications = 4
/** For all callers not identified before together: a third of the connections. */
const maxConcurrentUnknown = 4
const maxWaitingPerNetwork = 100
/** Counting locks the row of the account, so a second count would only wait for the first. */
const maxCountsPerAccount = 1
const maxCallsPerAccount = 3
const maxWaitingPerAccount = 200
/** Equal to the request timeout, so that a burst of short calls still succeeds. */
const timeoutMs = 10_000

/**
 * A list of 1,000 webhooks with long headers has 9 MB, which take a second of CPU time. An account that reads such lists
 * repeatedly waits in between, and longer while the process is busy.
 */
const burstMs = 5_000
const msPerMegabyte = 300
const maxCostMs = 10_000

export interface AccountLimiters {
  /** Keyed by credential, because the account is not known yet. */
  identify: CallLimiter
  /** Keyed by network, for callers not identified before. */
  identifyUnknown: CallLimiter
  /** Keyed by `limiterKey`. */
  count: CallLimiter
  handle: CallLimiter
}

/**
 * Returns the key for all limits on calls. Signed-in users and clients with keys or tokens have separate limits, so that
 * users can always revoke a key that floods the account.
 */
export function limiterKey({ accountId, kind }: Caller): string {
  return kind === 'session' ? `users of ${accountId}` : `clients of ${accountId}`
}

export function createAccountLimiters(isBusy: () => boolean): AccountLimiters {
  const share = {
    burstMs,
    costMs: (_durationMs: number, response: unknown) =>
      Math.min(maxCostMs, megabytesOf(response) * msPerMegabyte * (isBusy() ? busyCostFactor : 1)),
  }
  return {
    identify: limiterPerAccount(maxConcurrentIdentifications),
    identifyUnknown: createCallLimiter(
      {
        maxConcurrent: maxConcurrentUnknown,
        maxConcurrentPerOwner: maxConcurrentUnknown,
        timeoutMs,
        maxWaitingPerOwner: maxWaitingPerNetwork,
      },
      'Too many concurrent calls with new credentials. Retry after the time in Retry-After.',
      'unavailable',
    ),
    count: limiterPerAccount(maxCountsPerAccount),
    handle: limiterPerAccount(maxCallsPerAccount, share),
  }
}

/** Returns the size of a response. Streams count as 0, because they are written in small chunks. */
function megabytesOf(response: unknown): number {
  const body = response instanceof Object && 'body' in response ? response.body : undefined
  return body instanceof Buffer ? body.length / 1_000_000 : 0
}

function limiterPerAccount(maxConcurrentPerOwner: number, share?: FairLimiterOptions['share']): CallLimiter {
  return createCallLimiter(
    {
      maxConcurrent: Number.POSITIVE_INFINITY,
      maxConcurrentPerOwner,
      timeoutMs,
      maxWaitingPerOwner: maxWaitingPerAccount,
      ...(share && { share }),
    },
    'Too many concurrent calls, or too much list data. Send fewer calls at once and retry after the time in Retry-After.',
  )
}
