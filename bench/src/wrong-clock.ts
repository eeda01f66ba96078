/**
 * `npm run prove -- wrong-clock`: workers and an api whose machines are a minute or 45 days off, and one of each whose clock
 * steps while it runs, share the work under load. Everything accepted must be delivered once it is settled, nothing may be
 * dropped or expired, times must be the database's, and every process must say that its clock is wrong.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { fakeTime } from '../../dev/fake-time.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { type ServiceProcess, startProcess } from '../../dev/service-process.ts'
import { startServices } from '../../dev/services.ts'
import { openDatabase } from '../../server/src/db/database.ts'
import { vaultKeyStore } from '../../server/src/db/vault-key-store.ts'
import { createProducer } from '../../server/src/identity/keys/producers.ts'
import { makePartitions } from '../../server/src/pipeline/ledger/partitions.ts'
import { openVault } from '../../server/src/vault/vault.ts'
import { createBenchDatabase } from './database.ts'
import { createUndo, type Undo } from './undo.ts'

const dayMs = 86_400_000
const eventsPerSecond = 40
const daysOfHistory = 29
const stepEveryMs = 3_000
const steps = ['+45d', '+0', '-60s', '-45d', '+0', '+60s']
const patienceMs = 60_000

export async function proveWrongClock(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '60' } } })
  const undo = createUndo()
  try {
    const problems = await play(Number(values.seconds), undo)
    for (const problem of problems) console.log(`✗ ${problem}`)
    console.log(`\nwrong-clock: ${problems.length === 0 ? 'the promise held' : 'THE PROMISE WAS BROKEN'}`)
    if (problems.length > 0) process.exitCode = 1
  } finally {
    await undo.all()
  }
}

interface Wrong {
  name: string
  process: ServiceProcess
  /** What readiness and the metric have said, looked at every second. */
  seen: Array<{ isReady: boolean; offsetSeconds: number }>
}

async function play(seconds: number, undo: Undo): Promise<string[]> {
  const { DATABASE_URL } = await startServices(() => {})
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_wrong_clock')
  undo.push(drop)
  const folder = await mkdtemp(join(tmpdir(), 'hookline-clock-'))
  undo.push(() => rm(folder, { recursive: true }))
  const masterKey = randomBytes(32).toString('base64')
  const receiver = await startReceiver()
  undo.push(() => receiver.close())
  const { key, accountId } = await prepare(url, client, masterKey, receiver)
  const start = async (role: string, env: Record<string, string> = {}): Promise<ServiceProcess> => {
    const settings = { DATABASE_URL: url.href, MASTER_KEY: masterKey, ALLOW_PRIVATE_TARGETS: 'true' }
    const started = await startProcess({ ...settings, ...env }, role)
    undo.push(() => started.stop())
    return started
  }

  const api = await start('api')
  const daysBefore = await ledgerDays(client)
  const wrong: Wrong[] = []
  for (const offset of ['+60s', '-60s', '+45d', '-45d'])
    wrong.push({ name: `worker ${offset}`, process: await start('worker', fakeTime({ offset })), seen: [] })
  const file = join(folder, 'time')
  await writeFile(file, '+0\n')
  for (const role of ['api', 'worker'])
    wrong.push({ name: `stepping ${role}`, process: await start(role, fakeTime({ file })), seen: [] })

  const intakes = [api, ...wrong.filter(({ name }) => name.endsWith('api')).map((one) => one.process)]
  const over = new AbortController()
  const beside = [stepping(file, over.signal), watching(wrong, over.signal)]
  const accepted = await load(intakes, key, accountId, seconds)
  const isSettled = await until(() => isDone(client))
  // However few looks there were so far: a stepping process is seen with a right clock and with a wrong one.
  await until(async () => wrong.filter(isStepping).every(({ seen }) => new Set(seen.map(isReady)).size === 2))
  over.abort()
  await Promise.all(beside)
  console.log(`${accepted.size} events accepted, ${receiver.requests.length} requests, ${seconds} s of load`)
  return [
    ...(isSettled ? [] : ['work was left over']),
    ...(await judgeLedger(client, accepted, daysBefore)),
    ...judgeRequests(receiver, accepted),
    ...wrong.flatMap(judgeWords),
  ]
}

/** An account with a webhook, a month of history, and a delivery that has been held for six days. */
async function prepare(url: URL, client: Client, masterKey: string, receiver: Receiver) {
  const db = openDatabase(url, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const { key } = await createProducer(db, vault, 'operator', 'prove')
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO accounts (name) VALUES ('prove') RETURNING id`,
  )
  const accountId = rows[0]?.id ?? 0
  await client.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     VALUES ($1, $2, $2, 'all', 'JSON', sha256('1'))`,
    [accountId, receiver.url('/')],
  )
  for (const daysAgo of [daysOfHistory, daysOfHistory / 2, 0])
    await makePartitions(db, Date.now() - daysAgo * dayMs)
  await client.query(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
     SELECT $1, uuid_v7(at), 'sms_mo', '{}', 1, at FROM generate_series(1, $2::integer) AS day,
            LATERAL (SELECT now() - make_interval(days => day) AS at) AS t`,
    [accountId, daysOfHistory],
  )
  await client.query(
    `INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, held)
     SELECT account_id, 2000000000, id, type, accepted_at, accepted_at, true FROM events
     WHERE accepted_at > now() - interval '6 days 1 hour' ORDER BY id LIMIT 1`,
  )
  await db.destroy()
  return { key, accountId }
}

/** One event in two is a voice call, which expires after 30 seconds. */
async function load(
  intakes: readonly ServiceProcess[],
  key: string,
  accountId: number,
  seconds: number,
): Promise<Set<string>> {
  const accepted = new Set<string>()
  const number = '491700000001'
  const sms = { id: '1', sender: number, system: number, text: 'Hello', time: '1731656400' }
  const voice = { id: '1', caller: number, system: number, time: '1731656400' }
  const events = [
    { account_id: accountId, type: 'sms_mo', data: sms },
    { account_id: accountId, type: 'voice_call', data: voice },
  ]
  const endsAt = performance.now() + seconds * 1_000
  for (let count = 0; performance.now() < endsAt; count++) {
    const intake = intakes[count % intakes.length]
    const response = await fetch(`${intake?.internalUrl}/intake/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    })
    if (response.status !== 202) throw new Error(`intake answered ${response.status}`)
    for (const id of ((await response.json()) as { accepted: string[] }).accepted) accepted.add(id)
    await sleep((events.length * 1_000) / eventsPerSecond)
  }
  return accepted
}

