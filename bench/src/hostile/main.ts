/**
 * `npm run prove -- hostile-tenant`: one account does everything it is allowed to do, as badly as it can, beside healthy
 * accounts that must not notice. The same load is played without it and with it, each in a fresh installation.
 */
import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import { startServices } from '../../../dev/services.ts'
import { spreadOf } from '../isolation/figures.ts'
import { createUndo } from '../undo.ts'
import { activities } from './activities.ts'
import { judgeHostile } from './judge.ts'
import { printReport } from './report.ts'
import { runTurn, type TurnOptions, type TurnResult } from './turn.ts'

const workers = 2

export async function proveHostileTenant(args: string[]): Promise<void> {
  const { isSmoke, ...turn } = readOptions(args)
  const services = await startServices(() => {})
  // Each started process adds a listener that ends it with us.
  setMaxListeners(0, process)
  const options: TurnOptions = { ...turn, services, undo: createUndo() }
  console.log(
    `an api and ${workers} workers${turn.withNats ? ' with NATS' : ''}; ${turn.accounts} healthy accounts with ` +
      `${turn.ratePerSecond} deliveries/s for ${turn.seconds} s, without and with a hostile tenant that has ` +
      `${turn.hostileHooks} webhooks and does: ${turn.activities.join(', ')}`,
  )
  const baseline = announced(await runTurn('baseline', options))
  const withTenant = announced(await runTurn('with', options))
  const turns = { baseline, with: withTenant }
  printReport(turns)
  const broken = judgeHostile(turns, { hooks: turn.hostileHooks, activities: turn.activities, isSmoke })
  for (const reason of broken) console.log(`  ✗ ${reason}`)
  console.log(broken.length === 0 ? '\nhostile-tenant: held' : '\nhostile-tenant: BROKEN')
  if (broken.length > 0) process.exitCode = 1
}

function announced(result: TurnResult): TurnResult {
  const { p50, p99 } = spreadOf(result.steady.latencies)
  console.log(`  ${result.kind}: ${result.steady.latencies.length} healthy events, p50 ${p50} p99 ${p99} ms`)
  return result
}

function readOptions(args: string[]): Omit<TurnOptions, 'services' | 'undo'> & { isSmoke: boolean } {
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
    throw new Error(`There is no activity ${unknown.join(', ')}. Choose ${names.join(', ')}.`)
  const isSmoke = values.smoke
  return {
    isSmoke,
    workers,
    withNats: values.nats,
    // A call may wait for its turn for 10 s, and a slow request is cut only after that: both must end within a smoke run.
    seconds: Number(values.seconds ?? (isSmoke ? 15 : 600)),
    warmUpSeconds: isSmoke ? 1 : 5,
    graceSeconds: isSmoke ? 10 : 30,
    accounts: Number(values.accounts),
    ratePerSecond: Number(isSmoke ? 50 : values.rate),
    hostileHooks: Number(values.hooks ?? (isSmoke ? 60 : 1_000)),
    activities: values.only ?? names,
  }
}
