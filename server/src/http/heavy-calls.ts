/**
 * Calls that may look at much each keep a connection to the database busy for up to a second. They take turns, so that
 * no account's searches keep others, or the deliveries, from the database.
 */
import { Refusal } from '../model/errors.ts'
import { createTurns, NoTurn } from '../ops/turns.ts'

const atOnceOfAccount = 2
const patienceMs = 3_000

export type HeavyCalls = <T>(accountId: number, call: () => Promise<T>) => Promise<T>

/** Half of the connections are for everything else. */
export function createHeavyCalls(connections: number): HeavyCalls {
  const turns = createTurns({
    atOnce: Math.max(1, Math.floor(connections / 2)),
    atOnceOfOwner: atOnceOfAccount,
    patienceMs,
  })
  return async (accountId, call) => {
    try {
      return await turns.run(accountId, call)
    } catch (error) {
      if (!(error instanceof NoTurn)) throw error
      throw new Refusal(
        'tooManyAtOnce',
        `${atOnceOfAccount} searches of an account are answered at once, and the others did not end in time. Ask again, with fewer at once.`,
        { retryAfterSeconds: 1 },
      )
    }
  }
}
