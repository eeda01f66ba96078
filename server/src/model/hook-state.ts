/** Derives the state of a hook and describes it in a sentence. Pure. */
import { formatTime } from './clock-time.ts'
import { describeProblem, type HookProblem } from './hook-problem.ts'
import { describeStop } from './stop.ts'

export const hookStates = [
  'healthy',
  'degraded',
  'failing',
  'delayed',
  'backing_off',
  'disabled',
  'idle',
  'stopped',
  'unloadable',
] as const
export type HookState = (typeof hookStates)[number]

interface Facts {
  enabled: boolean
  /** Why the hook is disabled; null if it is enabled. */
  disabledReason: DisabledReason | null
  deliveredDay: number
  /** Deliveries that failed or expired. */
  failedDay: number
  attemptsDay: number
  waiting: number
  held: number
  oldestWaitingAt: Date | null
  failingSince: Date | null
  breaker: 'closed' | 'open' | 'probing'
  nextProbeAt: Date | null
  /** The stop that an operator created; its reason is shown to the account. */
  stop: { reason: string } | null
  /** Why the hook cannot be loaded. */
  problem: HookProblem | null
}

/** Due deliveries are attempted within seconds. Older ones wait for a retry, a rate limit or a replay. */
const longWaitMs = 60_000

/**
 * One success ends a failure streak, so a hook that works now may still lose too many deliveries. It is degraded if one
 * in 100 finished deliveries failed.
 */
const oneFailedIn = 100

export function deriveHookState(facts: Facts, now: number): { state: HookState; message: string } {
  const state = stateOf(facts, now)
  return { state, message: descriptions[state](facts, new Date(now)) }
}

function stateOf(facts: Facts, now: number): HookState {
  if (!facts.enabled) return 'disabled'
  if (facts.stop !== null) return 'stopped'
  if (facts.problem !== null) return 'unloadable'
  if (facts.breaker !== 'closed') return 'backing_off'
  if (facts.failingSince !== null) return 'failing'
  if (facts.failedDay > 0 && facts.failedDay * oneFailedIn >= finishedDay(facts)) return 'degraded'
  if (facts.oldestWaitingAt !== null && now - facts.oldestWaitingAt.getTime() > longWaitMs) return 'delayed'
  return facts.attemptsDay === 0 && facts.waiting === 0 ? 'idle' : 'healthy'
}

function finishedDay({ deliveredDay, failedDay }: Facts): number {
  return deliveredDay + failedDay
}

const disabledReasons = {
  owner: 'You disabled this webhook.',
  operator: 'The operator disabled this webhook.',
  failing: 'Hookline disabled this webhook after 5 days of failures.',
  gone: 'Hookline disabled this webhook because your server responded 410 Gone.',
} as const

/** Who or what disabled a hook. */
export type DisabledReason = keyof typeof disabledReasons

export const disabledReasonNames = Object.keys(disabledReasons) as DisabledReason[]

const descriptions: Record<HookState, (facts: Facts, now: Date) => string> = {
  disabled: ({ disabledReason, held }) =>
    `${describeDisabled(disabledReason)} ${held === 0 ? 'No events on hold.' : `${count(held, 'event', 'events')} on hold.`}`,
  stopped: ({ stop, waiting }) => `${describeStop(stop?.reason ?? '')} ${pending(waiting)}`,
  unloadable: ({ problem, waiting }) =>
    `${problem === null ? 'The webhook cannot be loaded.' : describeProblem(problem)} ${pending(waiting)}`,
  backing_off: ({ failingSince, nextProbeAt, waiting }, now) =>
    `Most recent attempts failed.${failingSince === null ? '' : ` Failing since ${formatTime(failingSince, now)}.`} ${
      nextProbeAt === null
        ? 'One attempt is in progress.'
        : `Next attempt at ${formatTime(nextProbeAt, now)}.`
    } ${pending(waiting)}`,
  failing: ({ failingSince, waiting }, now) =>
    `All attempts${failingSince === null ? '' : ` since ${formatTime(failingSince, now)}`} failed. ${pending(waiting)}`,
  degraded: (facts) =>
    `${facts.failedDay.toLocaleString('en')} of ${count(finishedDay(facts), 'delivery', 'deliveries')} in the last 24 hours failed or expired.`,
  delayed: ({ waiting, oldestWaitingAt }, now) =>
    `${pending(waiting)}${oldestWaitingAt === null ? '' : ` The oldest event is from ${formatTime(oldestWaitingAt, now)}.`}`,
  idle: () => 'No deliveries in the last 24 hours.',
  healthy: ({ deliveredDay }) => `${count(deliveredDay, 'delivery', 'deliveries')} in the last 24 hours.`,
}

function pending(waiting: number): string {
  return `${count(waiting, 'delivery', 'deliveries')} pending.`
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}

/** An upgrade may add reasons. */
function describeDisabled(reason: DisabledReason | null): string {
  return reason !== null && Object.hasOwn(disabledReasons, reason)
    ? disabledReasons[reason]
    : 'This webhook is disabled.'
}
