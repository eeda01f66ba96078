/** Calls of accounts that take turns. A call that gets no turn in time is refused, with what to do instead. */
import { Refusal } from '../model/errors.ts'
import { createTurns, NoTurn, type TurnLimits } from '../ops/turns.ts'

export type CallTurns = <T>(accountId: number, call: () => Promise<T>) => Promise<T>

export function createCallTurns(limits: TurnLimits, refusal: string): CallTurns {
  const turns = createTurns(limits)
  return async (accountId, call) => {
    try {
      return await turns.run(accountId, call)
    } catch (error) {
      if (!(error instanceof NoTurn)) throw error
      throw new Refusal('tooManyAtOnce', refusal, { retryAfterSeconds: 1 })
    }
  }
}
