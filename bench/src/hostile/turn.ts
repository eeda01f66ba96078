/** One turn: the healthy load in an installation of its own, with the hostile tenant or without. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import type { Services } from '../../../dev/services.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { createHealthy, type SteadyResult } from '../isolation/healthy.ts'
import type { Kind } from '../isolation/turn.ts'
import { addSpread, type Complaints, createWorld, type World } from '../isolation/world.ts'
import type { LoadResult } from '../load.ts'
import type { Undo } from '../undo.ts'
import { type HealthyAccount, probeApi } from './api-probes.ts'
import { startMailSink } from './mail-sink.ts'
import { type MemoryOfProcess, nameOf, watchMemory } from './memory.ts'
import { type HostileResult, startHostile } from './start-hostile.ts'

export interface TurnOptions {
  services: Services
  workers: number
  withNats: boolean
  seconds: number
  warmUpSeconds: number
  /** How long the last healthy events may take before they are counted as missing. */
  graceSeconds: number
  accounts: number
  ratePerSecond: number
  hostileHooks: number
  activities: readonly string[]
  undo: Undo
}

export interface TurnResult {
  kind: Kind
  steady: SteadyResult
  api: LoadResult
  memory: readonly MemoryOfProcess[]
  /** Processes that ended, and how. */
  ended: string[]
  complaints: Complaints
  hostile?: HostileResult
}

const memoryEveryMs = 2_000
/** Accounts whose API calls are timed; the others only receive. */
const probedAccounts = 20

export async function runTurn(kind: Kind, options: TurnOptions): Promise<TurnResult> {
  try {
    return await play(kind, options)
  } finally {
    await options.undo.all()
  }
}

async function play(kind: Kind, options: TurnOptions): Promise<TurnResult> {
  const { seconds, warmUpSeconds, graceSeconds, ratePerSecond, undo } = options
  const mail = await startMailSink()
  undo.push(mail.close)
  const world = await createWorld({
    ...options,
    env: {
      HOOKS_PER_ACCOUNT: String(options.hostileHooks + 100),
      HOOK_CHANGES_PER_MINUTE: String(options.hostileHooks + 600),
      TRUSTED_PROXIES: '127.0.0.1',
      SELF_REGISTRATION: 'true',
      SMTP_URL: mail.url,
      MAIL_FROM: 'Hookline <hookline@example.com>',
    },
  })
  const receivers = world.startReceivers()
  const hosts = await receivers.listen('127.0.10.1', options.accounts)
  const accounts = await addSpread(world, hosts, options.accounts)
  const probed = await addKeys(world, accounts.slice(0, probedAccounts))
  const intake = await world.start()
  const healthy = createHealthy(receivers, accounts, intake, graceSeconds * 1_000)
  await healthy.steady(ratePerSecond, warmUpSeconds)
  const hostile = kind === 'with' ? await startHostile(world, intake, options) : undefined
  await world.client.query('CHECKPOINT')

  const ending = new AbortController()
  const ended = watchEnds(world.processes, ending)
  const memory = watchMemory(world.processes, memoryEveryMs)
  await hostile?.start()
  const [steady, api] = await Promise.all([
    healthy.steady(ratePerSecond, seconds, ending.signal),
    probeApi(intake.apiUrl, probed, seconds),
  ])
  memory.stop()
  const seen = await hostile?.stop()
  return {
    kind,
    steady,
    api,
    memory: memory.memory,
    // Those that end with the turn do not count.
    ended: [...ended],
    complaints: world.complaints(),
    ...(seen && { hostile: seen }),
  }
}

/** Collects processes that end; the first one ends the turn, since nothing after it is worth measuring. */
function watchEnds(processes: readonly ServiceProcess[], ending: AbortController): string[] {
  const ended: string[] = []
  for (const one of processes)
    one.child.once('exit', (code, signal) => {
      const said =
        one
          .output()
          .split('\n')
          .findLast((line) => /FATAL|fatal|Error/.test(line)) ?? ''
      ended.push(`${nameOf(one)} ended with ${signal ?? code}: ${said.slice(0, 200)}`)
      void sleep(1_000).then(() => ending.abort())
    })
  return ended
}

async function addKeys({ db, vault }: World, ids: readonly number[]): Promise<HealthyAccount[]> {
  const accounts: HealthyAccount[] = []
  for (const id of ids) {
    const { key } = await createKey(db, vault, 'operator', { accountId: id, name: 'probe', scopes: ['all'] })
    accounts.push({ id, key })
  }
  return accounts
}
