/**
 * Hands off leased deliveries to one worker: a message per commit, on the subject of the worker. Workers report how many
 * deliveries they take. Messages may be lost: the leases are in the database, where the worker finds them.
 */
import { z } from 'zod'
import { decodeHandOff, encodeHandOff, type HandOff } from './hand-off-messages.ts'
import type { Nats } from './nats.ts'

const roomReport = z.object({
  worker: z.uuid(),
  /** The number of deliveries that the worker takes. */
  room: z.int().min(0).max(1_000_000),
  /** Hooks, accounts and hosts that get no other slot now. */
  atLimit: z.object({
    hooks: z.array(z.int()).readonly(),
    accounts: z.array(z.int()).readonly(),
    hosts: z.array(z.string()).readonly(),
  }),
})

export type RoomReport = z.infer<typeof roomReport>

function subjectsOf(installation: string) {
  const prefix = `hookline.${installation}`
  return { rooms: `${prefix}.rooms`, worker: (id: string) => `${prefix}.worker.${id}` }
}

interface WorkerLink {
  report: (report: RoomReport) => void
}

/** The side of a worker. */
export function receiveHandOffs(
  nats: Nats,
  installation: string,
  worker: string,
  { onHandOff, onError }: { onHandOff: (handOff: HandOff) => void; onError: (error: unknown) => void },
): WorkerLink {
  const subjects = subjectsOf(installation)
  void nats.first.then((connection) =>
    connection.subscribe(subjects.worker(worker), {
      callback(_error, message) {
        try {
          onHandOff(decodeHandOff(message.string()))
        } catch (error) {
          onError(error)
        }
      },
    }),
  )
  return {
    report: (report) => nats.live()?.publish(subjects.rooms, JSON.stringify(report)),
  }
}

export interface HandOffLink {
  /** The maximum size of a message. */
  maxBytes: () => number
  /** Returns false if nothing was sent. */
  send: (worker: string, handOff: HandOff) => boolean
}

/** The side of an api process. */
export function sendHandOffs(
  nats: Nats,
  installation: string,
  { onRoom, onError }: { onRoom: (report: RoomReport) => void; onError: (error: unknown) => void },
): HandOffLink {
  const subjects = subjectsOf(installation)
  void nats.first.then((connection) =>
    connection.subscribe(subjects.rooms, {
      callback(_error, message) {
        try {
          onRoom(roomReport.parse(JSON.parse(message.string())))
        } catch (error) {
          onError(error)
        }
      },
    }),
  )
  return {
    maxBytes: () => nats.live()?.info?.max_payload ?? 0,
    send(worker, handOff) {
      const connection = nats.live()
      if (connection === undefined) return false
      connection.publish(subjects.worker(worker), encodeHandOff(handOff))
      return true
    },
  }
}
