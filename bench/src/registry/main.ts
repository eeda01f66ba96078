/**
 * `npm run bench -- registry`: measures list, create and delete calls at a fixed rate, alternately on a full and on an
 * empty database, so that other load on the machine affects both equally.
 */
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { startProcess, type ServiceProcess } from '../../../dev/service-process.ts'
import { startServices } from '../../../dev/services.ts'
import { type LoadResult, merge, openLoad, percentile } from '../support/load.ts'
import { createRegistryDatabase, type RegistryDatabase } from './seed.ts'

const runs = 6
const callers = 2_000

interface Variant {
  name: string
  database: RegistryDatabase
  service: ServiceProcess
  send: () => Promise<string>
  results: LoadResult[]
}

export async function registryBench(args: string[]): Promise<void> {
  const options = readOptions(args)
  const { DATABASE_URL } = await startServices(console.log)

  console.log(`Seeding a database with ${options.hooks} hooks over ${options.accounts} accounts …`)
  const variants = [
    await startVariant('empty', DATABASE_URL, { accounts: callers, hooks: 0 }),
    await startVariant('full', DATABASE_URL, options),
  ]
  try {
    for (const variant of variants) await openLoad(options.rate, 3, variant.send)
    const secondsPerRun = options.seconds / runs
    for (let run = 1; run <= runs; run++)
      for (const variant of variants) {
        console.log(`run ${run} of ${runs}: ${variant.name}, ${options.rate}/s for ${secondsPerRun} s`)
        variant.results.push(await openLoad(options.rate, secondsPerRun, variant.send))
      }
    const isWithin = report(variants)
    if (options.plans) await printPlans(variants.find((variant) => variant.name === 'full'))
    if (!isWithin && !options.reportOnly) process.exitCode = 1
  } finally {
    for (const variant of variants) {
      await variant.service.stop()
      await variant.database.drop()
    }
  }
}

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      hooks: { type: 'string', default: '1000000' },
      accounts: { type: 'string', default: '100000' },
      rate: { type: 'string', default: '300' },
      seconds: { type: 'string', default: '60' },
      plans: { type: 'boolean', default: false },
      // For short runs: with 1,000 calls only ten are above p99, too few for a verdict.
      'report-only': { type: 'boolean', default: false },
    },
  })
  return {
    hooks: Number(values.hooks),
    accounts: Number(values.accounts),
    rate: Number(values.rate),
    seconds: Number(values.seconds),
    plans: values.plans,
    reportOnly: values['report-only'],
  }
}

async function startVariant(
  name: string,
  server: string,
  size: { accounts: number; hooks: number },
): Promise<Variant> {
  const database = await createRegistryDatabase(server, `hookline_bench_${name}`, { ...size, callers })
  const service = await startProcess({
    DATABASE_URL: database.url.href,
    MASTER_KEY: database.masterKey,
    // Callers in the full database already have up to a hundred hooks.
    HOOKS_PER_ACCOUNT: '1000',
    HOOK_CHANGES_PER_MINUTE: '1000000',
    HOOK_CHANGES_PER_DAY: '1000000',
    CALLS_PER_MINUTE: '1000000',
  })
  return { name, database, service, send: mixedCalls(service.url, database.keys), results: [] }
}

/** Makes six lists, two creates and two deletes per ten calls. A delete removes a hook that was created before. */
function mixedCalls(url: string, keys: readonly string[]): () => Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const created: Array<{ key: string; id: number }> = []
  let count = 0
  return async () => {
    const key = keys[Math.floor(Math.random() * keys.length)] ?? ''
    const step = count++ % 10
    if (step < 6) {
      await call(agent, 'GET', url, key)
      return 'list'
    }
    const hook = step < 8 ? undefined : created.shift()
    if (hook === undefined) {
      const form = `target_url=https%3A%2F%2Fexample.com%2F${count}&event_type=dlr&headers=Authorization%3A+Bearer+${count}`
      created.push({ key, id: Number((await call(agent, 'POST', url, key, form)).id) })
      return 'create'
    }
    await call(agent, 'DELETE', url, hook.key, `id=${hook.id}`)
    return 'delete'
  }
}

