/**
 * Calls of one account wait for each other, not for connections to the database: an account that makes hundreds of calls at
 * once, or whose calls wait for a lock on its own rows, leaves the connections to the others.
 */
import { type CallTurns, createCallTurns } from './call-turns.ts'

/** Counting locks the account's row, so a second one would only wait for the first. */
const maxCountsPerAccount = 1
const maxCallsPerAccount = 3
const maxWaitingPerAccount = 200
/** As long as a request may take to arrive: a burst of calls that each take a moment is still answered. */
const patienceMs = 10_000

export interface AccountCalls {
  count: CallTurns
  handle: CallTurns
}

export function createAccountCalls(): AccountCalls {
  return { count: turnsOf(maxCountsPerAccount), handle: turnsOf(maxCallsPerAccount) }
}

function turnsOf(atOnceOfOwner: number): CallTurns {
  return createCallTurns(
    {
      atOnce: Number.POSITIVE_INFINITY,
      atOnceOfOwner,
      patienceMs,
      maxWaitingOfOwner: maxWaitingPerAccount,
    },
    'The account has too many calls in progress. Retry with fewer at once.',
  )
}
