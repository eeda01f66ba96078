/** Verifies deliveries during and after an outage of all receivers. Pure. */
import { type Percentiles, percentilesOf } from './latency-stats.ts'
import { acceptedAt, eventIdAt, type RequestColumns } from './request-log.ts'

export interface OutageObservations {
  workers: number
  ratePerSecond: number
  /** Wall-clock times at which the receivers began to fail and recovered. */
  failedAt: number
  recoveredAt: number
  endedAt: number
  accepted: readonly string[]
  requests: RequestColumns
  backlog: ReadonlyArray<{ at: number; waiting: number }>
  ledger: {
    /** Number of attempts by event, for events accepted during the outage. Only attempts that a receiver can see. */
    attempts: ReadonlyMap<string, number>
    /** Number of failed attempts during the outage, by hook. */
    attemptsInOutage: readonly number[]
    delivered: ReadonlySet<string>
  }
  /** Number of queue rows left at the end of the run. */
  left: number
  /** Number of errors that the service logged. */
  errors: number
  /** Limit for the time until the backlog is normal again. */
  maxRecoverySeconds: number
}

export interface OutageVerdict {
  /** Undefined if the backlog was never normal. */
  recoverySeconds: number | undefined
  maxWaiting: number
  fresh: { all: Percentiles; afterFirstSuccess: Percentiles; count: number }
  attemptsPerHook: { mean: number; max: number; allowed: number }
  slowStart: { checked: number; max: number }
  /** Milliseconds from recovery to the first success of a hook. */
  firstSuccess: Percentiles
  violations: string[]
}

/** Default limit of concurrent requests per hook over all workers. */
const maxPerHook = 16
const failuresToOpen = 10
const maxFreshMs = 2_000
const normalSamples = 3

export function verifyOutage(observations: OutageObservations): OutageVerdict {
  const { requests, recoveredAt, failedAt } = observations
  const deliveries = readDeliveries(requests)
  const firstSuccesses = firstSuccessOfHooks(requests, recoveredAt)
  const recoverySeconds = secondsToNormal(observations)
  const fresh = verifyFresh(observations, deliveries.firstArrival, firstSuccesses)
  const attempts = verifyAttempts(observations)
  const slowStart = verifySlowStart(observations, firstSuccesses)
  const maxWaiting = observations.backlog.reduce((max, { waiting }) => Math.max(max, waiting), 0)
  const outageSeconds = (recoveredAt - failedAt) / 1_000

  const violations: string[] = []
  if (!(recoverySeconds !== undefined && recoverySeconds <= observations.maxRecoverySeconds))
    violations.push(`the backlog was not normal ${observations.maxRecoverySeconds} s after recovery`)
  if (observations.errors > 0) violations.push(`the service logged ${observations.errors} errors`)
  if (maxWaiting < (observations.ratePerSecond * outageSeconds) / 2)
    violations.push(`at most ${maxWaiting} deliveries were pending, so there was no outage to recover from`)
  if (!(fresh.afterFirstSuccess.p99 <= maxFreshMs))
    violations.push(
      `fresh events of recovered webhooks took ${fresh.afterFirstSuccess.p99} ms at p99, limit ${maxFreshMs} ms`,
    )
  violations.push(
    ...slowStart.violations,
    ...attempts.violations,
    ...verifyDelivered(observations, deliveries.successes),
  )
  return {
    recoverySeconds,
    maxWaiting,
    fresh,
    attemptsPerHook: attempts.perHook,
    slowStart: { checked: slowStart.checked, max: slowStart.max },
    firstSuccess: percentilesOf([...firstSuccesses.values()].map((at) => at - recoveredAt)),
    violations,
  }
}

interface Deliveries {
  firstArrival: Map<string, { at: number; hookId: number }>
  /** Number of successful responses by event. */
  successes: Map<string, number>
}

function readDeliveries(requests: RequestColumns): Deliveries {
  const firstArrival: Deliveries['firstArrival'] = new Map()
  const successes: Deliveries['successes'] = new Map()
  for (let index = 0; index < requests.count; index++) {
    const id = eventIdAt(requests, index)
    if (!firstArrival.has(id))
      firstArrival.set(id, { at: requests.arrivedAt[index] ?? 0, hookId: requests.hooks[index] ?? 0 })
    if (isSuccess(requests, index)) successes.set(id, (successes.get(id) ?? 0) + 1)
  }
  return { firstArrival, successes }
}

function isSuccess({ statuses }: RequestColumns, index: number): boolean {
  return statuses[index] === 204
}

function firstSuccessOfHooks(requests: RequestColumns, recoveredAt: number): Map<number, number> {
  const first = new Map<number, number>()
  for (let index = 0; index < requests.count; index++) {
    const endedAt = requests.endedAt[index] ?? 0
    if (!isSuccess(requests, index) || (requests.arrivedAt[index] ?? 0) < recoveredAt) continue
    const hookId = requests.hooks[index] ?? 0
    first.set(hookId, Math.min(first.get(hookId) ?? Number.POSITIVE_INFINITY, endedAt))
  }
  return first
}

