/**
 * The database's time without a query for each look: measured by round trips, and carried on by the monotonic clock in
 * between, so the wall clock of this machine is never used for it. Stored times are written by the database, and what is
 * compared with them must come from the same clock.
 * The wall clock of this machine is a second opinion: while the two differ, one of them is wrong and nobody here can tell
 * which, so nothing is deleted.
 */
import { type Clock, systemClock } from './clock.ts'
import { every } from './every.ts'

export interface DatabaseClock extends Clock {
  /** How far this machine's clock is ahead of the database's; negative: behind. */
  offsetMs: () => number
  /** Whether both clocks agree, so that what is old may be deleted. */
  isRight: () => boolean
  /** Measures at once: before something is deleted, and in tests. */
  measure: () => Promise<void>
  /** Called when the database's clock was set back: what it wrote before lies in the future now. */
  onSetBack: (listener: () => void) => void
  stop: () => Promise<void>
}

interface Parts {
  /** Reads the database's time in milliseconds. */
  read: () => Promise<number>
  onError: (error: unknown) => void
  /** The clocks have begun or ceased to differ. */
  onChange: (isRight: boolean, offsetMs: number) => void
  /** The database's clock itself has moved by this much more than time has passed. */
  onStep: (byMs: number) => void
}

/** A call takes milliseconds and NTP keeps machines within tens of them; the shortest expiry is 30 seconds. */
const toleranceMs = 5_000
const measureEveryMs = 3_000
/** At the start, the quickest of these counts. */
const samplesAtStart = 3

interface Sample {
  /** The database's time at zero of the monotonic clock. */
  base: number
  /** By how much `base` may be off: half a round trip. */
  errorMs: number
}

export async function startDatabaseClock(parts: Parts): Promise<DatabaseClock> {
  const { monotonic } = systemClock
  async function sample(): Promise<Sample> {
    const sentAt = monotonic()
    const databaseTime = await parts.read()
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

  /** A measurement counts if it is more exact than the one before, or contradicts it. */
  async function measure(): Promise<void> {
    const next = await sample()
    const movedMs = next.base - best.base
    const hasStepped = Math.abs(movedMs) > toleranceMs + next.errorMs + best.errorMs
    if (next.errorMs < best.errorMs || Math.abs(movedMs) > next.errorMs) best = next
    if (hasStepped) parts.onStep(movedMs)
    if (hasStepped && movedMs < 0) for (const listener of setBackListeners) listener()
    if (isRight() === wasRight) return
    wasRight = !wasRight
    parts.onChange(wasRight, offsetMs())
  }

  if (!isRight()) {
    wasRight = false
    parts.onChange(wasRight, offsetMs())
  }
  return {
    ...systemClock,
    now,
    earliest: () => (isRight() ? now() : Math.min(now(), Date.now())),
    offsetMs,
    isRight,
    measure,
    onSetBack: (listener) => setBackListeners.push(listener),
    stop: every(measureEveryMs, measure, parts.onError),
  }
}

/** For people: what differs, by how much, and what to do. */
export function describeOffset(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1_000)
  const direction = offsetMs > 0 ? 'ahead of' : 'behind'
  return `The clock of this machine is ${seconds} s ${direction} the database's. Set both by NTP; until they agree, nothing is deleted here.`
}
