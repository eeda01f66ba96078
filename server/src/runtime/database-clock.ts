/**
 * The database's time without a query per call: measured by round trips, and advanced by the monotonic clock. This
 * machine's wall clock is not used. The database writes stored times, so comparisons must use the same clock.
 * The wall clock of this machine is a check: while the two differ, one of them is wrong, and nothing is deleted.
 */
import { type Clock, systemClock } from './clock.ts'
import { startInterval } from './every.ts'

export interface DatabaseClock extends Clock {
  /** Offset of this machine's clock to the database's; negative if behind. */
  offsetMs: () => number
  /** Whether both clocks agreed at the last measurement. */
  isRight: () => boolean
  /** Measures now and returns whether both clocks agree: call before old data is deleted. */
  isRightNow: () => Promise<boolean>
  /** Adds a listener for a database clock that was set back: earlier stored times are now in the future. */
  onSetBack: (listener: () => void) => void
  stop: () => Promise<void>
}

interface Deps {
  /** Reads the database's time in milliseconds. */
  read: () => Promise<number>
  onError: (error: unknown) => void
  /** Called when the clocks start or stop differing. */
  onChange: (isRight: boolean, offsetMs: number) => void
  /** Called when the database's clock jumped by this much. */
  onStep: (byMs: number) => void
}

/** A round trip takes milliseconds and NTP keeps machines within tens of them. The shortest expiry is 30 seconds. */
const toleranceMs = 5_000
const measureEveryMs = 3_000
/** At the start, the fastest of these samples counts. */
const samplesAtStart = 3

interface Sample {
  /** The database's time at zero of the monotonic clock. */
  base: number
  /** Maximum error of `base`: half a round trip. */
  errorMs: number
}

export async function startDatabaseClock(deps: Deps): Promise<DatabaseClock> {
  const { monotonic } = systemClock
  async function sample(): Promise<Sample> {
    const sentAt = monotonic()
    const databaseTime = await deps.read()
    const receivedAt = monotonic()
    return { base: databaseTime - (sentAt + receivedAt) / 2, errorMs: (receivedAt - sentAt) / 2 }
  }

  let best = await sample()
  for (let count = 1; count < samplesAtStart; count++) {
    const other = await sample()
    if (other.errorMs < best.errorMs) best = other
  }
  let wasRight = true
  const setBackListeners: Array<() => void> = []

  const now = (): number => best.base + monotonic()
  const offsetMs = (): number => Date.now() - now()
  const isRight = (): boolean => Math.abs(offsetMs()) <= toleranceMs

  /** A measurement counts if it is more precise than the previous one, or contradicts it. */
  async function measure(): Promise<void> {
    const next = await sample()
    const movedMs = next.base - best.base
    const hasStepped = Math.abs(movedMs) > toleranceMs + next.errorMs + best.errorMs
    if (next.errorMs < best.errorMs || Math.abs(movedMs) > next.errorMs) best = next
    if (hasStepped) deps.onStep(movedMs)
    if (hasStepped && movedMs < 0) for (const listener of setBackListeners) listener()
    if (isRight() === wasRight) return
    wasRight = !wasRight
    deps.onChange(wasRight, offsetMs())
  }

  if (!isRight()) {
    wasRight = false
    deps.onChange(wasRight, offsetMs())
  }
  return {
    ...systemClock,
    now,
    earliest: () => (isRight() ? now() : Math.min(now(), Date.now())),
    offsetMs,
    isRight,
    async isRightNow() {
      await measure()
      return isRight()
    },
    onSetBack: (listener) => setBackListeners.push(listener),
    stop: startInterval(measureEveryMs, measure, deps.onError),
  }
}

/** Describes the offset and the fix. */
export function describeOffset(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1_000)
  const direction = offsetMs > 0 ? 'ahead of' : 'behind'
  return `This machine's clock is ${seconds} s ${direction} the database's. Synchronize both with NTP. Nothing is deleted until they agree.`
}
