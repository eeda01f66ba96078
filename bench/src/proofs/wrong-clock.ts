/**
 * `npm run prove -- wrong-clock`: runs workers whose clocks are off by a minute or 45 days, and an api and a worker
 * whose clocks step, under load. All accepted events must be delivered. No partition may be dropped, and no delivery
 * may expire. Timestamps must come from the database clock. Every process must report that its clock is wrong.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { fakeTime } from '../../../dev/fake-time.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { startServices } from '../../../dev/services.ts'
import { openDatabase } from '../../../server/src/db/database.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { createProducer } from '../../../server/src/identity/keys/producers.ts'
import { createPartitions } from '../../../server/src/ledger/partitions.ts'
import { openVault } from '../../../server/src/vault/vault.ts'
import { createBenchDatabase } from '../support/database.ts'
import { createCleanup, type Cleanup } from '../support/cleanup.ts'

const dayMs = 86_400_000
const eventsPerSecond = 40
const daysOfHistory = 29
const clockStepMs = 3_000
const clockOffsets = ['+45d', '+0', '-60s', '-45d', '+0', '+60s']
const timeoutMs = 60_000

export async function proveWrongClock(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '60' } } })
  const cleanup = createCleanup()
  try {
    const violations = await execute(Number(values.seconds), cleanup)
    for (const violation of violations) console.log(`✗ ${violation}`)
    console.log(`\nwrong-clock: ${violations.length === 0 ? 'passed' : 'FAILED'}`)
    if (violations.length > 0) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}

interface SkewedProcess {
  name: string
  process: ServiceProcess
  /** Readiness and clock offset metric, sampled every second. */
  samples: Array<{ isReady: boolean; offsetSeconds: number }>
}

async function execute(seconds: number, cleanup: Cleanup): Promise<string[]> {
  const { DATABASE_URL } = await startServices(() => {})
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_wrong_clock')
  cleanup.push(drop)
  const folder = await mkdtemp(join(tmpdir(), 'hookline-clock-'))
  cleanup.push(() => rm(folder, { recursive: true }))
  const masterKey = randomBytes(32).toString('base64')
  const receiver = await startReceiver()
  cleanup.push(() => receiver.close())
  const { key, accountId } = await prepare(url, client, masterKey, receiver)
  const start = async (role: string, env: Record<string, string> = {}): Promise<ServiceProcess> => {
    const settings = { DATABASE_URL: url.href, MASTER_KEY: masterKey, ALLOW_PRIVATE_TARGETS: 'true' }
    const started = await startProcess({ ...settings, ...env }, role)
    cleanup.push(() => started.stop())
    return started
  }

  const api = await start('api')
  const daysBefore = await ledgerDays(client)
  const skewed: SkewedProcess[] = []
  for (const offset of ['+60s', '-60s', '+45d', '-45d'])
    skewed.push({
      name: `worker ${offset}`,
      process: await start('worker', fakeTime({ offset })),
      samples: [],
    })
  const file = join(folder, 'time')
  await writeFile(file, '+0\n')
  for (const role of ['api', 'worker'])
    skewed.push({ name: `stepping ${role}`, process: await start(role, fakeTime({ file })), samples: [] })

  const intakes = [
    api,
    ...skewed.filter(({ name }) => name.endsWith('api')).map((service) => service.process),
  ]
  const stopping = new AbortController()
  const background = [stepClock(file, stopping.signal), sampleProcesses(skewed, stopping.signal)]
  const accepted = await load(intakes, key, accountId, seconds)
  const isSettled = await until(() => isDone(client))
  // Continues until each stepping process was sampled with a correct and with a wrong clock.
  await until(async () =>
    skewed.filter(isStepping).every(({ samples }) => new Set(samples.map(isReady)).size === 2),
  )
  stopping.abort()
  await Promise.all(background)
  console.log(`${accepted.size} events accepted, ${receiver.requests.length} requests, ${seconds} s of load`)
  return [
    ...(isSettled ? [] : ['deliveries left in the queue']),
    ...(await verifyLedger(client, accepted, daysBefore)),
    ...verifyRequests(receiver, accepted),
    ...skewed.flatMap(verifyReadiness),
  ]
}

/** Creates an account with a webhook, a month of history, and a delivery that has been on hold for six days. */
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
    await createPartitions(db, Date.now() - daysAgo * dayMs)
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

/** Submits events. Every other event is a voice call, which expires after 30 s. */
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
    if (response.status !== 202) throw new Error(`intake responded ${response.status}`)
    for (const id of ((await response.json()) as { accepted: string[] }).accepted) accepted.add(id)
    await sleep((events.length * 1_000) / eventsPerSecond)
  }
  return accepted
}

