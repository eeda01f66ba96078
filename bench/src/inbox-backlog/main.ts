/**
 * `npm run prove -- inbox-backlog`: proves that the two sources of events, the inbox and hand-offs, lose and duplicate
 * nothing together. Events are accepted without workers, so all of them go to the inbox. Then three workers drain the
 * backlog while fresh events arrive and are handed off to them. Each event must arrive once. Prints the drain rate, the
 * events by source, and the latency of fresh events of accounts with and without a backlog.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { startServices } from '../../../dev/services.ts'
import { openDatabase } from '../../../server/src/db/database.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { createProducer } from '../../../server/src/identity/keys/producers.ts'
import { openVault } from '../../../server/src/vault/vault.ts'
import { createBenchDatabase } from '../support/database.ts'
import { type Child, startChild } from '../support/child-process.ts'
import { percentile } from '../support/load.ts'
import { type ReceiverResponses, readArrivals } from './arrivals.ts'

const busyAccounts = 40
const idleAccounts = 10
const workerCount = 3
const eventsPerCall = 500
const concurrentCalls = 4
const freshCallMs = 50
/** Minimum duration of the fresh load, so that a small backlog still gives enough samples. */
const minFreshMs = 5_000
/** The proof fails if no event arrives for this long. */
const timeoutMs = 60_000

interface Account {
  id: number
  hasBacklog: boolean
}

interface Environment {
  client: Client
  api: ServiceProcess
  receiver: Child
  producerKey: string
  accounts: readonly Account[]
}

interface AcceptedEvent {
  id: string
  kind: 'backlog' | 'fresh, backlog' | 'fresh, no backlog'
}

export async function proveInboxBacklog(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { events: { type: 'string', default: '300000' }, fresh: { type: 'string', default: '200' } },
  })
  const { DATABASE_URL, NATS_URL } = await startServices(console.log)
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_inbox_backlog')
  const masterKey = randomBytes(32).toString('base64')
  const env = { DATABASE_URL: url.href, NATS_URL, MASTER_KEY: masterKey, ALLOW_PRIVATE_TARGETS: 'true' }
  const processes: ServiceProcess[] = []
  const receiver = await startChild(new URL('./receiver-process.ts', import.meta.url), {})
  // On a signal, exit listeners kill the processes. The next run drops the database.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  try {
    const api = await startProcess(env, 'api')
    processes.push(api)
    const prepared = await prepare(url, masterKey, api.url, await query(receiver, 'url'))
    const environment: Environment = { client, api, receiver, ...prepared }

    const accepted = await seed(environment, Number(values.events))
    // Reads it before the workers start, because they may empty the inbox within a second.
    const lastBacklogEvent = await newestEvent(client)
    const startedAt = Date.now()
    processes.push(
      ...(await Promise.all(Array.from({ length: workerCount }, () => startProcess(env, 'worker')))),
    )
    accepted.push(...(await loadUntilDone(environment, Number(values.fresh), lastBacklogEvent)))
    await waitUntilDrained(environment)
    const isExactlyOnce = await reportArrivals(environment, accepted, startedAt)
    const areBothSourcesUsed = await reportSources(processes.slice(1))
    console.log(`\ninbox-backlog: ${isExactlyOnce && areBothSourcesUsed ? 'passed' : 'FAILED'}`)
    if (!isExactlyOnce || !areBothSourcesUsed) process.exitCode = 1
  } finally {
    for (const running of processes) await running.stop()
    await receiver.stop()
    await drop()
  }
}

async function query<Field extends keyof ReceiverResponses>(
  receiver: Child,
  field: Field,
): Promise<ReceiverResponses[Field]> {
  return (await receiver.request<Pick<ReceiverResponses, Field>>({ field }))[field]
}

