/** Limits concurrent calls fairly between owners. A call that waits too long is rejected with an ApiError. */
import { type ErrorName, ApiError } from '../../model/errors.ts'
import {
  createFairLimiter,
  LimiterTimeout,
  type OwnerId,
  type FairLimiterOptions,
} from '../../runtime/fair-limiter.ts'

export type CallLimiter = <T>(owner: OwnerId, call: () => Promise<T>) => Promise<T>

/** Multiplier for the cost of a call while the process is busy. */
export const busyCostFactor = 5

export function createCallLimiter(
  limits: FairLimiterOptions,
  message: string,
  error: ErrorName = 'tooManySearches',
): CallLimiter {
  const limiter = createFairLimiter(limits)
  return async (owner, call) => {
    try {
      return await limiter.run(owner, call)
    } catch (thrown) {
      if (!(thrown instanceof LimiterTimeout)) throw thrown
      throw new ApiError(error, message, { retryAfterSeconds: 1 })
    }
  }
}
