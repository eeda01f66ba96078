/**
 * One round: build a world, load it, strike, let it recover, end the load, wait until nothing is left to do, stop
 * everything in order, and compare the books.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { readBooks, readLeft } from './books.ts'
import { type Fault, judge, type Verdict } from './judge.ts'
import { createWorld, type World } from './world.ts'

export interface Round {
  name: string
  /** What is done, in a few words. */
  what: string
  workersAtStart: number
  strike: (stage: Stage) => Promise<Struck>
}

export interface Stage {
  world: World
  api: ServiceProcess
  workers: ServiceProcess[]
  /** How long an outage lasts. */
  seconds: number
}

interface Struck {
  /** Duplicates are excused for what was in flight during these. */
  faults: Fault[]
  /** Processes that were killed or held; of the others none may have sent twice. */
  struck: ServiceProcess[]
  /** Events that the round put into the database itself. */
  planted?: Array<{ id: string; key: string }>
  /** What the round saw, for people. */
  notes: string[]
  /** Checked when the books are closed. */
  check?: (client: Client, verdict: Verdict) => Promise<string[]> | string[]
}

export interface RoundReport extends Verdict {
  notes: string[]
  /** What is needed to understand a failure. */
  evidence: string[]
}

const leadMs = 2_000
const tailMs = 3_000
const acceptWithinMs = 30_000
/** Leases last 30 s: what died with its worker is delivered after that. */
const drainWithinMs = 60_000

export async function runRound(
  round: Round,
  seconds: number,
  keepUndo: (close: () => Promise<void>) => void,
): Promise<RoundReport> {
  const world = await createWorld(keepUndo)
  try {
    return await play(round, seconds, world)
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const nothing = { accepted: 0, delivered: 0, duplicates: 0, longestGapMs: 0, notes: [] }
    return { ...nothing, violations: [`broke off: ${text}`], evidence: await gatherEvidence(world) }
  } finally {
    await world.close()
  }
}

async function play(round: Round, seconds: number, world: World): Promise<RoundReport> {
  const api = await world.startApi()
  const workers = await Promise.all(Array.from({ length: round.workersAtStart }, () => world.startWorker()))
  world.producer.start()
  await sleep(leadMs)
  const struck = await round.strike({ world, api, workers, seconds })
  await sleep(tailMs)
  await world.producer.finish(acceptWithinMs)

  const client = await world.connect()
  const unfinished = await drain(client)
  const badEnds = await stopInOrder(world, new Set(struck.struck))
  const books = await readBooks(world, client, new Set(struck.struck), struck.planted ?? [])
  const verdict = judge(books, struck)
  const violations = [
    ...verdict.violations,
    ...unfinished,
    ...badEnds,
    ...((await struck.check?.(client, verdict)) ?? []),
  ]
  const repeated = `${world.producer.repeated.size} events offered again`
  return {
    ...verdict,
    violations,
    notes: [...struck.notes, repeated],
    evidence: violations.length > 0 ? await gatherEvidence(world) : [],
  }
}

async function drain(client: Client): Promise<string[]> {
  const endsAt = performance.now() + drainWithinMs
  for (;;) {
    const { inbox, work } = await readLeft(client)
    if (inbox === 0 && work === 0) return []
    if (performance.now() > endsAt) {
      const { rows } = await client.query<object>('SELECT *, now() FROM work ORDER BY due_at LIMIT 3')
      return [`unfinished: after ${drainWithinMs / 1_000} s there is ${JSON.stringify(rows)}`]
    }
    await sleep(250)
  }
}

/** Whatever still runs must end well when it is asked to. */
async function stopInOrder({ processes }: World, struck: ReadonlySet<ServiceProcess>): Promise<string[]> {
  const running = processes.filter(({ child }) => child.exitCode === null && child.signalCode === null)
  const codes = await Promise.all(running.map((one) => one.stop()))
  const crashed = processes.filter(({ child }) => child.exitCode !== 0 && child.exitCode !== null)
  return [
    ...codes.filter((code) => code !== 0).map((code) => `bad end: a process ended with ${code}`),
    ...crashed
      .filter((one) => !struck.has(one))
      .map(({ child }) => `crashed: ${child.spawnargs.at(-1)} ended with ${child.exitCode}`),
  ]
}

async function gatherEvidence(world: World): Promise<string[]> {
  const fromProcesses = world.processes.flatMap(({ child, output }) => {
    const lines = output().split('\n')
    const telling = lines.filter(
      (line) => /"level":(40|50|60|"warn"|"error"|"fatal")/.test(line) || !line.startsWith('{'),
    )
    return telling
      .filter(Boolean)
      .slice(-6)
      .map((line) => `${child.spawnargs.at(-1)} ${child.pid}: ${line.slice(0, 600)}`)
  })
  const postgres = await world.postgresLog().catch(() => '')
  const fromPostgres = postgres
    .split('\n')
    .filter(Boolean)
    .slice(-15)
    .map((line) => `postgres: ${line.slice(0, 300)}`)
  const refusals = [...world.producer.refusals].map(
    ([status, count]) => `intake answered ${status} ${count} times`,
  )
  return [...refusals, ...fromProcesses, ...fromPostgres]
}
