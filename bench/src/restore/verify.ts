/**
 * Compares the records of producer, receivers and database after a restore to a time. Pure, so that tests can inject
 * losses and duplicates and check that they are detected (`bench/src/restore/verify.test.ts`).
 */
import { deliveryName, listSome, type ReceivedDelivery } from '../faults/verify.ts'

export interface Observations {
  /** The time that the database was restored to, as wall-clock time in milliseconds. */
  target: number
  /** Hookline was started again at this time. Earlier requests were sent before the crash. */
  restartedAt: number
  /** Events that the producer was told were accepted before the crash. */
  told: readonly ToldEvent[]
  /** Events that the producer submitted again after the restore, with the ids it was told then. */
  repeated: ReadonlyArray<Pick<ToldEvent, 'key' | 'id'>>
  /** The database after the restore, before Hookline starts. */
  restored: {
    events: readonly StoredEvent[]
    /** Finished deliveries, by `deliveryName`. */
    settled: ReadonlySet<string>
  }
  /** The database at the end. */
  final: {
    events: readonly StoredEvent[]
    deliveries: ReadonlyArray<{ eventId: string; hookId: number; state: string }>
    /** Rows left in the queue tables. */
    left: { inbox: number; work: number; parked: number }
  }
  received: readonly ReceivedDelivery[]
  /** Hook ids by account id. Each hook matches all events of its account. */
  hooksByAccount: ReadonlyMap<number, readonly number[]>
}

interface StoredEvent {
  id: string
  key: string
  accountId: number
}

interface ToldEvent extends StoredEvent {
  at: number
}

/** Counts of events, except where the name says deliveries. */
interface Counts {
  acceptedBeforeTarget: number
  acceptedAfterTarget: number
  settledDeliveries: number
  resentDeliveries: number
  firstSentDeliveries: number
  repeatedKnown: number
  repeatedLost: number
  newIdDeliveries: number
}

export interface Verdict {
  counts: Counts
  violations: string[]
}

/** An event gets its id some milliseconds before its commit. */
const maxCommitMs = 2_000

export function verify(observations: Observations): Verdict {
  const { target, told, repeated, restored, received } = observations
  const restoredIds = new Set(restored.events.map(({ id }) => id))
  const repeatedKeys = new Set(repeated.map(({ key }) => key))
  const before = received.filter(({ at }) => at < observations.restartedAt)
  const after = received.filter(({ at }) => at >= observations.restartedAt)
  const namesBefore = new Set(before.map(deliveryName))
  const namesAfter = new Set(after.map(deliveryName))
  const contentBefore = new Set(before.map(contentName))
  const lost = told.filter(({ id }) => !restoredIds.has(id))
  const known = told.filter(({ id, key }) => restoredIds.has(id) && repeatedKeys.has(key))
  const counts: Counts = {
    acceptedBeforeTarget: told.filter(({ at }) => at <= target).length,
    acceptedAfterTarget: told.filter(({ at }) => at > target).length,
    settledDeliveries: restored.settled.size,
    resentDeliveries: [...namesAfter].filter((name) => namesBefore.has(name)).length,
    firstSentDeliveries: after.filter(
      (request) => restoredIds.has(request.eventId) && !namesBefore.has(deliveryName(request)),
    ).length,
    repeatedKnown: known.length,
    repeatedLost: lost.length,
    newIdDeliveries: new Set(
      after
        .filter(
          (request) => !namesBefore.has(deliveryName(request)) && contentBefore.has(contentName(request)),
        )
        .map(contentName),
    ).size,
  }
  return {
    counts,
    violations: [
      ...findLostBeforeTarget(observations, restoredIds),
      ...findRestoredTooLate(observations),
      ...findWrongRepeats(observations, restoredIds, repeatedKeys),
      ...findAcceptedTwice(observations),
      ...findUndelivered(observations),
      ...findSettledRequests(observations, namesAfter),
      ...findUnknownRequests(observations, after),
      ...findChangedBodies(received),
      ...findWithoutEffect(counts),
    ],
  }
}

/** The same content for the same hook, whatever its `webhook-id`. */
function contentName({ key, hookId }: ReceivedDelivery): string {
  return `${key} at hook ${hookId}`
}

