/**
 * Proves that two sources at once lose nothing and send nothing twice: events are accepted while no worker runs, until the
 * stream has forgotten them and only the inbox has them all; then three workers start, and while they work off the
 * backlog, fresh events keep coming by the stream. Each event must arrive once. Says how fast the backlog went, which
 * source brought how much, and how long fresh events took, at accounts with a backlog and at others.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { type ServiceProcess, startProcess } from '../../dev/service-process.ts'
import { startServices } from '../../dev/services.ts'
import { openDatabase } from '../../server/src/db/database.ts'
import { installationName } from '../../server/src/db/installation.ts'
import { vaultKeyStore } from '../../server/src/db/vault-key-store.ts'
import { createKey } from '../../server/src/identity/keys/create-key.ts'
import { createProducer } from '../../server/src/identity/keys/producers.ts'
import { streamNames } from '../../server/src/stream/fresh-events.ts'
import { type Nats, openNats } from '../../server/src/stream/nats.ts'
import { openVault } from '../../server/src/vault/vault.ts'
import { createBenchDatabase } from './database.ts'
import { type Assistant, startAssistant } from './delivery/child.ts'
import { percentile } from './load.ts'
import { type ReceiverAnswers, readArrivals } from './stream-backlog-arrivals.ts'

const busyAccounts = 40
const calmAccounts = 10
const workerCount = 3
const eventsACall = 500
const callsAtOnce = 4
const freshCallMs = 50
/** So that there are enough fresh events to speak of, however small the backlog is. */
const shortestFreshMs = 5_000
/** Without a single arrival for this long, the rest never comes. */
const patienceMs = 60_000
/** For an answer of NATS, also when the machine stands still for a moment. */
const natsMs = 10_000

interface Account {
  id: number
  isBusy: boolean
}

interface Scene {
  client: Client
  api: ServiceProcess
  receiver: Assistant
  producerKey: string
  accounts: readonly Account[]
}

interface AcceptedEvent {
  id: string
  kind: 'backlog' | 'fresh, backlog' | 'fresh, no backlog'
}

export async function streamBacklog(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { events: { type: 'string', default: '300000' }, fresh: { type: 'string', default: '200' } },
  })
  const { DATABASE_URL, NATS_URL } = await startServices(console.log)
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_stream_backlog')
  const masterKey = randomBytes(32).toString('base64')
  const env = { DATABASE_URL: url.href, NATS_URL, MASTER_KEY: masterKey, ALLOW_PRIVATE_TARGETS: 'true' }
  const nats = openNats(new URL(NATS_URL), () => {})
  const processes: ServiceProcess[] = []
  const receiver = await startAssistant(new URL('./stream-backlog-receiver.ts', import.meta.url), {})
  // Interrupted, it leaves no process behind; the database is dropped by the next run, the stream forgets by itself.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  let stream = ''
  try {
    const api = await startProcess(env, 'api')
    processes.push(api)
    const prepared = await prepare(url, masterKey, api.url, await asked(receiver, 'url'))
    ;({ stream } = prepared)
    const scene: Scene = { client, api, receiver, ...prepared }

    const accepted = await fill(scene, Number(values.events))
    await untilForgotten(nats, stream)
    // Read before the workers start: a fast machine empties the inbox within a second.
    const lastOfBacklog = await newestEvent(client)
    const startedAt = Date.now()
    processes.push(
      ...(await Promise.all(Array.from({ length: workerCount }, () => startProcess(env, 'worker')))),
    )
    accepted.push(...(await loadUntilDone(scene, Number(values.fresh), lastOfBacklog)))
    await untilNothingIsLeft(scene)
    const isOnce = await reportArrivals(scene, accepted, startedAt)
    const isByBoth = await reportSources(processes.slice(1))
    console.log(`\nstream-backlog: ${isOnce && isByBoth ? 'the promise held' : 'THE PROMISE WAS BROKEN'}`)
    if (!isOnce || !isByBoth) process.exitCode = 1
  } finally {
    for (const running of processes) await running.stop()
    await receiver.stop()
    if (stream !== '') await deleteStream(nats, stream)
    await nats.close()
    await drop()
  }
}

async function asked<Wanted extends keyof ReceiverAnswers>(
  receiver: Assistant,
  wants: Wanted,
): Promise<ReceiverAnswers[Wanted]> {
  return (await receiver.ask<Pick<ReceiverAnswers, Wanted>>({ wants }))[wants]
}

