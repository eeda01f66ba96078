/**
 * `npm run bench -- ledger`: measures every kind of search on a full ledger, for the account with 30% of the events and
 * for a median account; cold, warm, and under load. Uses a dedicated PostgreSQL.
 * Cold means after a restart of PostgreSQL, with empty shared buffers. With --drop-caches (Linux, as root) the page
 * cache is empty too, so everything is read from disk.
 */
import { open, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { startLoad } from '../support/event-load.ts'
import { createCleanup, type Cleanup } from '../support/cleanup.ts'
import { accounts } from './seed.ts'
import type { Kind } from './kinds.ts'
import { measure, type Measured, report, time } from './measure.ts'
import { createEnvironment, run, startApi, type Environment } from './environment.ts'

export async function ledgerBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      deliveries: { type: 'string', default: '1000000' },
      rate: { type: 'string', default: '300' },
      calls: { type: 'string', default: '40' },
      restarts: { type: 'string', default: '20' },
      folder: { type: 'string' },
      plans: { type: 'boolean', default: false },
      'drop-caches': { type: 'boolean', default: false },
    },
  })
  const cleanup = createCleanup()
  try {
    const ledgerSize = { deliveries: Number(values.deliveries), calls: Number(values.calls) }
    const environment = await createEnvironment(ledgerSize, values.folder, cleanup)
    const cold = { restarts: Number(values.restarts), dropCaches: values['drop-caches'] }
    await measureCold(environment, cold, cleanup)
    const api = await startApi(environment, cleanup)
    await measureAll(environment, api.url, 'warm')
    await measureUnderLoad(environment, api, Number(values.rate), cleanup)
    if (values.plans) await printPlans(environment, cleanup)
  } finally {
    await cleanup.run()
  }
}

/** Makes one call of each kind after each restart, so that no call benefits from another of its kind. */
async function measureCold(
  environment: Environment,
  { restarts, dropCaches }: { restarts: number; dropCaches: boolean },
  cleanup: Cleanup,
): Promise<void> {
  const measured = new Map<Kind, Measured>()
  for (let restart = 0; restart < restarts; restart++) {
    await environment.postgres.stop()
    if (dropCaches) await writeFile('/proc/sys/vm/drop_caches', '3')
    await environment.postgres.start()
    const api = await startApi(environment, cleanup)
    for (const account of environment.testAccounts) {
      // Connects and authenticates first, because neither is measured.
      await fetch(`${api.url}/api/hooks`, { headers: { 'x-api-key': account.key } })
      for (const kind of account.kinds.toSorted(() => Math.random() - 0.5)) {
        const entry = measured.get(kind) ?? { name: kind.name, times: [], complete: 0 }
        measured.set(kind, entry)
        const path = kind.paths[restart]
        // A small ledger may have fewer values.
        if (path !== undefined) await time({ url: api.url, key: account.key }, path, entry)
      }
    }
    await api.stop()
  }
  for (const account of environment.testAccounts)
    report(
      `cold, ${account.name}`,
      account.kinds.flatMap((kind) => measured.get(kind) ?? []),
    )
}

async function measureAll(environment: Environment, url: string, title: string): Promise<void> {
  for (const account of environment.testAccounts) {
    const rows: Measured[] = []
    for (const kind of account.kinds) {
      const call = { url, key: account.key }
      if (title === 'warm') await measure(call, kind)
      rows.push(await measure(call, kind))
    }
    report(`${title}, ${account.name}`, rows)
  }
}

async function measureUnderLoad(
  environment: Environment,
  api: ServiceProcess,
  rate: number,
  cleanup: Cleanup,
): Promise<void> {
  const worker = await startProcess(environment.env, 'worker')
  cleanup.push(() => worker.stop())
  const ids = Array.from({ length: accounts }, (_, index) => index + 1)
  const load = startLoad({ url: api.internalUrl, key: environment.producerKey }, ids, rate)
  await sleep(5_000)
  const before = load.accepted.length
  const startedAt = performance.now()
  await measureAll(environment, api.url, `with ${rate} deliveries/s`)
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`\n${((load.accepted.length - before) / seconds).toFixed(0)} events/s were accepted meanwhile`)
  await load.stop()
  await worker.stop()
}

/** Prints the plan of every statement of one call of each kind, with auto_explain. */
async function printPlans(environment: Environment, cleanup: Cleanup): Promise<void> {
  const database = environment.url.pathname.slice(1)
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
  }
  // Sets them per database, because the server rejects settings of a library that is not loaded.
  await run(
    environment.url.href,
    Object.entries(settings).map(([name, value]) => `ALTER DATABASE ${database} SET ${name} = '${value}'`),
  )
  // Resets them, because a persistent ledger is measured again.
  cleanup.push(() =>
    run(
      environment.url.href,
      Object.keys(settings).map((name) => `ALTER DATABASE ${database} RESET ${name}`),
    ),
  )
  const api = await startApi(environment, cleanup)
  const [account] = environment.testAccounts
  if (account === undefined) return
  const log = await open(await environment.postgres.logFile())
  cleanup.push(() => log.close())
  for (const kind of account.kinds) {
    const { size } = await log.stat()
    await measure({ url: api.url, key: account.key }, { ...kind, paths: kind.paths.slice(0, 1) })
    await sleep(200)
    const written = Buffer.alloc((await log.stat()).size - size)
    await log.read(written, 0, written.length, size)
    console.log(`\n=== ${kind.name}: ${kind.paths[0]}\n${written.toString()}`)
  }
}
