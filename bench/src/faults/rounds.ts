/** The faults, each with what is done and what is excused by it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { boundary } from './boundary.ts'
import type { Fault } from './judge.ts'
import type { Round, Stage } from './round.ts'
import { staleWorker } from './stale-worker.ts'
import { onTheWayMs, until, untilBlocks } from './wait.ts'
import type { World } from './world.ts'

const workerKilled: Round = {
  name: 'worker-killed',
  what: 'kill -9 of two workers in mid-flight, one after the other',
  workersAtStart: 3,
  async strike({ world, workers }) {
    const faults: Fault[] = []
    const victims = workers.slice(0, 2)
    for (const { child } of victims) {
      await untilInFlight(world)
      const from = Date.now()
      child.kill('SIGKILL')
      faults.push({ from, until: from + onTheWayMs })
      await world.startWorker()
    }
    return {
      faults,
      struck: victims,
      notes: [],
      check: (_client, { duplicates }) =>
        duplicates === 0 ? ['proved nothing: the killed workers had nothing in flight'] : [],
    }
  },
}

const apiKilled: Round = {
  name: 'api-killed',
  what: 'kill -9 of the api while it commits, twice; restarted on the same ports',
  workersAtStart: 3,
  async strike({ world, api }) {
    const client = await world.connect()
    const struck = [api]
    let unanswered = 0
    for (let time = 1; time <= 2; time++) {
      await killWhileCommitting(client, () => struck.at(-1)?.child.kill('SIGKILL'))
      // The statement that was waiting goes on without its api, and commits what nobody will be told of.
      await until('the commit without an answer', async () => (await countUnanswered(world, client)) > 0)
      unanswered += await countUnanswered(world, client)
      struck.push(await world.startApi())
      await sleep(1_500)
    }
    return {
      faults: [],
      struck: [],
      notes: [`${unanswered} events committed and not answered`],
      check: () => refusalsOf(world),
    }
  },
}

/** Holds up the intake's commit with a lock, kills, lets go. */
async function killWhileCommitting(client: Client, kill: () => unknown): Promise<void> {
  await client.query('BEGIN; LOCK TABLE event_keys IN SHARE MODE')
  await untilBlocks(client)
  kill()
  await client.query('COMMIT')
}

async function countUnanswered({ producer }: World, client: Client): Promise<number> {
  const known = new Set(producer.acknowledged.map(({ id }) => id))
  const { rows } = await client.query<{ id: string }>('SELECT id FROM events')
  return rows.filter(({ id }) => !known.has(id)).length
}

const postgresKilled: Round = {
  name: 'postgres-killed',
  what: 'kill -9 of PostgreSQL, postmaster and children, twice; started again',
  workersAtStart: 3,
  async strike({ world, workers, api }) {
    const faults: Fault[] = []
    for (let time = 1; time <= 2; time++) {
      await untilInFlight(world)
      const from = Date.now()
      await world.killPostgres()
      await sleep(1_000)
      await world.startPostgres()
      faults.push({ from, until: Date.now() })
      await sleep(3_000)
    }
    return { faults, struck: [...workers, api], notes: [] }
  },
}

const postgresStopped: Round = {
  name: 'postgres-stopped',
  what: 'PostgreSQL stopped for a while',
  workersAtStart: 3,
  async strike({ world, workers, api, seconds }) {
    await untilInFlight(world)
    const from = Date.now()
    const inFlight = world.receivers.inFlight()
    await world.postgres.stop()
    const stoppedAt = Date.now()
    await sleep(seconds * 1_000)
    const startedAt = Date.now()
    await world.startPostgres()
    return {
      faults: [{ from, until: Date.now() }],
      struck: [...workers, api],
      notes: [`away for ${seconds} s`, `${inFlight} in flight when it stopped`],
      check: () => sentBetween(world, stoppedAt + onTheWayMs, startedAt),
    }
  },
}

/** Nothing is sent before the commit that says it will be: without PostgreSQL, nothing at all. */
function sentBetween({ receivers }: World, from: number, to: number): string[] {
  const sent = receivers.received.filter(({ at }) => at > from && at < to)
  return sent.length === 0 ? [] : [`sent without a commit: ${sent.length} while PostgreSQL was away`]
}

const rollingRestart: Round = {
  name: 'rolling-restart',
  what: 'SIGTERM of each worker and the api in turn, each replaced',
  workersAtStart: 3,
  async strike({ world, workers, api }: Stage) {
    const ends: string[] = []
    const stop = async (name: string, { stop: end }: ServiceProcess): Promise<void> => {
      const startedAt = performance.now()
      const code = await end()
      ends.push(`${name} ended with ${code} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
    }
    for (const worker of workers) {
      await stop('worker', worker)
      await world.startWorker()
    }
    await stop('api', api)
    await world.startApi()
    return {
      faults: [],
      struck: [],
      notes: ends,
      check: () => refusalsOf(world),
    }
  },
}

/** A call may find nobody there; an api that answers must not refuse. */
function refusalsOf({ producer }: World): string[] {
  return [...producer.refusals].map(([status, count]) => `refused: intake answered ${status} ${count} times`)
}

async function untilInFlight({ receivers }: World): Promise<void> {
  await until('requests in flight', () => receivers.inFlight() >= 12)
}

export const rounds: readonly Round[] = [
  workerKilled,
  staleWorker,
  postgresStopped,
  postgresKilled,
  apiKilled,
  rollingRestart,
  boundary,
]
