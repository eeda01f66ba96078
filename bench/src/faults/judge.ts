/**
 * Compares three books after a fault: what the producer was told, what the database holds, what the receivers got.
 * Pure, so that planted losses and duplicates can show that it notices them (`dev/faults-judge.test.ts`).
 */
export interface Books {
  producer: {
    /** Ids answered with 202, with the key each event was offered under. */
    acknowledged: ReadonlyArray<{ id: string; key: string }>
    /** Keys of all events that were ever offered: anything else was never accepted. */
    offered: ReadonlySet<string>
    /** When the load ended: gaps after that are waits for leases, not for work. */
    loadedUntil: number
  }
  database: {
    events: ReadonlyArray<{ id: string; key: string; accountId: number }>
    deliveries: ReadonlyArray<FinalDelivery>
    /** Attempts in the ledger, by `nameOf` their delivery. */
    attempts: ReadonlyMap<string, number>
    /** Rows left in the hot tables; all should be gone once everything is delivered. */
    left: { inbox: number; work: number; parked: number }
    /** What the hourly figures say was delivered: written in the same commits, so they cannot differ. */
    countedDelivered: number
  }
  receivers: readonly ReceivedDelivery[]
  /** What the processes' logs say, by `nameOf` the delivery: how many attempts were reported, by those the fault spared. */
  reportedBySpared: ReadonlyMap<string, number>
  /** Hooks that match every event of an account. */
  hooksOf: ReadonlyMap<number, readonly number[]>
}

interface FinalDelivery {
  eventId: string
  hookId: number
  state: string
  attempts: number
  finishedAt: number
}

export interface ReceivedDelivery {
  eventId: string
  hookId: number
  attempt: number
  key: string
  /** Of the body: it must be the same on every attempt. */
  digest: string
  at: number
}

/** When something was broken, and when it was whole again. Both by the wall clock, in milliseconds. */
export interface Fault {
  from: number
  until: number
}

export interface Allowance {
  /** Duplicates are excused for what was in flight during one of these; with none, there must be no duplicates. */
  faults: readonly Fault[]
}

export interface Verdict {
  accepted: number
  delivered: number
  duplicates: number
  /** The longest time under load in which nothing reached the receivers. */
  longestGapMs: number
  violations: string[]
}

const shownOfAKind = 5

export function nameOf(delivery: { eventId: string; hookId: number }): string {
  return `${delivery.eventId} at hook ${delivery.hookId}`
}

export function judge(books: Books, allowance: Allowance): Verdict {
  const received = Map.groupBy(books.receivers, nameOf)
  const duplicated = [...received.values()].filter((requests) => requests.length > 1)
  const delivered = books.database.deliveries.filter(({ state }) => state === 'delivered')
  return {
    accepted: books.producer.acknowledged.length,
    delivered: delivered.length,
    duplicates: books.receivers.length - received.size,
    longestGapMs: longestGap(
      books.receivers.map(({ at }) => at).filter((at) => at <= books.producer.loadedUntil),
    ),
    violations: [
      ...findLost(books),
      ...findTwiceAccepted(books),
      ...findWithoutOneEnd(books),
      ...findLedgerDifferences(books, received),
      ...findNeverAccepted(books),
      ...findChangedBodies(received),
      ...findInexcusable(books, duplicated, allowance),
    ],
  }
}

/** 0 acknowledged events lost, and none left behind. */
function findLost({ producer, database }: Books): string[] {
  const known = new Map(database.events.map(({ id, key }) => [id, key]))
  const lost = producer.acknowledged.filter(({ id, key }) => known.get(id) !== key)
  const left = Object.entries(database.left).filter(([, rows]) => rows > 0)
  return [
    ...some(lost, ({ id, key }) => `lost: ${id} was acknowledged (${key}) and is not in the database`),
    ...left.map(([table, rows]) => `unfinished: ${rows} rows are left in ${table}`),
  ]
}

/** A key stands for one event, however often it was offered. */
function findTwiceAccepted({ producer, database }: Books): string[] {
  const byKey = Map.groupBy(database.events, ({ key }) => key)
  const twice = [...byKey].filter(([, events]) => events.length > 1)
  const answered = Map.groupBy(producer.acknowledged, ({ key }) => key)
  const differently = [...answered].filter(([, ids]) => new Set(ids.map(({ id }) => id)).size > 1)
  return [
    ...some(twice, ([key, events]) => `accepted twice: ${key} as ${events.map(({ id }) => id).join(', ')}`),
    ...some(differently, ([key]) => `answered differently: ${key} got two ids`),
  ]
}

