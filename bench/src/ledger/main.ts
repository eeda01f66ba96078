/**
 * How the ledger answers at its final size: every kind of search and the story of an event, for the account that owns
 * 30 % and one in the middle; cold, warm, and while deliveries are made. On a PostgreSQL of its own.
 * Cold: PostgreSQL has just been restarted, so its own memory is empty; with --drop-caches (Linux, as root) the system
 * has forgotten the files too, and everything comes from the disk.
 */
import { open, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { startLoad } from '../isolation/load.ts'
import { createUndo, type Undo } from '../undo.ts'
import { accounts } from './fill.ts'
import type { Kind } from './kinds.ts'
import { measure, type Measured, report, time } from './measure.ts'
import { makeWorld, run, startApi, type World } from './world.ts'

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
  const undo = createUndo()
  try {
    const wanted = { deliveries: Number(values.deliveries), calls: Number(values.calls) }
    const world = await makeWorld(wanted, values.folder, undo)
    const cold = { restarts: Number(values.restarts), dropCaches: values['drop-caches'] }
    await measureCold(world, cold, undo)
    const api = await startApi(world, undo)
    await measureAll(world, api.url, 'warm')
    await measureUnderLoad(world, api, Number(values.rate), undo)
    if (values.plans) await printPlans(world, undo)
  } finally {
    await undo.all()
  }
}

/** One call of each kind after a restart, so that none finds what another of its kind has read. */
async function measureCold(
  world: World,
  { restarts, dropCaches }: { restarts: number; dropCaches: boolean },
  undo: Undo,
): Promise<void> {
  const measured = new Map<Kind, Measured>()
  for (let turn = 0; turn < restarts; turn++) {
    await world.postgres.stop()
    if (dropCaches) await writeFile('/proc/sys/vm/drop_caches', '3')
    await world.postgres.start()
    const api = await startApi(world, undo)
    for (const side of world.sides) {
      // The connection and who is calling are not what is measured.
      await fetch(`${api.url}/api/hooks`, { headers: { 'x-api-key': side.key } })
      for (const kind of side.kinds.toSorted(() => Math.random() - 0.5)) {
        const own = measured.get(kind) ?? { name: kind.name, times: [], complete: 0 }
        measured.set(kind, own)
        const path = kind.paths[turn]
        // A small ledger may not have as many values to ask for.
        if (path !== undefined) await time({ url: api.url, key: side.key }, path, own)
      }
    }
    await api.stop()
  }
  for (const side of world.sides)
    report(
      `cold, ${side.name}`,
      side.kinds.flatMap((kind) => measured.get(kind) ?? []),
    )
}

async function measureAll(world: World, url: string, title: string): Promise<void> {
  for (const side of world.sides) {
    const rows: Measured[] = []
    for (const kind of side.kinds) {
      const call = { url, key: side.key }
      if (title === 'warm') await measure(call, kind)
      rows.push(await measure(call, kind))
    }
    report(`${title}, ${side.name}`, rows)
  }
}

async function measureUnderLoad(world: World, api: ServiceProcess, rate: number, undo: Undo): Promise<void> {
  const worker = await startProcess(world.env, 'worker')
  undo.push(() => worker.stop())
  const ids = Array.from({ length: accounts }, (_, place) => place + 1)
  const load = startLoad({ url: api.internalUrl, key: world.producerKey }, ids, rate)
  await sleep(5_000)
  const before = load.accepted.length
  const startedAt = performance.now()
  await measureAll(world, api.url, `beside ${rate} deliveries a second`)
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(
    `\n${((load.accepted.length - before) / seconds).toFixed(0)} events a second were accepted meanwhile`,
  )
  await load.stop()
  await worker.stop()
}

/** By the server's own account: every statement of one call of each kind, with what it read. */
async function printPlans(world: World, undo: Undo): Promise<void> {
  const database = world.url.pathname.slice(1)
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
  }
  // Of a database, not of the server, which refuses settings of a library that it has not loaded.
  await run(
    world.url.href,
    Object.entries(settings).map(([name, value]) => `ALTER DATABASE ${database} SET ${name} = '${value}'`),
  )
  // A ledger that is kept is measured again.
  undo.push(() =>
    run(
      world.url.href,
      Object.keys(settings).map((name) => `ALTER DATABASE ${database} RESET ${name}`),
    ),
  )
  const api = await startApi(world, undo)
  const [side] = world.sides
  if (side === undefined) return
  const log = await open(await world.postgres.logFile())
  undo.push(() => log.close())
  for (const kind of side.kinds) {
    const { size } = await log.stat()
    await measure({ url: api.url, key: side.key }, { ...kind, paths: kind.paths.slice(0, 1) })
    await sleep(200)
    const written = Buffer.alloc((await log.stat()).size - size)
    await log.read(written, 0, written.length, size)
    console.log(`\n=== ${kind.name}: ${kind.paths[0]}\n${written.toString()}`)
  }
}
