/** What an outage of all receivers may and may not do to deliveries. Pure: everything it knows is handed to it. */
import { type Spread, spreadOf } from './figures.ts'
import { acceptedAt, eventIdAt, type RequestColumns } from './request-log.ts'

export interface OutageBooks {
  workers: number
  ratePerSecond: number
  /** By the wall clock, when the receivers began to fail and when they were well again. */
  failedAt: number
  recoveredAt: number
  endedAt: number
  accepted: readonly string[]
  requests: RequestColumns
  backlog: ReadonlyArray<{ at: number; waiting: number }>
  ledger: {
    /** Attempts of events that were accepted during the outage: those that a receiver can have seen. */
    attempts: ReadonlyMap<string, number>
    /** By hook, those that were made and failed during the outage. */
    attemptsInOutage: readonly number[]
    delivered: ReadonlySet<string>
  }
  /** What waited still when the run was given up; 0 if all was done. */
  left: number
  /** Faults of its own that the service logged. */
  errors: number
  /** How soon the backlog must be normal again. */
  normalWithinSeconds: number
}

export interface OutageVerdict {
  /** Undefined: never. */
  normalAfterSeconds: number | undefined
  mostWaiting: number
  fresh: { all: Spread; afterFirstSuccess: Spread; count: number }
  attemptsPerHook: { mean: number; most: number; allowed: number }
  slowStart: { checked: number; most: number }
  /** From recovery to a hook's first success, in milliseconds. */
  firstSuccess: Spread
  broken: string[]
}

/** The total of one hook over all workers, as the service has it by default. */
const mostOfHook = 16
const failuresThatOpen = 10
const freshWithinMs = 2_000
const normalSamples = 3

export function judgeOutage(books: OutageBooks): OutageVerdict {
  const { requests, recoveredAt, failedAt } = books
  const deliveries = readDeliveries(requests)
  const firstSuccesses = firstSuccessOfHooks(requests, recoveredAt)
  const normalAfterSeconds = normalAfter(books)
  const fresh = judgeFresh(books, deliveries.firstArrival, firstSuccesses)
  const attempts = judgeAttempts(books)
  const slowStart = judgeSlowStart(books, firstSuccesses)
  const mostWaiting = books.backlog.reduce((most, { waiting }) => Math.max(most, waiting), 0)
  const outageSeconds = (recoveredAt - failedAt) / 1_000

  const broken: string[] = []
  if (!(normalAfterSeconds !== undefined && normalAfterSeconds <= books.normalWithinSeconds))
    broken.push(`the backlog was not normal ${books.normalWithinSeconds} s after recovery`)
  if (books.errors > 0) broken.push(`the service logged ${books.errors} errors of its own`)
  if (mostWaiting < (books.ratePerSecond * outageSeconds) / 2)
    broken.push(`only ${mostWaiting} deliveries ever waited, so there was no outage to recover from`)
  if (!(fresh.afterFirstSuccess.p99 <= freshWithinMs))
    broken.push(
      `fresh events of webhooks that work again took ${fresh.afterFirstSuccess.p99} ms at p99, not ${freshWithinMs}`,
    )
  broken.push(...slowStart.broken, ...attempts.broken, ...judgeDelivered(books, deliveries.successes))
  return {
    normalAfterSeconds,
    mostWaiting,
    fresh,
    attemptsPerHook: attempts.perHook,
    slowStart: { checked: slowStart.checked, most: slowStart.most },
    firstSuccess: spreadOf([...firstSuccesses.values()].map((at) => at - recoveredAt)),
    broken,
  }
}

interface Deliveries {
  firstArrival: Map<string, { at: number; hookId: number }>
  /** How often each event was answered with success. */
  successes: Map<string, number>
}

function readDeliveries(requests: RequestColumns): Deliveries {
  const firstArrival: Deliveries['firstArrival'] = new Map()
  const successes: Deliveries['successes'] = new Map()
  for (let place = 0; place < requests.count; place++) {
    const id = eventIdAt(requests, place)
    if (!firstArrival.has(id))
      firstArrival.set(id, { at: requests.arrivedAt[place] ?? 0, hookId: requests.hooks[place] ?? 0 })
    if (isSuccess(requests, place)) successes.set(id, (successes.get(id) ?? 0) + 1)
  }
  return { firstArrival, successes }
}

function isSuccess({ statuses }: RequestColumns, place: number): boolean {
  return statuses[place] === 204
}

function firstSuccessOfHooks(requests: RequestColumns, recoveredAt: number): Map<number, number> {
  const first = new Map<number, number>()
  for (let place = 0; place < requests.count; place++) {
    const endedAt = requests.endedAt[place] ?? 0
    if (!isSuccess(requests, place) || (requests.arrivedAt[place] ?? 0) < recoveredAt) continue
    const hookId = requests.hooks[place] ?? 0
    first.set(hookId, Math.min(first.get(hookId) ?? Number.POSITIVE_INFINITY, endedAt))
  }
  return first
}