function call(
  agent: Agent,
  method: string,
  url: string,
  key: string,
  form?: string,
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const headers = {
      'x-api-key': key,
      ...(form !== undefined && {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(form),
      }),
    }
    const sent = request(`${url}/api/hooks`, { method, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        const body = JSON.parse(text) as Record<string, unknown>
        if (response.statusCode === 200 && body.success === true) resolve(body)
        else reject(new Error(`${method} returned ${response.statusCode}: ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(form)
  })
}

/**
 * Prints the results. Returns whether the p99 of the full database is within 1.5 times that of the empty one, or 20 ms.
 */
function report(variants: readonly Variant[]): boolean {
  const p99 = new Map<string, number>()
  console.log('\nmilliseconds from scheduled start to complete response')
  console.log('database  call      calls    p50    p90    p99  p99.9    max')
  for (const variant of variants) {
    const { latencies, failures } = merge(variant.results)
    const all = [...latencies.values()].flat()
    for (const [kind, times] of [...latencies, ['all', all] as const]) {
      const sorted = times.toSorted((a, b) => a - b)
      const values = [0.5, 0.9, 0.99, 0.999, 1].map((ratio) =>
        percentile(sorted, ratio).toFixed(1).padStart(6),
      )
      console.log(
        `${variant.name.padEnd(9)} ${kind.padEnd(8)} ${String(times.length).padStart(6)} ${values.join(' ')}`,
      )
      if (kind === 'all') p99.set(variant.name, percentile(sorted, 0.99))
    }
    if (failures.size > 0)
      throw new Error(`calls failed on the ${variant.name} database: ${JSON.stringify([...failures])}`)
  }
  const empty = p99.get('empty') ?? Number.NaN
  const full = p99.get('full') ?? Number.NaN
  const isWithin = full <= Math.max(empty * 1.5, empty + 20)
  console.log(
    `\np99 full ${full.toFixed(1)} ms, empty ${empty.toFixed(1)} ms, ratio ${(full / empty).toFixed(2)}: ${isWithin ? 'within' : 'NOT within'} 1.5 × or +20 ms`,
  )
  return isWithin
}

/** Prints the query plans of the statements of a call on the full database. */
async function printPlans(variant: Variant | undefined): Promise<void> {
  if (variant === undefined) return
  const client = new Client({ connectionString: variant.database.url.href })
  await client.connect()
  const statements = {
    'find a key': `SELECT keys.id, keys.account_id, keys.scopes, keys.revoked_at, accounts.suspended_at FROM keys
                   JOIN accounts ON accounts.id = keys.account_id WHERE keys.digest = sha256('key4000')`,
    'count a call': `INSERT INTO call_counts AS existing (account_id, minute, calls) VALUES (20, date_trunc('minute', now()), 1)
                     ON CONFLICT (account_id) DO UPDATE SET calls = existing.calls + 1`,
    'list hooks': 'SELECT * FROM hooks WHERE account_id = 20 ORDER BY id',
    'find the same hook': `SELECT * FROM hooks WHERE account_id = 20 AND fingerprint = sha256('1')`,
    'count hooks': 'SELECT count(*) FROM hooks WHERE account_id = 20',
    'raise the version': 'UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = 20',
    'find by creation parameters': `SELECT * FROM hooks WHERE account_id = 20 AND target_url = 'https://example.com/1'
                                    AND event_type = 'dlr' AND request_method = 'POST' ORDER BY id`,
    'delete a hook': 'DELETE FROM hooks WHERE account_id = 20 AND id = 1',
  }
  for (const [name, sql] of Object.entries(statements)) {
    await client.query('BEGIN')
    const { rows } = await client.query<Record<string, string>>(
      `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${sql}`,
    )
    await client.query('ROLLBACK')
    console.log(`\n${name}\n${rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`)
  }
  await client.end()
}
