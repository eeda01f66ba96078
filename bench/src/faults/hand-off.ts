/**
 * Faults of the hand-off from an api process to a worker: kills on both sides of it, messages that are lost or late, and
 * hooks that change all the time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { inTransitMs, waitFor } from '../support/wait-for.ts'
import type { Environment, LinkedProcess } from './environment.ts'
import type { Passage } from './nats-proxy.ts'
import type { Scenario } from './scenario.ts'
import type { Fault } from './verify.ts'

/** The proof and CI, which only checks that it still works. */
const kills = { full: 20, short: 4 }
const handOffTimeoutMs = 30_000
/** After this, the next worker has taken over what the killed one had. */
const betweenKillsMs = 1_500

const apiKilledAtHandOff: Scenario = {
  name: 'api-killed-at-hand-off',
  description: 'kill -9 of the api after a commit, before its hand-off, again and again',
  workersAtStart: 2,
  async injectFault({ environment, api, isShort }) {
    const apis: LinkedProcess[] = [api]
    for (let time = 0; time < numberOf(kills, isShort); time++) {
      await killAtHandOff(apis.at(-1) ?? api)
      apis.push(await environment.startApi())
      await sleep(betweenKillsMs)
    }
    return {
      faults: [],
      affected: apis.slice(0, -1),
      notes: [`${apis.length - 1} kills`],
      check: () => handOffs(environment),
    }
  },
}

const workerKilledAtHandOff: Scenario = {
  name: 'worker-killed-at-hand-off',
  description: 'kill -9 of a worker that receives a hand-off, before it sends, again and again',
  workersAtStart: 3,
  async injectFault({ environment, workers, isShort }) {
    const faults: Fault[] = []
    const killed: ServiceProcess[] = []
    const running = [...workers]
    for (let time = 0; time < numberOf(kills, isShort); time++) {
      const victim = running.shift()
      if (victim === undefined) break
      await killAtHandOff(victim)
      // What it had sent before may be in flight.
      faults.push({ from: Date.now() - inTransitMs, until: Date.now() + inTransitMs })
      killed.push(victim)
      running.push(await environment.startWorker())
      await sleep(betweenKillsMs)
    }
    return { faults, affected: killed, notes: [`${killed.length} kills`], check: () => handOffs(environment) }
  },
}

/** Kills the process at its next hand-off, which is lost. */
async function killAtHandOff({ child, nats }: LinkedProcess): Promise<void> {
  let isKilled = false
  nats.intercept(() => {
    child.kill('SIGKILL')
    isKilled = true
    return 'drop'
  })
  await waitFor('a hand-off', () => isKilled, handOffTimeoutMs)
}

const seconds = { full: 20, short: 6 }

/** Applies a fault to the hand-offs of the api for some seconds. No delivery may be lost or sent twice. */
function disturbed(
  name: string,
  description: string,
  onHandOff: (count: number) => Passage | Promise<Passage>,
): Scenario {
  return {
    name,
    description,
    workersAtStart: 3,
    async injectFault({ environment, api, isShort }) {
      let count = 0
      api.nats.intercept(() => onHandOff(count++))
      await sleep(numberOf(seconds, isShort) * 1_000)
      api.nats.intercept(undefined)
      return {
        faults: [],
        affected: [],
        notes: [`${count} hand-offs disturbed`],
        check: () => [
          ...(count === 0 ? ['proved nothing: no hand-off was disturbed'] : []),
          ...handOffs(environment),
        ],
      }
    },
  }
}

const handOffsLost = disturbed('hand-offs-lost', 'every third hand-off is lost', (count) =>
  count % 3 === 0 ? 'drop' : 'pass',
)
const handOffsCut = disturbed(
  'hand-offs-cut',
  'the connection to NATS closes during every fifth hand-off',
  (count) => (count % 5 === 0 ? 'cut' : 'pass'),
)
/** Longer than a worker waits before it gives up a hand-off. */
const lateMs = 3_000
const handOffsLate = disturbed(
  'hand-offs-late',
  'every tenth hand-off, and all behind it, arrive after they were given up',
  async (count) => {
    if (count % 10 === 0) await sleep(lateMs)
    return 'pass' as const
  },
)

const changesPerSecond = 1_000
const changeBatch = 20

const hooksChanging: Scenario = {
  name: 'hooks-changing',
  description: `the version of an account's hooks changes ${changesPerSecond} times per second`,
  workersAtStart: 3,
  eventsPerSecond: 300,
  async injectFault({ environment, isShort }) {
    const client = await environment.connect()
    // The rate matters here, not that each change is on disk.
    await client.query('SET synchronous_commit = off')
    const accounts = [...environment.hooksByAccount.keys()]
    const endsAt = performance.now() + numberOf(seconds, isShort) * 1_000
    const startedAt = performance.now()
    let changes = 0
    while (performance.now() < endsAt) {
      // Each change is a commit of its own.
      const changed = Array.from({ length: changeBatch }, () => accounts[changes++ % accounts.length])
      await client.query(`DO $$ DECLARE changed integer; BEGIN
        FOREACH changed IN ARRAY ARRAY[${changed.join(',')}] LOOP
          UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = changed;
          COMMIT;
        END LOOP; END $$`)
      await sleep(Math.max(0, startedAt + (changes / changesPerSecond) * 1_000 - performance.now()))
    }
    const perSecond = Math.round(changes / ((performance.now() - startedAt) / 1_000))
    return {
      faults: [],
      affected: [],
      notes: [`${changes} changes, ${perSecond}/s`],
      check: () => handOffs(environment),
    }
  },
}

/** Checks that events were handed off. Otherwise the scenario has proved nothing about hand-offs. */
function handOffs({ readHandedOff }: Environment): string[] {
  const count = readHandedOff()
  return count === 0 ? ['proved nothing: no event was handed off'] : []
}

function numberOf(numbers: { full: number; short: number }, isShort: boolean): number {
  return isShort ? numbers.short : numbers.full
}

export const handOffScenarios: readonly Scenario[] = [
  apiKilledAtHandOff,
  workerKilledAtHandOff,
  handOffsLost,
  handOffsCut,
  handOffsLate,
  hooksChanging,
]
