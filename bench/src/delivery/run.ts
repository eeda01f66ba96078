/**
 * Runs one system once: starts its processes, warms them up, measures, and stops them. No other system runs meanwhile.
 */
import type { Client } from 'pg'
import { waitFor } from '../support/wait-for.ts'
import { type Arrival, type Arrivals, verifyExactlyOnce } from './arrivals.ts'
import type { System, Submit, Running } from './systems/system.ts'
import { cpuBetween, cpuTimes, type ProcessGroup } from './cpu.ts'
import { memoryOf } from './memory.ts'
import { createProfile } from './profile.ts'
import { storedBytes, walBytes } from './storage.ts'

/** Shared by all runs. */
export interface Harness {
  receiver: ProcessGroup
  arrivals: Arrivals
  postgres: Client
  warmUpMessages: number
  isProfiled: boolean
}

/** Cost per message, until all deliveries are settled. */
export interface Costs {
  /** Core-microseconds by process group. */
  coreMicros: Record<string, number>
  /** Core-microseconds of the receiver. Not part of any total. */
  receiverMicros: number
  /** Bytes written to PostgreSQL's write-ahead log. */
  walBytes: number
  /** Growth of the stored data. */
  storedBytes: number
  /** Megabytes of memory at the end, by process group. */
  memoryMb: Record<string, number>
}

const arrivalTimeoutMs = 120_000

export async function runOnce<R extends Running, Result extends { messages: number }>(
  system: System<R>,
  harness: Harness,
  measure: (running: R) => Promise<Result>,
): Promise<Result> {
  // A checkpoint caused by one system must not happen during the run of another.
  await harness.postgres.query('CHECKPOINT')
  const profile = harness.isProfiled ? await createProfile() : undefined
  const running = await system.start(profile?.folder)
  let result: Result
  try {
    await submitAndVerify(
      running,
      harness,
      await running.prepare(harness.warmUpMessages),
      harness.warmUpMessages,
    )
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
  { receiver, postgres }: Harness,
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
    memoryMb: await memoryOf(running.groups),
  }
}

/** Submits messages and waits until all are settled. Throws unless each arrived exactly once. */
export async function submitAndVerify(
  running: Running,
  { arrivals }: Harness,
  submitEvents: Submit,
  count: number,
): Promise<Arrival[]> {
  await arrivals.mark()
  const submitted = submitEvents()
  await Promise.all([submitted, arrivals.untilCount(count, arrivalTimeoutMs)])
  await waitFor('all deliveries to be settled', running.isSettled)
  const arrived = await arrivals.read()
  verifyExactlyOnce(await submitted, arrived)
  return arrived
}
