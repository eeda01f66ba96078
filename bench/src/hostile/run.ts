/** Runs the healthy load in a dedicated installation, with or without the hostile tenant. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import type { Services } from '../../../dev/services.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { createHealthy, type SteadyResult } from '../isolation/healthy.ts'
import type { Kind } from '../isolation/run.ts'
import {
  addAccounts,
  type LoggedProblems,
  createEnvironment,
  type Environment,
} from '../isolation/environment.ts'
import type { LoadResult } from '../support/load.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { type HealthyAccount, probeApi } from './api-probes.ts'
import { startMailSink } from './mail-sink.ts'
import { type MemoryOfProcess, nameOf, watchMemory } from './memory.ts'
import { type HostileResult, startHostile } from './start-hostile.ts'

export interface RunOptions {
  services: Services
  workers: number
  withNats: boolean
  seconds: number
  warmUpSeconds: number
  /** Time after which healthy events that have not arrived count as missing. */
  graceSeconds: number
  accounts: number
  ratePerSecond: number
  hostileHooks: number
  activities: readonly string[]
  /** Fraction of the rate of each activity. */
  intensity: number
  cleanup: Cleanup
}

export interface RunResult {
  kind: Kind
  steady: SteadyResult
  api: LoadResult
  memory: readonly MemoryOfProcess[]
  /** Processes that exited during the run, with exit code or signal. */
  exited: string[]
  loggedProblems: LoggedProblems
  hostile?: HostileResult
}

export type Runs = Record<Kind, RunResult>

const memoryIntervalMs = 2_000
/** Number of accounts whose API calls are timed. The others only receive events. */
const probedAccounts = 20

export async function runOnce(kind: Kind, options: RunOptions): Promise<RunResult> {
  try {
    return await execute(kind, options)
  } finally {
    await options.cleanup.run()
  }
}

async function execute(kind: Kind, options: RunOptions): Promise<RunResult> {
  const { seconds, warmUpSeconds, graceSeconds, ratePerSecond, cleanup } = options
  const mail = await startMailSink()
  cleanup.push(mail.close)
  const environment = await createEnvironment({
    ...options,
    hasSeparateIntake: true,
    env: {
      HOOKS_PER_ACCOUNT: String(options.hostileHooks + 100),
      HOOK_CHANGES_PER_MINUTE: String(options.hostileHooks + 600),
      TRUSTED_PROXIES: '127.0.0.1',
      SELF_REGISTRATION: 'true',
      SMTP_URL: mail.url,
      MAIL_FROM: 'Hookline <hookline@example.com>',
    },
  })
  const receivers = environment.startReceivers()
  const hosts = await receivers.listen('127.0.10.1', options.accounts)
  const accounts = await addAccounts(environment, hosts, options.accounts)
  const probed = await addKeys(environment, accounts.slice(0, probedAccounts))
  const intake = await environment.start()
  const healthy = createHealthy(receivers, accounts, intake, graceSeconds * 1_000)
  await healthy.steady(ratePerSecond, warmUpSeconds)
  const hostile = kind === 'with' ? await startHostile(environment, intake, options) : undefined
  await environment.client.query('CHECKPOINT')

  const exitSignal = new AbortController()
  const exited = watchExits(environment.processes, exitSignal)
  const memory = watchMemory(environment.processes, memoryIntervalMs)
  await hostile?.start()
  const [steady, api] = await Promise.all([
    healthy.steady(ratePerSecond, seconds, exitSignal.signal),
    probeApi(intake.apiUrl, probed, seconds),
  ])
  memory.stop()
  const tenantResult = await hostile?.stop()
  return {
    kind,
    steady,
    api,
    memory: memory.memory,
    // Copies the list: processes that exit after the run do not count.
    exited: [...exited],
    loggedProblems: environment.loggedProblems(),
    ...(tenantResult && { hostile: tenantResult }),
  }
}

/** Collects processes that exit. The first exit aborts the run, because later measurements are meaningless. */
function watchExits(processes: readonly ServiceProcess[], exitSignal: AbortController): string[] {
  const exited: string[] = []
  for (const service of processes)
    service.child.once('exit', (code, signal) => {
      const errorLine =
        service
          .output()
          .split('\n')
          .findLast((line) => /FATAL|fatal|Error/.test(line)) ?? ''
      exited.push(`${nameOf(service)} exited with ${signal ?? code}: ${errorLine.slice(0, 200)}`)
      void sleep(1_000).then(() => exitSignal.abort())
    })
  return exited
}

async function addKeys({ db, vault }: Environment, ids: readonly number[]): Promise<HealthyAccount[]> {
  const accounts: HealthyAccount[] = []
  for (const id of ids) {
    const { key } = await createKey(db, vault, 'operator', { accountId: id, name: 'probe', scopes: ['all'] })
    accounts.push({ id, key })
  }
  return accounts
}
