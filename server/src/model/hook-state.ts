/** The state of a hook in a word and a sentence, for people. Pure. */
import { clockTime } from './clock-time.ts'
import { describeProblem, type HookProblem } from './hook-problem.ts'
import { describeStop } from './stop.ts'

export const hookStates = [
  'healthy',
  'losing',
  'failing',
  'waiting',
  'paused',
  'disabled',
  'idle',
  'stopped',
  'unloadable',
] as const
export type HookState = (typeof hookStates)[number]

interface Facts {
  enabled: boolean
  /** Why not, if it is not. */
  disabledReason: string | null
  deliveredDay: number
  /** Failed or expired. */
  failedDay: number
  attemptsDay: number
  waiting: number
  held: number
  oldestWaitingAt: Date | null
  failingSince: Date | null
  breaker: 'closed' | 'open' | 'probing'
  nextProbeAt: Date | null
  /** Of an operator, with what owners are told. */
  stop: { reason: string } | null
  /** Why it cannot be loaded. */
  problem: HookProblem | null
}

/** What is due is attempted within seconds: older work waits for its receiver. */
const longWaitMs = 60_000

/** One success ends a failure, so a hook may work again and again and still lose too many: one in so many that ended. */
const oneLostIn = 100

export function describeHook(facts: Facts, now: number): { state: HookState; sentence: string } {
  const state = stateOf(facts, now)
  return { state, sentence: sentences[state](facts, new Date(now)) }
}

function stateOf(facts: Facts, now: number): HookState {
  if (!facts.enabled) return 'disabled'
  if (facts.stop !== null) return 'stopped'
  if (facts.problem !== null) return 'unloadable'
  if (facts.breaker !== 'closed') return 'paused'
  if (facts.failingSince !== null) return 'failing'
  if (facts.failedDay > 0 && facts.failedDay * oneLostIn >= endedDay(facts)) return 'losing'
  if (facts.oldestWaitingAt !== null && now - facts.oldestWaitingAt.getTime() > longWaitMs) return 'waiting'
  return facts.attemptsDay === 0 && facts.waiting === 0 ? 'idle' : 'healthy'
}

function endedDay({ deliveredDay, failedDay }: Facts): number {
  return deliveredDay + failedDay
}

const whyDisabled: Record<string, string> = {
  owner: 'You have disabled it.',
  operator: 'The operator has disabled it.',
  failing: 'It was disabled after five days of nothing but failures.',
  gone: 'It was disabled because its receiver answered 410: it wants no more events.',
}

const sentences: Record<HookState, (facts: Facts, now: Date) => string> = {
  disabled: ({ disabledReason, held }) =>
    `${whyDisabled[disabledReason ?? ''] ?? 'It is disabled.'} ${held === 0 ? 'Nothing is held for it.' : `${count(held, 'event is', 'events are')} held for it.`}`,
  stopped: ({ stop, waiting }) => `${describeStop(stop?.reason ?? '')} ${pending(waiting)}`,
  unloadable: ({ problem, waiting }) =>
    `${problem === null ? 'It cannot be loaded.' : describeProblem(problem)} ${pending(waiting)}`,
  paused: ({ failingSince, nextProbeAt, waiting }, now) =>
    `Most of the latest attempts have failed${failingSince === null ? '' : ` since ${clockTime(failingSince, now)}`}. ${
      nextProbeAt === null
        ? 'One delivery is being tried.'
        : `One delivery is tried at ${clockTime(nextProbeAt, now)}.`
    } ${waiting === 0 ? 'Nothing waits.' : `${count(waiting, 'delivery waits', 'deliveries wait')}.`}`,
  failing: ({ failingSince, waiting }, now) =>
    `Every attempt${failingSince === null ? '' : ` since ${clockTime(failingSince, now)}`} has failed. ${count(waiting, 'delivery waits', 'deliveries wait')} for the next.`,
  losing: (facts) =>
    `${facts.failedDay.toLocaleString('en')} of ${count(endedDay(facts), 'delivery', 'deliveries')} in the last 24 hours failed for good.`,
  waiting: ({ waiting, oldestWaitingAt }, now) =>
    `${count(waiting, 'delivery waits', 'deliveries wait')}${oldestWaitingAt === null ? '' : `, the oldest for an event of ${clockTime(oldestWaitingAt, now)}`}.`,
  idle: () => 'No events came for it in the last 24 hours.',
  healthy: ({ deliveredDay }) => `${count(deliveredDay, 'delivery', 'deliveries')} in the last 24 hours.`,
}

function pending(waiting: number): string {
  return `${count(waiting, 'delivery', 'deliveries')} pending.`
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
