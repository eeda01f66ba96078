/**
 * Calls of one account wait for each other, not for connections to the database: an account that makes hundreds of calls at
 * once, or whose calls wait for a lock on its own rows, leaves the connections to the others.
 */
import type { TurnLimits } from '../ops/turns.ts'
import { type CallTurns, createCallTurns } from './call-turns.ts'

/** Counting locks the account's row, so a second one would only wait for the first. */
const maxCountsPerAccount = 1
const maxCallsPerAccount = 3
const maxWaitingPerAccount = 200
/** As long as a request may take to arrive: a burst of calls that each take a moment is still answered. */
const patienceMs = 10_000

/**
 * A list of a thousand webhooks with long headers is 9 MB, which keep the process busy for a second. So an account that asks
 * for it again and again waits in between, longer while others need the process.
 */
const burstMs = 5_000
const msPerMegabyte = 300
const timesWhenBusy = 5
const maxCostMs = 10_000

export interface AccountCalls {
  count: CallTurns
  handle: CallTurns
  /** Of people who are signed in: a key that floods the account does not keep them from revoking it. */
  handlePeople: CallTurns
}

export function createAccountCalls(isBusy: () => boolean): AccountCalls {
  const share = {
    burstMs,
    costMs: (_tookMs: number, answer: unknown) =>
      Math.min(maxCostMs, megabytesOf(answer) * msPerMegabyte * (isBusy() ? timesWhenBusy : 1)),
  }
  return {
    count: turnsOf(maxCountsPerAccount),
    handle: turnsOf(maxCallsPerAccount, { share }),
    handlePeople: turnsOf(maxCallsPerAccount, { share }),
  }
}

/** Of an answer that is long enough to be written in slices; any other costs nothing worth counting. */
function megabytesOf(answer: unknown): number {
  const body = answer instanceof Object && 'body' in answer ? answer.body : undefined
  return body instanceof Buffer ? body.length / 1_000_000 : 0
}

function turnsOf(atOnceOfOwner: number, more: Pick<TurnLimits, 'share'> = {}): CallTurns {
  return createCallTurns(
    {
      atOnce: Number.POSITIVE_INFINITY,
      atOnceOfOwner,
      patienceMs,
      maxWaitingOfOwner: maxWaitingPerAccount,
      ...more,
    },
    'The account has too many calls in progress, or reads long lists too often. Retry later, with fewer at once.',
  )
}
