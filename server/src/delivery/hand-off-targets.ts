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

/** The room for deliveries on workers, as far as it decides when events are committed, and how many. */
export interface CommitRoom {
  /** How long events wait for room: 0 if there is enough for them, or will be none. */
  waitMs: (events: number) => number
  /** The number of events that can be handed off at once, if that is enough for a commit. */
  commitSize: () => number | undefined
}

export interface HandOffTargets {
  /** Returns the worker with the most room, if any has some. */
  choose: () => HandOffTarget | undefined
  commitRoom: CommitRoom
  /** Adds the worker of this process. */
  addLocal: (worker: Pick<Worker, 'id' | 'handOffs' | 'roomOf'>) => void
  /** Records the report of a worker elsewhere. */
  onRoom: (report: RoomReport) => void
}

/** A worker that has not reported for this long gets nothing. It reports twice per second. */
const maxReportAgeMs = 1_500
/** Of a hook that is not at its limit, a worker elsewhere gets this many per commit. */
const maxPerHook = 16
/** For a usual commit. If the worker of this process has it, it is chosen: a hand-off to it costs nothing. */
const enoughRoom = 100
/**
 * Events wait for room while workers make room: an event that is handed off costs less than one of the inbox. Workers whose
 * slots are all used by slow receivers make no room soon. Then waiting only makes commits larger.
 */
const maxWaitMs = 150
const maxWaitWithoutRoomMs = 20
/** Workers make room if some had enough this long ago. */
const makingRoomMs = 500

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
  let lastEnoughAt = Number.NEGATIVE_INFINITY

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
    commitRoom: {
      waitMs(events) {
        const now = clock.monotonic()
        const room = choose()?.room() ?? 0
        if (room >= enoughRoom) lastEnoughAt = now
        if (room >= Math.min(events, enoughRoom) || (local === undefined && remotes.size === 0)) return 0
        return now - lastEnoughAt <= makingRoomMs ? maxWaitMs : maxWaitWithoutRoomMs
      },
      commitSize() {
        const room = choose()?.room() ?? 0
        return room >= enoughRoom ? room : undefined
      },
    },
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
