/**
 * `npm run prove -- hostile-tenant`: one account uses everything that it may in the most expensive way. Healthy
 * accounts must not be affected. Runs the same load without and with the tenant, each in a fresh installation.
 */
import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import { startServices } from '../../../dev/services.ts'
import { percentilesOf } from '../isolation/latency-stats.ts'
import { createCleanup } from '../support/cleanup.ts'
import { activities } from './activities.ts'
import { verifyHostile } from './verify.ts'
import { printReport } from './report.ts'
import { runOnce, type RunOptions, type RunResult } from './run.ts'

const workers = 2

export async function proveHostileTenant(args: string[]): Promise<void> {
  const { isSmoke, ...runOptions } = readOptions(args)
  const services = await startServices(() => {})
  // Each started process adds an exit listener that kills it.
  setMaxListeners(0, process)
  const options: RunOptions = { ...runOptions, services, cleanup: createCleanup() }
  console.log(
    `an api, a separate api for intake, and ${workers} workers${runOptions.withNats ? ' with NATS' : ''}; ${runOptions.accounts} healthy accounts with ` +
      `${runOptions.ratePerSecond} deliveries/s for ${runOptions.seconds} s, without and with a hostile tenant that has ` +
      `${runOptions.hostileHooks} webhooks and these activities: ${runOptions.activities.join(', ')}`,
  )
  const baseline = printSummary(await runOnce('baseline', options))
  const withTenant = printSummary(await runOnce('with', options))
  const runs = { baseline, with: withTenant }
  printReport(runs)
  const violations = verifyHostile(runs, {
    hooks: runOptions.hostileHooks,
    activities: runOptions.activities,
    isSmoke,
  })
  for (const reason of violations) console.log(`  ✗ ${reason}`)
  console.log(violations.length === 0 ? '\nhostile-tenant: passed' : '\nhostile-tenant: FAILED')
  if (violations.length > 0) process.exitCode = 1
}

function printSummary(result: RunResult): RunResult {
  const { p50, p99 } = percentilesOf(result.steady.latencies)
  console.log(`  ${result.kind}: ${result.steady.latencies.length} healthy events, p50 ${p50} p99 ${p99} ms`)
  return result
}

function readOptions(args: string[]): Omit<RunOptions, 'services' | 'cleanup'> & { isSmoke: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      seconds: { type: 'string' },
      rate: { type: 'string', default: '200' },
      accounts: { type: 'string', default: '100' },
      hooks: { type: 'string' },
      nats: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
    },
  })
  const names = activities.map(({ name }) => name)
  const unknown = values.only?.filter((name) => !names.includes(name)) ?? []
  if (unknown.length > 0)
    throw new Error(`Unknown activity ${unknown.join(', ')}. Choose from ${names.join(', ')}.`)
  const isSmoke = values.smoke
  return {
    isSmoke,
    workers,
    withNats: values.nats,
    // A call may wait 10 s for a limiter slot, and slow requests are cut only after that. Both must end within a smoke
    // run.
    seconds: Number(values.seconds ?? (isSmoke ? 15 : 600)),
    warmUpSeconds: isSmoke ? 1 : 5,
    graceSeconds: isSmoke ? 10 : 30,
    accounts: Number(values.accounts),
    ratePerSecond: Number(isSmoke ? 50 : values.rate),
    hostileHooks: Number(values.hooks ?? (isSmoke ? 60 : 1_000)),
    activities: values.only ?? names,
    // A smoke run shows that each activity works and that nothing is lost. At the full rate, two slow cores are so busy
    // that calls of healthy accounts time out, which is a result of the long run only.
    intensity: isSmoke ? 1 / 3 : 1,
  }
}