async function stepping(file: string, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count++) {
    await writeFile(file, `${steps[count % steps.length]}\n`)
    await sleep(stepEveryMs, undefined, { signal }).catch(() => {})
  }
}

async function watching(wrong: readonly Wrong[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const { process: one, seen } of wrong) {
      const ready = await fetch(`${one.internalUrl}/health/ready`)
      const metrics = await (await fetch(`${one.internalUrl}/metrics`)).text()
      const offset = /^hookline_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1]
      seen.push({ isReady: ready.status === 200, offsetSeconds: Number(offset) })
    }
    await sleep(1_000, undefined, { signal }).catch(() => {})
  }
}

/** False: it did not come to hold in time. */
async function until(holds: () => Promise<boolean>): Promise<boolean> {
  const endsAt = performance.now() + patienceMs
  while (performance.now() < endsAt) {
    if (await holds()) return true
    await sleep(200)
  }
  return false
}

/** Nothing waits but what is held. */
async function isDone(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT event_id FROM inbox UNION ALL SELECT event_id FROM work WHERE NOT held LIMIT 1',
  )
  return rows.length === 0
}

function isStepping({ name }: Wrong): boolean {
  return name.startsWith('stepping')
}

function isReady(look: Wrong['seen'][number]): boolean {
  return look.isReady
}

async function ledgerDays(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE relkind = 'r' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

async function judgeLedger(
  client: Client,
  accepted: ReadonlySet<string>,
  daysBefore: readonly string[],
): Promise<string[]> {
  const problems: string[] = []
  const days = new Set(await ledgerDays(client))
  const dropped = daysBefore.filter((name) => !days.has(name))
  if (dropped.length > 0) problems.push(`dropped: ${dropped.join(', ')}`)
  const { rows } = await client.query<{ id: string; state: string | null; is_late: boolean }>(
    `SELECT id, state, abs(extract(epoch FROM started_at - accepted_at)) > 30 AS is_late FROM events
     LEFT JOIN deliveries ON deliveries.account_id = events.account_id AND event_id = id
     LEFT JOIN attempts ON attempts.account_id = events.account_id AND attempts.event_id = id AND attempt = 1
     WHERE id > uuid_v7_floor(now() - interval '1 hour')`,
  )
  const delivered = new Set(rows.filter(({ state }) => state === 'delivered').map(({ id }) => id))
  const missing = [...accepted].filter((id) => !delivered.has(id))
  if (missing.length > 0) problems.push(`${missing.length} accepted events were not delivered`)
  const late = rows.filter(({ is_late: isLate }) => isLate)
  if (late.length > 0) problems.push(`${late.length} attempts bear a time that is not the database's`)
  const held = await client.query('SELECT FROM work WHERE held')
  if (held.rowCount !== 1) problems.push('the held delivery is gone')
  const history = await client.query(`SELECT FROM events WHERE accepted_at < now() - interval '12 hours'`)
  if (history.rowCount !== daysOfHistory)
    problems.push(`of ${daysOfHistory} old events ${history.rowCount} are left`)
  return problems
}

function judgeRequests({ requests }: Receiver, accepted: ReadonlySet<string>): string[] {
  const got = new Set(requests.map(({ headers }) => String(headers['webhook-id'])))
  const missing = [...accepted].filter((id) => !got.has(id))
  const wrongTimes = requests.filter(
    ({ headers, at }) => Math.abs(Number(headers['webhook-timestamp']) - at / 1_000) > 30,
  )
  return [
    ...(missing.length > 0 ? [`${missing.length} accepted events did not arrive`] : []),
    ...(wrongTimes.length > 0 ? [`${wrongTimes.length} requests were signed with a wrong time`] : []),
  ]
}

/** A process is ready exactly while its clock is right; at the moment of a step either is fine. */
function judgeWords(wrong: Wrong): string[] {
  const { name, process: one, seen } = wrong
  const problems: string[] = []
  const wrongs = seen.filter(({ offsetSeconds }) => Math.abs(offsetSeconds) > 5)
  if (wrongs.length === 0) problems.push(`${name}: no wrong clock was seen in ${seen.length} looks`)
  if (!isStepping(wrong) && wrongs.some(isReady)) problems.push(`${name}: was ready`)
  if (isStepping(wrong) && !seen.some(isReady)) problems.push(`${name}: was never ready again`)
  if (seen.every(isReady)) problems.push(`${name}: was always ready`)
  if (!one.output().includes('clock differs from the database'))
    problems.push(`${name}: its log says nothing`)
  const offsets = seen.map(({ offsetSeconds }) => Math.round(offsetSeconds))
  console.log(
    `${name}: not ready in ${seen.filter((look) => !look.isReady).length} of ${seen.length} looks, offsets ${[...new Set(offsets)].join(' ')} s`,
  )
  return problems
}