/** Normal: no more waits than comes in within a second, and not by chance once. */
function normalAfter({ backlog, recoveredAt, ratePerSecond }: OutageBooks): number | undefined {
  const since = backlog.filter(({ at }) => at >= recoveredAt)
  const first = since.find((_, place) => {
    const some = since.slice(place, place + normalSamples)
    return some.length === normalSamples && some.every(({ waiting }) => waiting <= ratePerSecond)
  })
  return first && (first.at - recoveredAt) / 1_000
}

function judgeFresh(
  { accepted, recoveredAt, endedAt }: OutageBooks,
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
    // Of what never arrived the hook is not known; it counts against all.
    const successAt = arrival === undefined ? 0 : (firstSuccesses.get(arrival.hookId) ?? endedAt)
    if (since >= successAt) afterFirstSuccess.push(latency)
  }
  return {
    all: spreadOf(all),
    afterFirstSuccess: spreadOf(afterFirstSuccess),
    count: afterFirstSuccess.length,
  }
}

/** After a hook's first success its workers start with one at a time each, and may double that every second. */
function judgeSlowStart(
  { requests, workers }: OutageBooks,
  firstSuccesses: ReadonlyMap<number, number>,
): { checked: number; most: number; broken: string[] } {
  const excesses: string[] = []
  let checked = 0
  let most = 0
  for (let place = 0; place < requests.count; place++) {
    const firstAt = firstSuccesses.get(requests.hooks[place] ?? 0)
    const arrivedAt = requests.arrivedAt[place] ?? 0
    if (firstAt === undefined || arrivedAt < firstAt) continue
    const seconds = Math.floor((arrivedAt - firstAt) / 1_000)
    const open = requests.openOfHook[place] ?? 0
    checked++
    most = Math.max(most, open)
    if (open > Math.min(mostOfHook, workers * 2 ** seconds))
      excesses.push(
        `webhook ${requests.hooks[place]} had ${open} in flight ${seconds} s after its first success`,
      )
  }
  const broken =
    excesses.length === 0
      ? []
      : [`no slow start: ${excesses.length} times, ${excesses.slice(0, 3).join('; ')}`]
  return { checked, most, broken }
}

function judgeAttempts(books: OutageBooks): { perHook: OutageVerdict['attemptsPerHook']; broken: string[] } {
  const { failedAt, recoveredAt, ledger } = books
  const counts = ledger.attemptsInOutage
  const perHook = {
    mean: counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length),
    most: counts.reduce((most, count) => Math.max(most, count), 0),
    allowed: failuresThatOpen + mostOfHook + probesWithin((recoveredAt - failedAt) / 1_000),
  }
  const broken: string[] = []
  if (perHook.most > perHook.allowed)
    broken.push(
      `a webhook was attempted ${perHook.most} times in the outage, where ${perHook.allowed} may be`,
    )
  const seen = new Map<string, number>()
  for (let place = 0; place < books.requests.count; place++) {
    const id = eventIdAt(books.requests, place)
    const at = acceptedAt(id)
    if (at >= failedAt && at < recoveredAt) seen.set(id, (seen.get(id) ?? 0) + 1)
  }
  const differing = [...new Set([...seen.keys(), ...ledger.attempts.keys()])].filter(
    (id) => seen.get(id) !== ledger.attempts.get(id),
  )
  const [example = ''] = differing
  if (differing.length > 0)
    broken.push(
      `of ${differing.length} events the ledger has other attempts than receivers saw, ` +
        `as of ${example}: ${ledger.attempts.get(example) ?? 0}, seen ${seen.get(example) ?? 0}`,
    )
  return { perHook, broken }
}

/** An open breaker lets one through when its time is over: after 5, 10, 20, 40, 60, 60 … seconds. */
function probesWithin(seconds: number): number {
  let probes = 0
  for (let passed = 5, open = 5; passed <= seconds; probes++) {
    open = Math.min(open * 2, 60)
    passed += open
  }
  return probes
}

function judgeDelivered(
  { accepted, ledger, left }: OutageBooks,
  successes: ReadonlyMap<string, number>,
): string[] {
  const broken: string[] = []
  const undelivered = accepted.filter((id) => !successes.has(id)).length
  const unwritten = accepted.filter((id) => !ledger.delivered.has(id)).length
  const twice = [...successes.values()].filter((count) => count > 1).length
  if (undelivered > 0)
    broken.push(`${undelivered} of ${accepted.length} accepted events were never received with success`)
  if (unwritten > 0) broken.push(`${unwritten} of ${accepted.length} are not delivered by the ledger`)
  if (twice > 0) broken.push(`${twice} events were received with success more than once`)
  if (left > 0) broken.push(`${left} deliveries were left over`)
  return broken
}
