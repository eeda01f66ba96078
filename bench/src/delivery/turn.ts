/**
 * A turn of one contestant: processes of its own are started, warmed with messages that do not count, measured, and
 * ended. Nobody else's processes run meanwhile.
 */
import type { Client } from 'pg'
import { until } from '../faults/wait.ts'
import { type Arrival, type Arrivals, verifyExactlyOnce } from './arrivals.ts'
import type { Contestant, HandIn, Running } from './contestants/contestant.ts'
import { cpuBetween, cpuTimes, type ProcessGroup } from './cpu.ts'
import { createProfile } from './profile.ts'
import { storedBytes, walBytes } from './storage.ts'

/** What all turns run on. */
export interface Track {
  receiver: ProcessGroup
  arrivals: Arrivals
  postgres: Client
  warmUpMessages: number
  isProfiled: boolean
}

/** What was used for each message, until the books were closed. */
export interface Costs {
  /** Core-microseconds by group of processes. */
  coreMicros: Record<string, number>
  /** The receiver's; in no sum. */
  receiverMicros: number
  /** Written to PostgreSQL's write-ahead log. */
  walBytes: number
  /** By which the store has grown. */
  storedBytes: number
}

const arriveWithinMs = 120_000

export async function takeTurn<R extends Running, Result extends { messages: number }>(
  contestant: Contestant<R>,
  track: Track,
  measure: (running: R) => Promise<Result>,
): Promise<Result> {
  // So that the checkpoint of one contestant does not fall into the turn of another.
  await track.postgres.query('CHECKPOINT')
  const profile = track.isProfiled ? await createProfile() : undefined
  const running = await contestant.start(profile?.folder)
  let result: Result
  try {
    await handInAndVerify(running, track, await running.prepare(track.warmUpMessages), track.warmUpMessages)
    await profile?.begin(running.storage.database)
    result = await measure(running)
    await profile?.end(running.storage.database, result.messages)
  } finally {
    await running.stop()
  }
  await profile?.print(result.messages)
  return result
}

export async function withCosts<Result extends { messages: number }>(
  running: Running,
  { receiver, postgres }: Track,
  act: () => Promise<Result>,
): Promise<Result & Costs> {
  const groups = [...running.groups, receiver]
  const before = {
    wal: await walBytes(postgres),
    stored: await storedBytes(running.storage),
    cpu: await cpuTimes(groups),
  }
  const result = await act()
  const used = cpuBetween(before.cpu, await cpuTimes(groups))
  const { messages } = result
  const micros = [...used].map(([name, value]) => [name, value / messages] as const)
  return {
    ...result,
    coreMicros: Object.fromEntries(micros.filter(([name]) => name !== receiver.name)),
    receiverMicros: (used.get(receiver.name) ?? 0) / messages,
    walBytes: ((await walBytes(postgres)) - before.wal) / messages,
    storedBytes: ((await storedBytes(running.storage)) - before.stored) / messages,
  }
}

/** Hands in, waits until all has arrived and the books are closed, and throws unless each has arrived exactly once. */
export async function handInAndVerify(
  running: Running,
  { arrivals }: Track,
  handIn: HandIn,
  count: number,
): Promise<Arrival[]> {
  await arrivals.mark()
  const handedIn = handIn()
  await Promise.all([handedIn, arrivals.untilCount(count, arriveWithinMs)])
  await until('the books are closed', running.isSettled)
  const arrived = await arrivals.read()
  verifyExactlyOnce(await handedIn, arrived)
  return arrived
}