/** Creates accounts with one hook each, and a producer. */
async function prepare(url: URL, masterKey: string, apiUrl: string, target: string) {
  const db = openDatabase(url, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const rows = await db
    .insertInto('accounts')
    .values(Array.from({ length: busyAccounts + idleAccounts }, (_, index) => ({ name: `account ${index}` })))
    .returning('id')
    .execute()
  for (const { id } of rows) {
    const { key } = await createKey(db, vault, 'operator', { accountId: id, name: 'prove', scopes: ['all'] })
    await createHook(apiUrl, key, target)
  }
  const prepared = {
    producerKey: (await createProducer(db, vault, 'operator', 'prove')).key,
    accounts: rows.map(({ id }, index) => ({ id, hasBacklog: index < busyAccounts })),
  }
  await db.destroy()
  return prepared
}

async function createHook(apiUrl: string, key: string, target: string): Promise<void> {
  const response = await fetch(`${apiUrl}/api/hooks`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: new URLSearchParams({ target_url: target, event_type: 'sms_mo', request_method: 'JSON' }),
  })
  const body = (await response.json()) as { success: boolean }
  if (!body.success) throw new Error(`hook creation failed: ${JSON.stringify(body)}`)
}

async function submitEvents(
  { api, producerKey }: Environment,
  accounts: readonly Account[],
): Promise<string[]> {
  const data = { id: '1', sender: '491700000001', system: '491700000002', text: 'Hello', time: '1731656400' }
  const response = await fetch(`${api.internalUrl}/intake/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${producerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events: accounts.map(({ id }) => ({ account_id: id, type: 'sms_mo', data })) }),
  })
  const body = (await response.json()) as { accepted?: string[] }
  if (response.status !== 202 || body.accepted?.length !== accounts.length)
    throw new Error(`events were not accepted: ${response.status} ${JSON.stringify(body).slice(0, 300)}`)
  return body.accepted
}

/** Returns `count` accounts in rotation, starting at index `first`. */
function roundRobin(accounts: readonly Account[], first: number, count: number): Account[] {
  return Array.from({ length: count }, (_, index) => accounts[(first + index) % accounts.length]).filter(
    (account) => account !== undefined,
  )
}

async function seed(environment: Environment, count: number): Promise<AcceptedEvent[]> {
  const startedAt = performance.now()
  const withBacklog = environment.accounts.filter(({ hasBacklog }) => hasBacklog)
  const accepted: AcceptedEvent[] = []
  let next = 0
  const run = async (): Promise<void> => {
    for (let first = next; first < count; first = next) {
      next += eventsPerCall
      const ids = await submitEvents(
        environment,
        roundRobin(withBacklog, first, Math.min(eventsPerCall, count - first)),
      )
      for (const id of ids) accepted.push({ id, kind: 'backlog' })
      if (accepted.length % 50_000 === 0) console.log(`${accepted.length} of ${count} accepted`)
    }
  }
  await Promise.all(Array.from({ length: concurrentCalls }, run))
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`backlog of ${count} events accepted in ${seconds.toFixed(1)} s without workers`)
  return accepted
}

/** Submits fresh events until the backlog is drained: half for accounts with a backlog, half for others. */
async function loadUntilDone(
  environment: Environment,
  freshPerSecond: number,
  lastBacklogEvent: string,
): Promise<AcceptedEvent[]> {
  const groups = [
    { kind: 'fresh, backlog', accounts: environment.accounts.filter(({ hasBacklog }) => hasBacklog) },
    { kind: 'fresh, no backlog', accounts: environment.accounts.filter(({ hasBacklog }) => !hasBacklog) },
  ] as const
  const accepted: AcceptedEvent[] = []
  const calls = new Set<Promise<void>>()
  const failures: unknown[] = []
  const startedAt = performance.now()
  let offered = 0
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * freshPerSecond
    for (const { kind, accounts } of groups) {
      const count = Math.round((due - offered) / groups.length)
      if (count <= 0) continue
      const one = submitEvents(environment, roundRobin(accounts, Math.round(offered / groups.length), count))
        .then((ids) => ids.forEach((id) => accepted.push({ id, kind })))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => calls.delete(one))
      calls.add(one)
    }
    offered = Math.max(offered, due)
  }, freshCallMs)
  try {
    await waitWhileArriving(environment.receiver, async () => {
      const isDone = performance.now() - startedAt > minFreshMs
      return isDone && !(await isUnfinished(environment.client, lastBacklogEvent))
    })
  } finally {
    clearInterval(timer)
    await Promise.all(calls)
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} calls of fresh events failed`, { cause: failures[0] })
  return accepted
}

