/**
 * Runs one scenario: creates an environment, generates load, injects a fault, waits for recovery and an empty queue,
 * stops all processes gracefully, and compares the observations.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { readObservations, readRemaining } from './read-observations.ts'
import { type Fault, verify, type Verdict } from './verify.ts'
import { createEnvironment, type Environment, type LinkedProcess } from './environment.ts'

export interface Scenario {
  name: string
  description: string
  workersAtStart: number
  /** If it differs from the default. */
  eventsPerSecond?: number
  injectFault: (stage: ScenarioContext) => Promise<FaultResult>
}

export interface ScenarioContext {
  environment: Environment
  api: LinkedProcess
  workers: LinkedProcess[]
  /** Duration of an outage. */
  seconds: number
  /** Fewer repetitions, for CI. */
  isShort: boolean
}

interface FaultResult {
  /** Deliveries in flight during these faults may be duplicated. */
  faults: Fault[]
  /** Processes that were killed or paused. No other process may send a delivery twice. */
  affected: ServiceProcess[]
  /** Events that the scenario inserted into the database. */
  inserted?: Array<{ id: string; key: string }>
  /** Deliveries, by `deliveryName`, that a receiver failed once on purpose. */
  retried?: readonly string[]
  /** Details for the report. */
  notes: string[]
  /** Additional check, run after the queue is drained. Returns violations. */
  check?: (client: Client, verdict: Verdict) => Promise<string[]> | string[]
}

export interface ScenarioReport extends Verdict {
  notes: string[]
  /** Log lines that help to understand a failure. */
  diagnostics: string[]
}

const warmUpMs = 2_000
const recoveryMs = 3_000
const acceptTimeoutMs = 30_000
/** Leases last 30 s. Deliveries of a killed worker are retried after that. */
const drainTimeoutMs = 60_000

export async function runScenario(
  scenario: Scenario,
  { seconds, isShort }: Pick<ScenarioContext, 'seconds' | 'isShort'>,
  addCleanup: (close: () => Promise<void>) => void,
): Promise<ScenarioReport> {
  const environment = await createEnvironment(addCleanup, scenario.eventsPerSecond)
  try {
    return await execute(scenario, { seconds, isShort }, environment)
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const emptyReport = { accepted: 0, delivered: 0, duplicates: 0, maxGapMs: 0, notes: [] }
    return {
      ...emptyReport,
      violations: [`aborted: ${text}`],
      diagnostics: await collectDiagnostics(environment),
    }
  } finally {
    await environment.close()
  }
}

async function execute(
  scenario: Scenario,
  length: Pick<ScenarioContext, 'seconds' | 'isShort'>,
  environment: Environment,
): Promise<ScenarioReport> {
  const api = await environment.startApi()
  const workers = await Promise.all(
    Array.from({ length: scenario.workersAtStart }, () => environment.startWorker()),
  )
  environment.producer.start()
  await sleep(warmUpMs)
  const fault = await scenario.injectFault({ environment, api, workers, ...length })
  await sleep(recoveryMs)
  await environment.producer.finish(acceptTimeoutMs)

  const client = await environment.connect()
  const unfinished = await drain(client)
  const failedStops = await stopInOrder(environment, new Set(fault.affected))
  const observations = await readObservations(
    environment,
    client,
    new Set(fault.affected),
    fault.inserted ?? [],
  )
  const verdict = verify(observations, fault)
  const violations = [
    ...verdict.violations,
    ...unfinished,
    ...failedStops,
    ...((await fault.check?.(client, verdict)) ?? []),
  ]
  const resubmitted = `${environment.producer.resubmitted.size} events resubmitted`
  return {
    ...verdict,
    violations,
    notes: [...fault.notes, resubmitted],
    diagnostics: violations.length > 0 ? await collectDiagnostics(environment) : [],
  }
}

async function drain(client: Client): Promise<string[]> {
  const endsAt = performance.now() + drainTimeoutMs
  for (;;) {
    const { inbox, work } = await readRemaining(client)
    if (inbox === 0 && work === 0) return []
    if (performance.now() > endsAt) {
      const { rows } = await client.query<object>('SELECT *, now() FROM work ORDER BY due_at LIMIT 3')
      return [`unfinished: after ${drainTimeoutMs / 1_000} s the queue still has ${JSON.stringify(rows)}`]
    }
    await sleep(250)
  }
}

/** Stops all running processes with SIGTERM. Each must exit with code 0. */
async function stopInOrder(
  { processes }: Environment,
  affected: ReadonlySet<ServiceProcess>,
): Promise<string[]> {
  const running = processes.filter(({ child }) => child.exitCode === null && child.signalCode === null)
  const codes = await Promise.all(running.map((one) => one.stop()))
  const crashed = processes.filter(({ child }) => child.exitCode !== 0 && child.exitCode !== null)
  return [
    ...codes.filter((code) => code !== 0).map((code) => `failed stop: a process exited with code ${code}`),
    ...crashed
      .filter((one) => !affected.has(one))
      .map(({ child }) => `crashed: ${child.spawnargs.at(-1)} exited with code ${child.exitCode}`),
  ]
}

async function collectDiagnostics(environment: Environment): Promise<string[]> {
  const fromProcesses = environment.processes.flatMap(({ child, output }) => {
    const lines = output().split('\n')
    const relevant = lines.filter(
      (line) => /"level":(40|50|60|"warn"|"error"|"fatal")/.test(line) || !line.startsWith('{'),
    )
    return relevant
      .filter(Boolean)
      .slice(-6)
      .map((line) => `${child.spawnargs.at(-1)} ${child.pid}: ${line.slice(0, 600)}`)
  })
  const postgres = await environment.postgresLog().catch(() => '')
  const fromPostgres = postgres
    .split('\n')
    .filter(Boolean)
    .slice(-15)
    .map((line) => `postgres: ${line.slice(0, 300)}`)
  const rejections = [...environment.producer.rejections].map(
    ([status, count]) => `intake responded ${status} ${count} times`,
  )
  return [...rejections, ...fromProcesses, ...fromPostgres]
}
