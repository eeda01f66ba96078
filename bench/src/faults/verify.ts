/**
 * Compares the observations of producer, database and receivers after a fault. Pure, so that tests can inject losses
 * and duplicates and check that they are detected (`bench/src/faults/verify.test.ts`).
 */
export interface Observations {
  producer: {
    /** Ids of events that the intake accepted with 202, with their keys. */
    acknowledged: ReadonlyArray<{ id: string; key: string }>
    /** Keys of all submitted events. */
    offered: ReadonlySet<string>
    /** Time at which the load ended. Later gaps are waits for leases to expire and do not count. */
    loadEndedAt: number
  }
  database: {
    events: ReadonlyArray<{ id: string; key: string; accountId: number }>
    deliveries: ReadonlyArray<FinalDelivery>
    /** Attempts in the ledger, by `deliveryName`. */
    attempts: ReadonlyMap<string, number>
    /** Rows left in the queue tables. All must be 0 after everything is delivered. */
    left: { inbox: number; work: number; parked: number }
    /** The hourly counts, with those not added up yet. The same commits write them, so they must not differ. */
    counted: { delivered: number; events: number }
  }
  receivers: readonly ReceivedDelivery[]
  /** Number of attempts in the logs of processes that the fault did not affect, by `deliveryName`. */
  reportedByUnaffected: ReadonlyMap<string, number>
  /** Hook ids by account id. Each hook matches all events of its account. */
  hooksByAccount: ReadonlyMap<number, readonly number[]>
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
  /** Digest of the body. It must be the same on every attempt. */
  digest: string
  at: number
}

/** Start and end of a fault, as wall-clock time in milliseconds. */
export interface Fault {
  from: number
  until: number
}

export interface Allowance {
  /** Deliveries in flight during one of these faults may be duplicated. Without faults, no duplicates are allowed. */
  faults: readonly Fault[]
  /** Deliveries, by `deliveryName`, that a receiver failed once on purpose. They take two attempts. */
  retried?: readonly string[]
}

export interface Verdict {
  accepted: number
  delivered: number
  duplicates: number
  /** The longest time under load without a request at the receivers. */
  maxGapMs: number
  violations: string[]
}

const maxShownPerKind = 5

export function deliveryName(delivery: { eventId: string; hookId: number }): string {
  return `${delivery.eventId} at hook ${delivery.hookId}`
}

export function verify(observations: Observations, allowance: Allowance): Verdict {
  const received = Map.groupBy(observations.receivers, deliveryName)
  const duplicated = [...received.values()].filter((requests) => requests.length > 1)
  const delivered = observations.database.deliveries.filter(({ state }) => state === 'delivered')
  return {
    accepted: observations.producer.acknowledged.length,
    delivered: delivered.length,
    duplicates: observations.receivers.length - received.size,
    maxGapMs: maxGap(
      observations.receivers.map(({ at }) => at).filter((at) => at <= observations.producer.loadEndedAt),
    ),
    violations: [
      ...findLost(observations),
      ...findAcceptedTwice(observations),
      ...findWithoutOneResult(observations, allowance.retried ?? []),
      ...findLedgerMismatches(observations, received),
      ...findNeverAccepted(observations),
      ...findChangedBodies(received),
      ...findUnexcusedDuplicates(observations, duplicated, allowance),
    ],
  }
}

/** Finds acknowledged events that are lost, and rows left in the queue. */
function findLost({ producer, database }: Observations): string[] {
  const keysById = new Map(database.events.map(({ id, key }) => [id, key]))
  const lost = producer.acknowledged.filter(({ id, key }) => keysById.get(id) !== key)
  const left = Object.entries(database.left).filter(([, rows]) => rows > 0)
  return [
    ...listSome(lost, ({ id, key }) => `lost: ${id} was acknowledged (${key}) and is not in the database`),
    ...left.map(([table, rows]) => `unfinished: ${rows} rows are left in ${table}`),
  ]
}

/** Finds keys with more than one event or id. A resubmitted key must return the existing event. */
function findAcceptedTwice({ producer, database }: Observations): string[] {
  const byKey = Map.groupBy(database.events, ({ key }) => key)
  const duplicates = [...byKey].filter(([, events]) => events.length > 1)
  const acknowledgedByKey = Map.groupBy(producer.acknowledged, ({ key }) => key)
  const conflicting = [...acknowledgedByKey].filter(([, ids]) => new Set(ids.map(({ id }) => id)).size > 1)
  return [
    ...listSome(
      duplicates,
      ([key, events]) => `accepted twice: ${key} as ${events.map(({ id }) => id).join(', ')}`,
    ),
    ...listSome(conflicting, ([key]) => `conflicting ids: ${key} got two ids`),
  ]
}

/** Finds matches without exactly one delivered result. Outages of the service must not consume attempts. */
function findWithoutOneResult(
  { database, hooksByAccount }: Observations,
  retried: readonly string[],
): string[] {
  const results = Map.groupBy(database.deliveries, deliveryName)
  const matched = database.events.flatMap(({ id, accountId }) =>
    (hooksByAccount.get(accountId) ?? []).map((hookId) => deliveryName({ eventId: id, hookId })),
  )
  const expected = new Set(matched)
  const wrong = matched.filter((name) => results.get(name)?.length !== 1)
  const unexpected = [...results.keys()].filter((name) => !expected.has(name))
  const undelivered = database.deliveries.filter(({ state }) => state !== 'delivered')
  const extraAttempts = database.deliveries.filter(
    (delivery) => delivery.attempts !== (retried.includes(deliveryName(delivery)) ? 2 : 1),
  )
  return [
    ...listSome(
      wrong,
      (name) => `not exactly one result: ${name} has ${results.get(name)?.length ?? 0} final deliveries`,
    ),
    ...listSome(unexpected, (name) => `unexpected: ${name} did not match and has a final delivery`),
    ...listSome(
      undelivered,
      (delivery) => `not delivered: ${deliveryName(delivery)} ended as ${delivery.state}`,
    ),
    ...listSome(
      extraAttempts,
      (delivery) => `extra attempts: ${deliveryName(delivery)} took ${delivery.attempts}`,
    ),
  ]
}

