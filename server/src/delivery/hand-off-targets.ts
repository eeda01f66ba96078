/**
 * The workers that an api process can hand off deliveries to: the one in its own process, and those that report their room
 * by NATS.
 */
import type { Clock } from '../runtime/clock.ts'
import type { HandedOffEvent, HandOff } from '../nats/hand-off-messages.ts'
import type { HandOffLink, RoomReport } from '../nats/hand-offs.ts'
import type { HandOffQueue } from './hand-off-queue.ts'
import type { HandOffTarget } from './place-events.ts'
import type { ClaimedDelivery } from './queue/claim.ts'
import type { LeasedName } from './queue/hand-offs.ts'
import type { Worker } from './worker.ts'

export interface HandOffTargets {
  /** Returns the worker with the most room, if any has some. */
  choose: () => HandOffTarget | undefined
  /** False while workers can be reached and none has room for a usual commit. */
  hasRoom: () => boolean
  /** Adds the worker of this process. */
  addLocal: (worker: Pick<Worker, 'id' | 'handOffs' | 'roomOf'>) => void
  /** Records the report of a worker elsewhere. */
  onRoom: (report: RoomReport) => void
}

/** A worker that has not reported for this long gets nothing. It reports twice per second. */
const maxReportAgeMs = 1_500
/** Of a hook that is not at its limit, a worker elsewhere gets this many per commit. */
const maxPerHook = 16
/** For a usual commit. Then the worker of this process is chosen: a hand-off to it costs nothing. */
const enoughRoom = 100

interface RemoteWorker {
  room: number
  reportedAt: number
  hooks: ReadonlySet<number>
  accounts: ReadonlySet<number>
  hosts: ReadonlySet<string>
}

export function createHandOffTargets(
  clock: Pick<Clock, 'monotonic'>,
  link: HandOffLink | undefined,
  /** Deliveries could not be sent to their worker. */
  onNotSent: (deliveries: readonly LeasedName[]) => void,
): HandOffTargets {
  const remotes = new Map<string, RemoteWorker>()
  let local: HandOffTarget | undefined

  function remoteTarget(worker: string, remote: RemoteWorker): HandOffTarget {
    return {
      worker,
      room: () => remote.room,
      maxBytes: () => link?.maxBytes() ?? 0,
      roomOf: (accountId, { id, host }) =>
        remote.hooks.has(id) || remote.accounts.has(accountId) || remote.hosts.has(host) ? 0 : maxPerHook,
      handOff(deliveries, { id, seconds }) {
        remote.room -= deliveries.length
        const [first] = deliveries
        if (first === undefined) return
        const { stopsVersion, acceptedAt: committedAt } = first
        const handOff = { lease: { id, seconds }, committedAt, stopsVersion, events: toEvents(deliveries) }
        if (link?.send(worker, handOff) === true) return
        remotes.delete(worker)
        onNotSent(
          deliveries.map(({ accountId, hookId, eventId }) => ({ lease: id, accountId, hookId, eventId })),
        )
      },
    }
  }

  function choose(): HandOffTarget | undefined {
    if (local !== undefined && local.room() >= enoughRoom) return local
    let best: [worker: string, remote: RemoteWorker] | undefined
    for (const [worker, remote] of remotes)
      if (clock.monotonic() - remote.reportedAt > maxReportAgeMs) remotes.delete(worker)
      else if (remote.room > (best?.[1].room ?? local?.room() ?? 0)) best = [worker, remote]
    if (best !== undefined) return remoteTarget(...best)
    return local !== undefined && local.room() > 0 ? local : undefined
  }

  return {
    choose,
    hasRoom: () => (local === undefined && remotes.size === 0) || (choose()?.room() ?? 0) >= enoughRoom,
    addLocal({ id, handOffs, roomOf }) {
      local = {
        worker: id,
        room: handOffs.room,
        maxBytes: () => Number.POSITIVE_INFINITY,
        roomOf,
        handOff: handOffs.receive,
      }
    },
    onRoom({ worker, room, atLimit: { hooks, accounts, hosts } }) {
      // The worker of this process reports as well.
      if (worker === local?.worker) return
      remotes.set(worker, {
        room,
        reportedAt: clock.monotonic(),
        hooks: new Set(hooks),
        accounts: new Set(accounts),
        hosts: new Set(hosts),
      })
    },
  }
}

/** Groups the deliveries of each event, which follow one another. */
function toEvents(deliveries: readonly ClaimedDelivery[]): HandedOffEvent[] {
  return [...Map.groupBy(deliveries, ({ eventId }) => eventId).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { eventId: id, accountId, type, data, traceparent, version } = first
    return [{ id, accountId, type, data, traceparent, version, hookIds: group.map(({ hookId }) => hookId) }]
  })
}

/** Takes a hand-off of another process. Its age is known by the database's clock. */
export function receiveHandOff(
  queue: Pick<HandOffQueue, 'receive'>,
  clock: Pick<Clock, 'now' | 'monotonic'>,
  { lease, committedAt, stopsVersion, events }: HandOff,
): void {
  const ageMs = Math.max(0, clock.now() - committedAt.getTime())
  queue.receive(
    events.flatMap(({ id: eventId, hookIds, ...event }) =>
      hookIds.map((hookId) => ({
        ...event,
        eventId,
        hookId,
        stopsVersion,
        acceptedAt: committedAt,
        ...firstRound,
      })),
    ),
    { ...lease, takenAt: clock.monotonic() - ageMs },
  )
}

/** A fresh delivery. A test event is never handed off. */
export const firstRound = {
  round: 1,
  attempts: 0,
  faults: 0,
  matchPending: false,
  testHookId: null,
  recoveredMs: null,
}