function findLostBeforeTarget({ told, target }: Observations, restoredIds: ReadonlySet<string>): string[] {
  const lost = told.filter(({ id, at }) => at <= target && !restoredIds.has(id))
  return list(
    'lost',
    lost.map(({ id, key, at }) => `${id} (${key}), accepted ${target - at} ms before the target`),
  )
}

/** Finds events that were accepted after the target. The time of acceptance is in their id. */
function findRestoredTooLate({ restored, target }: Observations): string[] {
  const late = restored.events.filter(({ id }) => acceptedAt(id) > target + maxCommitMs)
  return list(
    'restored past the target',
    late.map(({ id }) => `${id}, accepted ${acceptedAt(id) - target} ms after it`),
  )
}

function acceptedAt(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** A known key must return the id of its event. An event that the restore lost must be repeated, and gets a new id. */
function findWrongRepeats(
  { told, repeated }: Observations,
  restoredIds: ReadonlySet<string>,
  repeatedKeys: ReadonlySet<string>,
): string[] {
  const idByKey = new Map(told.map(({ key, id }) => [key, id]))
  const wrong = repeated.filter(({ key, id }) => {
    const toldId = idByKey.get(key)
    return toldId !== undefined && restoredIds.has(toldId) !== (id === toldId)
  })
  const missing = told.filter(({ id, key }) => !restoredIds.has(id) && !repeatedKeys.has(key))
  return [
    ...list(
      'wrong id for a repeated key',
      wrong.map(({ key, id }) => `${key} was ${idByKey.get(key)} and is ${id}`),
    ),
    ...list(
      'not repeated',
      missing.map(({ id, key }) => `${id} (${key})`),
    ),
  ]
}

function findAcceptedTwice({ final }: Observations): string[] {
  const twice = [...Map.groupBy(final.events, ({ key }) => key)].filter(([, events]) => events.length > 1)
  return list(
    'accepted twice',
    twice.map(([key, events]) => `${key} as ${events.map(({ id }) => id).join(', ')}`),
  )
}

/** Finds told and stored events without exactly one finished delivery for each hook, or whose request never arrived. */
function findUndelivered({ told, final, received, hooksByAccount }: Observations): string[] {
  const arrived = new Set(received.map(deliveryName))
  const delivered = Map.groupBy(
    final.deliveries.filter(({ state }) => state === 'delivered'),
    deliveryName,
  )
  const storedKeys = new Set(final.events.map(({ key }) => key))
  const expected = final.events.flatMap(({ id, accountId }) =>
    (hooksByAccount.get(accountId) ?? []).map((hookId) => deliveryName({ eventId: id, hookId })),
  )
  const left = Object.entries(final.left).filter(([, rows]) => rows > 0)
  return [
    ...left.map(([table, rows]) => `unfinished: ${rows} rows are left in ${table}`),
    ...list(
      'gone',
      told.filter(({ key }) => !storedKeys.has(key)).map(({ id, key }) => `${id} (${key})`),
    ),
    ...list(
      'never arrived',
      expected.filter((name) => !arrived.has(name)),
    ),
    ...list(
      'not delivered once',
      expected.filter((name) => delivered.get(name)?.length !== 1),
    ),
  ]
}

function findSettledRequests({ restored }: Observations, after: ReadonlySet<string>): string[] {
  return list(
    'settled, but sent after the restore',
    [...after].filter((name) => restored.settled.has(name)),
  )
}

/** After the restore, nothing may be sent that the database does not have: a stream may still have such events. */
function findUnknownRequests({ final }: Observations, after: readonly ReceivedDelivery[]): string[] {
  const stored = new Set(final.events.map(({ id }) => id))
  return list('sent without an event', after.filter(({ eventId }) => !stored.has(eventId)).map(deliveryName))
}

function findChangedBodies(received: readonly ReceivedDelivery[]): string[] {
  const changed = [...Map.groupBy(received, deliveryName)].filter(
    ([, requests]) => new Set(requests.map(({ digest }) => digest)).size > 1,
  )
  return list(
    'body changed',
    changed.map(([name]) => name),
  )
}

/** A run in which one of the cases did not occur proves nothing about it. */
function findWithoutEffect(counts: Counts): string[] {
  return Object.entries(counts)
    .filter(([, count]) => count === 0)
    .map(([name]) => `proved nothing: ${name} is 0`)
}

function list(kind: string, lines: readonly string[]): string[] {
  return listSome(lines, (line) => `${kind}: ${line}`)
}