/** Accounts with a hook each, and a producer. */
async function prepare(url: URL, masterKey: string, apiUrl: string, target: string) {
  const db = openDatabase(url, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const rows = await db
    .insertInto('accounts')
    .values(Array.from({ length: busyAccounts + calmAccounts }, (_, place) => ({ name: `account ${place}` })))
    .returning('id')
    .execute()
  for (const { id } of rows) {
    const { key } = await createKey(db, vault, 'operator', { accountId: id, name: 'prove', scopes: ['all'] })
    await createHook(apiUrl, key, target)
  }
  const prepared = {
    producerKey: (await createProducer(db, vault, 'operator', 'prove')).key,
    accounts: rows.map(({ id }, place) => ({ id, isBusy: place < busyAccounts })),
    stream: streamNames(await installationName(db)).stream,
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
  const answer = (await response.json()) as { success: boolean }
  if (!answer.success) throw new Error(`a hook was not created: ${JSON.stringify(answer)}`)
}

async function handIn({ api, producerKey }: Scene, accounts: readonly Account[]): Promise<string[]> {
  const data = { id: '1', sender: '491700000001', system: '491700000002', text: 'Hello', time: '1731656400' }
  const response = await fetch(`${api.internalUrl}/intake/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${producerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events: accounts.map(({ id }) => ({ account_id: id, type: 'sms_mo', data })) }),
  })
  const answer = (await response.json()) as { accepted?: string[] }
  if (response.status !== 202 || answer.accepted?.length !== accounts.length)
    throw new Error(`events were not accepted: ${response.status} ${JSON.stringify(answer).slice(0, 300)}`)
  return answer.accepted
}

/** So many accounts in turn, from a place on. */
function inTurn(accounts: readonly Account[], first: number, count: number): Account[] {
  return Array.from({ length: count }, (_, place) => accounts[(first + place) % accounts.length]).filter(
    (account) => account !== undefined,
  )
}

async function fill(scene: Scene, count: number): Promise<AcceptedEvent[]> {
  const startedAt = performance.now()
  const busy = scene.accounts.filter(({ isBusy }) => isBusy)
  const accepted: AcceptedEvent[] = []
  let next = 0
  const run = async (): Promise<void> => {
    for (let first = next; first < count; first = next) {
      next += eventsACall
      const ids = await handIn(scene, inTurn(busy, first, Math.min(eventsACall, count - first)))
      for (const id of ids) accepted.push({ id, kind: 'backlog' })
      if (accepted.length % 50_000 === 0) console.log(`${accepted.length} of ${count} accepted`)
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, run))
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`a backlog of ${count} events accepted in ${seconds.toFixed(1)} s, with no worker running`)
  return accepted
}

/** The stream keeps events for seconds: afterwards only the inbox has them. */
async function untilForgotten(nats: Nats, stream: string): Promise<void> {
  const { messages, last_seq: published } = await streamState(nats, stream)
  if (published === 0) throw new Error('nothing was published to the stream')
  console.log(`${published} messages went into the stream, ${messages} are left in it; waiting …`)
  for (let waitedMs = 0; waitedMs < 30_000; waitedMs += 100) {
    if ((await streamState(nats, stream)).messages === 0) return
    await sleep(100)
  }
  throw new Error('the stream still holds messages after 30 s')
}

async function streamState(nats: Nats, stream: string): Promise<{ messages: number; last_seq: number }> {
  const connection = await nats.first
  const answer = await connection.request(`$JS.API.STREAM.INFO.${stream}`, '', { timeout: natsMs })
  return answer.json<{ state: { messages: number; last_seq: number } }>().state
}

async function deleteStream(nats: Nats, stream: string): Promise<void> {
  const connection = await nats.first
  await connection.request(`$JS.API.STREAM.DELETE.${stream}`, '', { timeout: natsMs })
}

/** Half of the fresh events are for accounts that have a backlog, half for others. */
async function loadUntilDone(
  scene: Scene,
  freshPerSecond: number,
  lastOfBacklog: string,
): Promise<AcceptedEvent[]> {
  const groups = [
    { kind: 'fresh, backlog', accounts: scene.accounts.filter(({ isBusy }) => isBusy) },
    { kind: 'fresh, no backlog', accounts: scene.accounts.filter(({ isBusy }) => !isBusy) },
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
      const one = handIn(scene, inTurn(accounts, Math.round(offered / groups.length), count))
        .then((ids) => ids.forEach((id) => accepted.push({ id, kind })))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => calls.delete(one))
      calls.add(one)
    }
    offered = Math.max(offered, due)
  }, freshCallMs)
  try {
    await whileArriving(scene.receiver, async () => {
      const isDone = performance.now() - startedAt > shortestFreshMs
      return isDone && !(await isUnfinished(scene.client, lastOfBacklog))
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
  if (row === undefined) throw new Error('the inbox is empty: this was no backlog')
  return row.id
}

/** Whether an event up to this one is not routed or not delivered. */
async function isUnfinished(client: Client, upTo: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `SELECT EXISTS (SELECT FROM inbox WHERE event_id <= $1) OR EXISTS (SELECT FROM work WHERE event_id <= $1) AS is`,
    [upTo],
  )
  return rows[0]?.is ?? true
}

/** With nothing left to route or to send, what has arrived is all that ever will. */
async function untilNothingIsLeft({ client, receiver }: Scene): Promise<void> {
  await whileArriving(
    receiver,
    async () => !(await isUnfinished(client, 'ffffffff-ffff-ffff-ffff-ffffffffffff')),
  )
}

async function whileArriving(receiver: Assistant, isOver: () => Promise<boolean>): Promise<void> {
  let known = -1
  let changedAt = performance.now()
  while (!(await isOver())) {
    const count = await asked(receiver, 'count')
    if (count !== known) changedAt = performance.now()
    if (performance.now() - changedAt > patienceMs)
      throw new Error(`nothing has arrived for ${patienceMs} ms, and not all is delivered`)
    known = count
    await sleep(200)
  }
}

async function reportArrivals(
  { receiver }: Scene,
  accepted: readonly AcceptedEvent[],
  startedAt: number,
): Promise<boolean> {
  const byId = readArrivals(await asked(receiver, 'arrivals'))
  const lost = accepted.filter(({ id }) => !byId.has(id.replaceAll('-', ''))).length
  const sends = [...byId.values()].reduce((sum, own) => sum + own.length, 0)
  const extra = sends - (accepted.length - lost)
  console.log(`\n${accepted.length} events accepted, ${sends} requests: lost ${lost}, extra sends ${extra}`)

  const firstAt = (id: string): number => byId.get(id.replaceAll('-', ''))?.[0] ?? Number.NaN
  const backlog = accepted.filter(({ kind }) => kind === 'backlog')
  const seconds = (backlog.reduce((last, { id }) => Math.max(last, firstAt(id)), 0) - startedAt) / 1_000
  console.log(
    `backlog: ${backlog.length} events in ${seconds.toFixed(1)} s from the start of the workers, ${Math.round(backlog.length / seconds)}/s`,
  )
  for (const kind of ['fresh, backlog', 'fresh, no backlog'] as const) {
    const own = accepted.filter((event) => event.kind === kind)
    const delays = own.map(({ id }) => firstAt(id) - acceptedMs(id)).toSorted((a, b) => a - b)
    const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => percentile(delays, share))
    const where = kind === 'fresh, backlog' ? 'accounts with a backlog' : 'accounts without one'
    console.log(
      `fresh events of ${where}: ${own.length}, p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`,
    )
  }
  return lost === 0 && extra === 0
}

/** The milliseconds in a version-7 UUID, when the database made it. */
function acceptedMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** A run in which one of them brought nothing proves nothing of the two. */
async function reportSources(workers: readonly ServiceProcess[]): Promise<boolean> {
  const counts = new Map<string, number>()
  for (const { internalUrl } of workers) {
    const text = await (await fetch(`${internalUrl}/metrics`)).text()
    for (const [, source = '', count] of text.matchAll(
      /^hookline_fresh_events_total\{source="(\w+)"\} (\d+)$/gm,
    ))
      counts.set(source, (counts.get(source) ?? 0) + Number(count))
  }
  const [byStream = 0, byInbox = 0] = ['stream', 'inbox'].map((source) => counts.get(source))
  const share = ((100 * byStream) / (byStream + byInbox)).toFixed(1)
  console.log(`taken from the stream ${byStream} (${share} %), from the inbox ${byInbox}`)
  return byStream > 0 && byInbox > 0
}