async function newestEvent(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT event_id AS id FROM inbox ORDER BY event_id DESC LIMIT 1',
  )
  const [row] = rows
  if (row === undefined) throw new Error('the inbox is empty, so there is no backlog')
  return row.id
}

/** Returns whether an event up to this id is not routed or not delivered. */
async function isUnfinished(client: Client, upTo: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `SELECT EXISTS (SELECT FROM inbox WHERE event_id <= $1) OR EXISTS (SELECT FROM work WHERE event_id <= $1) AS is`,
    [upTo],
  )
  return rows[0]?.is ?? true
}

/** Waits until the queue is empty. No event arrives after that. */
async function waitUntilDrained({ client, receiver }: Environment): Promise<void> {
  await waitWhileArriving(
    receiver,
    async () => !(await isUnfinished(client, 'ffffffff-ffff-ffff-ffff-ffffffffffff')),
  )
}

async function waitWhileArriving(receiver: Child, isFinished: () => Promise<boolean>): Promise<void> {
  let lastCount = -1
  let changedAt = performance.now()
  while (!(await isFinished())) {
    const count = await query(receiver, 'count')
    if (count !== lastCount) changedAt = performance.now()
    if (performance.now() - changedAt > timeoutMs)
      throw new Error(`no arrival for ${timeoutMs} ms before all events were delivered`)
    lastCount = count
    await sleep(200)
  }
}

async function reportArrivals(
  { receiver }: Environment,
  accepted: readonly AcceptedEvent[],
  startedAt: number,
): Promise<boolean> {
  const byId = readArrivals(await query(receiver, 'arrivals'))
  const lost = accepted.filter(({ id }) => !byId.has(id.replaceAll('-', ''))).length
  const sends = [...byId.values()].reduce((sum, group) => sum + group.length, 0)
  const extra = sends - (accepted.length - lost)
  console.log(`\n${accepted.length} events accepted, ${sends} requests: ${lost} lost, ${extra} extra`)

  const firstAt = (id: string): number => byId.get(id.replaceAll('-', ''))?.[0] ?? Number.NaN
  const backlog = accepted.filter(({ kind }) => kind === 'backlog')
  const seconds = (backlog.reduce((last, { id }) => Math.max(last, firstAt(id)), 0) - startedAt) / 1_000
  console.log(
    `backlog: ${backlog.length} events in ${seconds.toFixed(1)} s from worker start, ${Math.round(backlog.length / seconds)}/s`,
  )
  for (const kind of ['fresh, backlog', 'fresh, no backlog'] as const) {
    const group = accepted.filter((event) => event.kind === kind)
    const delays = group.map(({ id }) => firstAt(id) - acceptedMs(id)).toSorted((a, b) => a - b)
    const [p50, p99, maxMs] = [0.5, 0.99, 1].map((ratio) => percentile(delays, ratio))
    const where = kind === 'fresh, backlog' ? 'accounts with a backlog' : 'accounts without a backlog'
    console.log(`fresh events of ${where}: ${group.length}, p50 ${p50} ms, p99 ${p99} ms, max ${maxMs} ms`)
  }
  return lost === 0 && extra === 0
}

/** Returns the acceptance time in the UUIDv7. */
function acceptedMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** Prints the events by source. Returns whether both sources were used; otherwise the run proves nothing. */
async function reportSources(workers: readonly ServiceProcess[]): Promise<boolean> {
  const counts = new Map<string, number>()
  for (const { internalUrl } of workers) {
    const text = await (await fetch(`${internalUrl}/metrics`)).text()
    for (const [, source = '', count] of text.matchAll(
      /^hookline_fresh_events_total\{source="(\w+)"\} (\d+)$/gm,
    ))
      counts.set(source, (counts.get(source) ?? 0) + Number(count))
  }
  const [handedOff = 0, byInbox = 0] = ['handoff', 'inbox'].map((source) => counts.get(source))
  const ratio = ((100 * handedOff) / (handedOff + byInbox)).toFixed(1)
  console.log(`${handedOff} handed off (${ratio}%), ${byInbox} from the inbox`)
  return handedOff > 0 && byInbox > 0
}
