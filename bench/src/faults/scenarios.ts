/** Fault scenarios: each injects a fault and returns the duplicates that the fault allows. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { boundary } from './boundary.ts'
import { failover } from './failover.ts'
import { handOffScenarios } from './hand-off.ts'
import type { Fault } from './verify.ts'
import type { Scenario, ScenarioContext } from './scenario.ts'
import { staleWorker } from './stale-worker.ts'
import { inTransitMs, waitFor, waitUntilBlocking } from '../support/wait-for.ts'
import type { Environment } from './environment.ts'

const workerKilled: Scenario = {
  name: 'worker-killed',
  description: 'kill -9 of two workers with requests in flight, one after the other',
  workersAtStart: 3,
  async injectFault({ environment, workers }) {
    const faults: Fault[] = []
    const killedWorkers = workers.slice(0, 2)
    for (const { child } of killedWorkers) {
      await waitForInFlight(environment)
      const from = Date.now()
      child.kill('SIGKILL')
      faults.push({ from, until: from + inTransitMs })
      await environment.startWorker()
    }
    return {
      faults,
      affected: killedWorkers,
      notes: [],
      check: (_client, { duplicates }) =>
        duplicates === 0 ? ['proved nothing: the killed workers had nothing in flight'] : [],
    }
  },
}

const apiKilled: Scenario = {
  name: 'api-killed',
  description: 'kill -9 of the api while it commits, twice; restarted on the same ports',
  workersAtStart: 3,
  async injectFault({ environment, api }) {
    const client = await environment.connect()
    const apis = [api]
    let unacknowledged = 0
    for (let time = 1; time <= 2; time++) {
      await killWhileCommitting(client, () => apis.at(-1)?.child.kill('SIGKILL'))
      // The blocked statement continues without its api and commits events that are never acknowledged.
      await waitFor(
        'a commit without a response',
        async () => (await countUnacknowledged(environment, client)) > 0,
      )
      unacknowledged += await countUnacknowledged(environment, client)
      apis.push(await environment.startApi())
      await sleep(1_500)
    }
    return {
      faults: [],
      affected: [],
      notes: [`${unacknowledged} events committed without a response`],
      check: () => listRejections(environment),
    }
  },
}

/** Blocks the intake's commit with a lock, kills the process, and releases the lock. */
async function killWhileCommitting(client: Client, kill: () => unknown): Promise<void> {
  await client.query('BEGIN; LOCK TABLE event_keys IN SHARE MODE')
  await waitUntilBlocking(client)
  kill()
  await client.query('COMMIT')
}

async function countUnacknowledged({ producer }: Environment, client: Client): Promise<number> {
  const acknowledged = new Set(producer.acknowledged.map(({ id }) => id))
  const { rows } = await client.query<{ id: string }>('SELECT id FROM events')
  return rows.filter(({ id }) => !acknowledged.has(id)).length
}

const postgresKilled: Scenario = {
  name: 'postgres-killed',
  description: 'kill -9 of PostgreSQL, postmaster and children, twice; restarted',
  workersAtStart: 3,
  async injectFault({ environment, workers, api }) {
    const faults: Fault[] = []
    for (let time = 1; time <= 2; time++) {
      await waitForInFlight(environment)
      const from = Date.now()
      await environment.killPostgres()
      await sleep(1_000)
      await environment.startPostgres()
      faults.push({ from, until: Date.now() })
      await sleep(3_000)
    }
    return { faults, affected: [...workers, api], notes: [] }
  },
}

const postgresStopped: Scenario = {
  name: 'postgres-stopped',
  description: 'PostgreSQL stopped for a while',
  workersAtStart: 3,
  async injectFault({ environment, workers, api, seconds }) {
    await waitForInFlight(environment)
    const from = Date.now()
    const inFlight = environment.receivers.inFlight()
    await environment.postgres.stop()
    const stoppedAt = Date.now()
    await sleep(seconds * 1_000)
    const startedAt = Date.now()
    await environment.startPostgres()
    return {
      faults: [{ from, until: Date.now() }],
      affected: [...workers, api],
      notes: [`down for ${seconds} s`, `${inFlight} in flight at the stop`],
      check: () => findSentBetween(environment, stoppedAt + inTransitMs, startedAt),
    }
  },
}

/** Finds requests sent in the interval. Workers commit before they send, so they send nothing without PostgreSQL. */
function findSentBetween({ receivers }: Environment, from: number, to: number): string[] {
  const sent = receivers.received.filter(({ at }) => at > from && at < to)
  return sent.length === 0 ? [] : [`sent without a commit: ${sent.length} while PostgreSQL was down`]
}

const rollingRestart: Scenario = {
  name: 'rolling-restart',
  description: 'SIGTERM of each worker and the api in turn, each replaced',
  workersAtStart: 3,
  async injectFault({ environment, workers, api }: ScenarioContext) {
    const stops: string[] = []
    const stop = async (name: string, { stop: end }: ServiceProcess): Promise<void> => {
      const startedAt = performance.now()
      const code = await end()
      stops.push(
        `${name} exited with code ${code} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
      )
    }
    for (const worker of workers) {
      await stop('worker', worker)
      await environment.startWorker()
    }
    await stop('api', api)
    await environment.startApi()
    return {
      faults: [],
      affected: [],
      notes: stops,
      check: () => listRejections(environment),
    }
  },
}

/** Returns the rejected calls. A connection may fail, but an api that responds must accept. */
function listRejections({ producer }: Environment): string[] {
  return [...producer.rejections].map(
    ([status, count]) => `rejected: intake responded ${status} ${count} times`,
  )
}

async function waitForInFlight({ receivers }: Environment): Promise<void> {
  await waitFor('requests in flight', () => receivers.inFlight() >= 12)
}

export const scenarios: readonly Scenario[] = [
  ...handOffScenarios,
  workerKilled,
  staleWorker,
  postgresStopped,
  postgresKilled,
  failover,
  apiKilled,
  rollingRestart,
  boundary,
]