/** Finds deliveries in the ledger without a matching request, attempt or rollup, and requests without a delivery. */
function findLedgerMismatches(
  { database }: Observations,
  received: ReadonlyMap<string, readonly ReceivedDelivery[]>,
): string[] {
  const delivered = database.deliveries.filter(({ state }) => state === 'delivered')
  const unreceived = delivered.filter((delivery) => !received.has(deliveryName(delivery)))
  const unattempted = delivered.filter(
    (delivery) => database.attempts.get(deliveryName(delivery)) !== delivery.attempts,
  )
  const names = new Set(delivered.map(deliveryName))
  const unknown = [...received.keys()].filter((name) => !names.has(name))
  return [
    ...listSome(
      unreceived,
      (delivery) => `never arrived: ${deliveryName(delivery)} is recorded as delivered`,
    ),
    ...listSome(
      unattempted,
      (delivery) => `attempts differ: ${deliveryName(delivery)} has a different number of rows in attempts`,
    ),
    ...listSome(unknown, (name) => `unrecorded: ${name} arrived and is not recorded as delivered`),
    ...(database.counted.delivered === delivered.length
      ? []
      : [`wrong count: rollups have ${database.counted.delivered}, deliveries ${delivered.length}`]),
    ...(database.counted.events === database.events.length
      ? []
      : [`wrong count: rollups have ${database.counted.events} events of ${database.events.length}`]),
  ]
}

/** Finds events and requests that the producer never submitted. */
function findNeverAccepted({ producer, database, receivers }: Observations): string[] {
  const keysById = new Map(database.events.map(({ id, key }) => [id, key]))
  const invented = database.events.filter(({ key }) => !producer.offered.has(key))
  const foreign = receivers.filter(({ eventId, key }) => keysById.get(eventId) !== key)
  return [
    ...listSome(invented, ({ id, key }) => `never submitted: ${id} (${key}) is in the database`),
    ...listSome(
      foreign,
      (request) => `never accepted: ${deliveryName(request)} (${request.key}) was delivered`,
    ),
  ]
}

function findChangedBodies(received: ReadonlyMap<string, readonly ReceivedDelivery[]>): string[] {
  const changed = [...received].filter(
    ([, requests]) => new Set(requests.map(({ digest }) => digest)).size > 1,
  )
  return listSome(changed, ([name]) => `body changed: ${name} arrived with different bodies`)
}

/**
 * Finds duplicates that the faults do not explain. Each fault allows one duplicate of a delivery that was in flight during
 * it: sent before the fault ended, neither settled nor repeated before it began. Processes that no fault affected may have
 * logged the delivery at most once.
 */
function findUnexcusedDuplicates(
  { database, reportedByUnaffected }: Observations,
  duplicated: ReadonlyArray<readonly ReceivedDelivery[]>,
  { faults }: Allowance,
): string[] {
  const finishedAt = new Map(
    database.deliveries.map((delivery) => [deliveryName(delivery), delivery.finishedAt]),
  )
  return listSome(
    duplicated.flatMap((requests) => {
      const sorted = requests.toSorted((a, b) => a.at - b.at)
      const [first] = sorted
      if (first === undefined) return []
      const name = deliveryName(first)
      const endedAt = finishedAt.get(name) ?? Number.POSITIVE_INFINITY
      const excused = countExcused(
        sorted.map(({ at }) => at),
        endedAt,
        faults,
      )
      const isExcused = excused === sorted.length - 1 && (reportedByUnaffected.get(name) ?? 0) <= 1
      const faultAt = faults[0]?.from ?? first.at
      return isExcused ? [] : [{ name, requests: sorted, excused, faultAt, endedAt }]
    }),
    ({ name, requests, excused, faultAt, endedAt }) =>
      `duplicate: ${name} arrived ${requests.length} times, in flight during ${excused} faults` +
      ` (attempts ${requests.map(({ attempt }) => attempt).join(', ')};` +
      ` ${requests.map(({ at }) => at - faultAt).join(', ')} ms after the fault began, settled ${Math.round(endedAt - faultAt)} ms after)`,
  )
}

/** Counts the requests whose repetition a fault explains. A fault explains one of them. */
function countExcused(sentAt: readonly number[], endedAt: number, faults: readonly Fault[]): number {
  const unused = faults.toSorted((a, b) => a.from - b.from)
  let excused = 0
  for (const [index, at] of sentAt.entries()) {
    const nextAt = sentAt[index + 1]
    if (nextAt === undefined) break
    const found = unused.findIndex(({ from, until }) => at <= until && Math.min(nextAt, endedAt) >= from)
    if (found === -1) continue
    unused.splice(found, 1)
    excused++
  }
  return excused
}

function maxGap(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted.reduce((longest, at, index) => Math.max(longest, at - (sorted[index - 1] ?? at)), 0)
}

/** Describes the first few items and adds the total if there are more. */
export function listSome<T>(found: readonly T[], describe: (item: T) => string): string[] {
  const visible = found.slice(0, maxShownPerKind).map(describe)
  const kind = visible[0]?.split(':')[0]
  return found.length > visible.length ? [...visible, `${kind}: ${found.length} in total`] : visible
}
