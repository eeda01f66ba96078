/**
 * What the evaluation of filters may cost. A unit stands for about a nanosecond of CPU time or for eight bytes of memory,
 * whichever is more. Every operation is charged by the sizes of its operands before it runs, so nothing is computed or
 * allocated that was not paid for: at 1,000,000 units a filter takes about a millisecond and at most 8 MB.
 */

/** The most that one filter may cost on one event. */
export const maxFilterUnits = 1_000_000

/** What all expressions of one event share: beyond five of them, each gets an equal part. */
export const maxEventUnits = 5_000_000

/** Enough for a search in a message of 4,000 characters or a few time zones, however many webhooks an account has. */
export const minFilterUnits = 50_000

/** Between two yields to the event loop: with the filter that exceeds it about three milliseconds. */
export const maxUnitsPerSlice = 2_000_000

/** The budget of each of `expressions` that run on one event. It depends on their number alone, not on their order. */
export function unitsPerFilter(expressions: number): number {
  const share = Math.floor(maxEventUnits / Math.max(1, expressions))
  return Math.max(minFilterUnits, Math.min(maxFilterUnits, share))
}

class TooExpensive extends Error {}

/** One for all: to make an error costs more than most operations. */
const tooExpensive = new TooExpensive('the filter exceeds its budget')

export function isTooExpensive(error: unknown): boolean {
  return error === tooExpensive
}

export class Meter {
  spent = 0
  readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  spend(units: number): void {
    this.spent += units
    if (this.spent > this.limit) throw tooExpensive
  }

  get left(): number {
    return this.limit - this.spent
  }
}