/** Returns the time until the backlog is normal: at most one second of load, in several consecutive samples. */
function secondsToNormal({ backlog, recoveredAt, ratePerSecond }: OutageObservations): number | undefined {
  const since = backlog.filter(({ at }) => at >= recoveredAt)
  const first = since.find((_, index) => {
    const window = since.slice(index, index + normalSamples)
    return window.length === normalSamples && window.every(({ waiting }) => waiting <= ratePerSecond)
  })
  return first && (first.at - recoveredAt) / 1_000
}

function verifyFresh(
  { accepted, recoveredAt, endedAt }: OutageObservations,
  firstArrival: Deliveries['firstArrival'],
  firstSuccesses: ReadonlyMap<number, number>,
): OutageVerdict['fresh'] {
  const all: number[] = []
  const afterFirstSuccess: number[] = []
  for (const id of accepted) {
    const since = acceptedAt(id)
    if (since < recoveredAt) continue
    const arrival = firstArrival.get(id)
    const latency = Math.max(0, (arrival?.at ?? endedAt) - since)
    all.push(latency)
    // The hook of a missing event is unknown, so the event counts in both.
    const successAt = arrival === undefined ? 0 : (firstSuccesses.get(arrival.hookId) ?? endedAt)
    if (since >= successAt) afterFirstSuccess.push(latency)
  }
  return {
    all: percentilesOf(all),
    afterFirstSuccess: percentilesOf(afterFirstSuccess),
    count: afterFirstSuccess.length,
  }
}

/**
 * Verifies the slow start: after the first success of a hook each worker sends one request at a time, and may double
 * that every second.
 */
function verifySlowStart(
  { requests, workers }: OutageObservations,
  firstSuccesses: ReadonlyMap<number, number>,
): { checked: number; max: number; violations: string[] } {
  const exceedances: string[] = []
  let checked = 0
  let max = 0
  for (let index = 0; index < requests.count; index++) {
    const firstAt = firstSuccesses.get(requests.hooks[index] ?? 0)
    const arrivedAt = requests.arrivedAt[index] ?? 0
    if (firstAt === undefined || arrivedAt < firstAt) continue
    const seconds = Math.floor((arrivedAt - firstAt) / 1_000)
    const open = requests.openPerHook[index] ?? 0
    checked++
    max = Math.max(max, open)
    if (open > Math.min(maxPerHook, workers * 2 ** seconds))
      exceedances.push(
        `webhook ${requests.hooks[index]} had ${open} in flight ${seconds} s after its first success`,
      )
  }
  const violations =
    exceedances.length === 0
      ? []
      : [`no slow start: ${exceedances.length} times, ${exceedances.slice(0, 3).join('; ')}`]
  return { checked, max, violations }
}

function verifyAttempts(observations: OutageObservations): {
  perHook: OutageVerdict['attemptsPerHook']
  violations: string[]
} {
  const { failedAt, recoveredAt, ledger } = observations
  const counts = ledger.attemptsInOutage
  const perHook = {
    mean: counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length),
    max: counts.reduce((max, count) => Math.max(max, count), 0),
    allowed: failuresToOpen + maxPerHook + probesWithin((recoveredAt - failedAt) / 1_000),
  }
  const violations: string[] = []
  if (perHook.max > perHook.allowed)
    violations.push(`a webhook had ${perHook.max} attempts in the outage, limit ${perHook.allowed}`)
  const observed = new Map<string, number>()
  for (let index = 0; index < observations.requests.count; index++) {
    const id = eventIdAt(observations.requests, index)
    const at = acceptedAt(id)
    if (at >= failedAt && at < recoveredAt) observed.set(id, (observed.get(id) ?? 0) + 1)
  }
  const mismatched = [...new Set([...observed.keys(), ...ledger.attempts.keys()])].filter(
    (id) => observed.get(id) !== ledger.attempts.get(id),
  )
  const [example = ''] = mismatched
  if (mismatched.length > 0)
    violations.push(
      `attempts differ between ledger and receivers for ${mismatched.length} events, ` +
        `such as ${example}: ${ledger.attempts.get(example) ?? 0} in the ledger, ${observed.get(example) ?? 0} received`,
    )
  return { perHook, violations }
}

/** Returns the number of probes of an open circuit breaker: it probes after 5, 10, 20, 40, 60, 60 … seconds. */
function probesWithin(seconds: number): number {
  let probes = 0
  for (let passed = 5, open = 5; passed <= seconds; probes++) {
    open = Math.min(open * 2, 60)
    passed += open
  }
  return probes
}

function verifyDelivered(
  { accepted, ledger, left }: OutageObservations,
  successes: ReadonlyMap<string, number>,
): string[] {
  const violations: string[] = []
  const undelivered = accepted.filter((id) => !successes.has(id)).length
  const unrecorded = accepted.filter((id) => !ledger.delivered.has(id)).length
  const duplicated = [...successes.values()].filter((count) => count > 1).length
  if (undelivered > 0) violations.push(`${undelivered} of ${accepted.length} accepted events never succeeded`)
  if (unrecorded > 0)
    violations.push(`${unrecorded} of ${accepted.length} accepted events are not delivered in the ledger`)
  if (duplicated > 0) violations.push(`${duplicated} events succeeded more than once`)
  if (left > 0) violations.push(`${left} deliveries left in the queue`)
  return violations
}