async function stepClock(file: string, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count++) {
    await writeFile(file, `${clockOffsets[count % clockOffsets.length]}\n`)
    await sleep(clockStepMs, undefined, { signal }).catch(() => {})
  }
}

async function sampleProcesses(skewed: readonly SkewedProcess[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const { process: service, samples } of skewed) {
      const ready = await fetch(`${service.internalUrl}/health/ready`)
      const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text()
      const offset = /^hookline_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1]
      samples.push({ isReady: ready.status === 200, offsetSeconds: Number(offset) })
    }
    await sleep(1_000, undefined, { signal }).catch(() => {})
  }
}

/** Waits until the condition is true. Returns false on timeout. */
async function until(condition: () => Promise<boolean>): Promise<boolean> {
  const endsAt = performance.now() + timeoutMs
  while (performance.now() < endsAt) {
    if (await condition()) return true
    await sleep(200)
  }
  return false
}

/** Returns whether the queue is empty, except for held deliveries. */
async function isDone(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT event_id FROM inbox UNION ALL SELECT event_id FROM work WHERE NOT held LIMIT 1',
  )
  return rows.length === 0
}

function isStepping({ name }: SkewedProcess): boolean {
  return name.startsWith('stepping')
}

function isReady(sample: SkewedProcess['samples'][number]): boolean {
  return sample.isReady
}

async function ledgerDays(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE relkind = 'r' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

async function verifyLedger(
  client: Client,
  accepted: ReadonlySet<string>,
  daysBefore: readonly string[],
): Promise<string[]> {
  const violations: string[] = []
  const days = new Set(await ledgerDays(client))
  const dropped = daysBefore.filter((name) => !days.has(name))
  if (dropped.length > 0) violations.push(`dropped: ${dropped.join(', ')}`)
  const { rows } = await client.query<{ id: string; state: string | null; is_late: boolean }>(
    `SELECT id, state, abs(extract(epoch FROM attempts.started_at - accepted_at)) > 30 AS is_late FROM events
     LEFT JOIN deliveries ON deliveries.account_id = events.account_id AND event_id = id
     LEFT JOIN all_attempts AS attempts ON attempts.account_id = events.account_id AND attempts.event_id = id AND attempt = 1
     WHERE id > uuid_v7_floor(now() - interval '1 hour')`,
  )
  const delivered = new Set(rows.filter(({ state }) => state === 'delivered').map(({ id }) => id))
  const missing = [...accepted].filter((id) => !delivered.has(id))
  if (missing.length > 0) violations.push(`${missing.length} accepted events were not delivered`)
  const late = rows.filter(({ is_late: isLate }) => isLate)
  if (late.length > 0)
    violations.push(`${late.length} attempts have a time that is not from the database clock`)
  const held = await client.query('SELECT FROM work WHERE held')
  if (held.rowCount !== 1) violations.push('the held delivery is gone')
  const history = await client.query(`SELECT FROM events WHERE accepted_at < now() - interval '12 hours'`)
  if (history.rowCount !== daysOfHistory)
    violations.push(`${history.rowCount} of ${daysOfHistory} old events are left`)
  return violations
}

function verifyRequests({ requests }: Receiver, accepted: ReadonlySet<string>): string[] {
  const received = new Set(requests.map(({ headers }) => String(headers['webhook-id'])))
  const missing = [...accepted].filter((id) => !received.has(id))
  const wrongTimes = requests.filter(
    ({ headers, at }) => Math.abs(Number(headers['webhook-timestamp']) - at / 1_000) > 30,
  )
  return [
    ...(missing.length > 0 ? [`${missing.length} accepted events did not arrive`] : []),
    ...(wrongTimes.length > 0 ? [`${wrongTimes.length} requests were signed with a wrong time`] : []),
  ]
}

/** Checks that a process is ready only while its clock is correct. During a step both are allowed. */
function verifyReadiness(skewed: SkewedProcess): string[] {
  const { name, process: service, samples } = skewed
  const violations: string[] = []
  const offSamples = samples.filter(({ offsetSeconds }) => Math.abs(offsetSeconds) > 5)
  if (offSamples.length === 0) violations.push(`${name}: no wrong clock in ${samples.length} samples`)
  if (!isStepping(skewed) && offSamples.some(isReady))
    violations.push(`${name}: was ready with a wrong clock`)
  if (isStepping(skewed) && !samples.some(isReady)) violations.push(`${name}: was never ready again`)
  if (samples.every(isReady)) violations.push(`${name}: was always ready`)
  if (!service.output().includes('clock differs from the database'))
    violations.push(`${name}: no warning in the log`)
  const offsets = samples.map(({ offsetSeconds }) => Math.round(offsetSeconds))
  console.log(
    `${name}: not ready in ${samples.filter((sample) => !sample.isReady).length} of ${samples.length} samples, offsets ${[...new Set(offsets)].join(' ')} s`,
  )
  return violations
}