/** Every event and hook that matched it end in exactly one final delivery; our outage uses up no attempt. */
function findWithoutOneEnd({ database, hooksOf }: Books): string[] {
  const ends = Map.groupBy(database.deliveries, nameOf)
  const matched = database.events.flatMap(({ id, accountId }) =>
    (hooksOf.get(accountId) ?? []).map((hookId) => nameOf({ eventId: id, hookId })),
  )
  const expected = new Set(matched)
  const wrong = matched.filter((name) => ends.get(name)?.length !== 1)
  const unexpected = [...ends.keys()].filter((name) => !expected.has(name))
  const undelivered = database.deliveries.filter(({ state }) => state !== 'delivered')
  const usedUp = database.deliveries.filter(({ attempts }) => attempts !== 1)
  return [
    ...some(wrong, (name) => `no single end: ${name} has ${ends.get(name)?.length ?? 0} final deliveries`),
    ...some(unexpected, (name) => `unexpected: ${name} did not match and has a final delivery`),
    ...some(undelivered, (end) => `not delivered: ${nameOf(end)} ended as ${end.state}`),
    ...some(usedUp, (end) => `attempts used up: ${nameOf(end)} took ${end.attempts}`),
  ]
}

/** What the ledger calls delivered was received, with an attempt that says so, and is counted once. */
function findLedgerDifferences(
  { database }: Books,
  received: ReadonlyMap<string, readonly ReceivedDelivery[]>,
): string[] {
  const delivered = database.deliveries.filter(({ state }) => state === 'delivered')
  const unreceived = delivered.filter((end) => !received.has(nameOf(end)))
  const unattempted = delivered.filter((end) => database.attempts.get(nameOf(end)) !== end.attempts)
  const names = new Set(delivered.map(nameOf))
  const unknown = [...received.keys()].filter((name) => !names.has(name))
  return [
    ...some(unreceived, (end) => `never arrived: ${nameOf(end)} is called delivered`),
    ...some(unattempted, (end) => `attempts differ: ${nameOf(end)} has other rows in attempts than it says`),
    ...some(unknown, (name) => `unrecorded: ${name} arrived and is not recorded as delivered`),
    ...(database.countedDelivered === delivered.length
      ? []
      : [`counted wrongly: rollups say ${database.countedDelivered}, deliveries ${delivered.length}`]),
  ]
}

/** No event is delivered, and none exists, that was never offered. */
function findNeverAccepted({ producer, database, receivers }: Books): string[] {
  const known = new Map(database.events.map(({ id, key }) => [id, key]))
  const invented = database.events.filter(({ key }) => !producer.offered.has(key))
  const foreign = receivers.filter(({ eventId, key }) => known.get(eventId) !== key)
  return [
    ...some(invented, ({ id, key }) => `invented: ${id} (${key}) was never offered`),
    ...some(foreign, (request) => `never accepted: ${nameOf(request)} (${request.key}) was delivered`),
  ]
}

function findChangedBodies(received: ReadonlyMap<string, readonly ReceivedDelivery[]>): string[] {
  const changed = [...received].filter(
    ([, requests]) => new Set(requests.map(({ digest }) => digest)).size > 1,
  )
  return some(changed, ([name]) => `changed: ${name} came with two different bodies`)
}

/**
 * A duplicate is excused once, if the delivery was in flight during the fault: sent before it was over, not settled
 * before it began, and reported by at most one of the processes that were spared.
 */
function findInexcusable(
  { database, reportedBySpared }: Books,
  duplicated: ReadonlyArray<readonly ReceivedDelivery[]>,
  { faults }: Allowance,
): string[] {
  const finishedAt = new Map(database.deliveries.map((end) => [nameOf(end), end.finishedAt]))
  return some(
    duplicated.flatMap((requests) => {
      const [first] = requests.toSorted((a, b) => a.at - b.at)
      if (first === undefined) return []
      const name = nameOf(first)
      const endedAt = finishedAt.get(name) ?? Number.POSITIVE_INFINITY
      const wasInFlight = faults.some(({ from, until }) => first.at <= until && endedAt >= from)
      const isExcused = wasInFlight && requests.length === 2 && (reportedBySpared.get(name) ?? 0) <= 1
      const began = faults[0]?.from ?? first.at
      return isExcused ? [] : [{ name, requests, wasInFlight, began, endedAt }]
    }),
    ({ name, requests, wasInFlight, began, endedAt }) =>
      `duplicate: ${name} arrived ${requests.length} times, ${wasInFlight ? '' : 'not '}in flight at the fault` +
      ` (attempts ${requests.map(({ attempt }) => attempt).join(', ')};` +
      ` ${requests.map(({ at }) => at - began).join(', ')} ms after it began, settled ${Math.round(endedAt - began)} ms after)`,
  )
}

function longestGap(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted.reduce((longest, at, place) => Math.max(longest, at - (sorted[place - 1] ?? at)), 0)
}

/** A few of a kind tell enough; the rest is a number. */
function some<T>(found: readonly T[], describe: (item: T) => string): string[] {
  const shown = found.slice(0, shownOfAKind).map(describe)
  const kind = shown[0]?.split(':')[0]
  return found.length > shown.length ? [...shown, `${kind}: ${found.length} in all`] : shown
}
