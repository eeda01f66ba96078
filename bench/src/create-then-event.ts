/**
 * Proves two promises with one api process and three workers: an event accepted after a hook was created is matched
 * against it, and no attempt starts later than a second after a hook was deleted or disabled. Each pair creates a hook
 * over HTTP, takes the answer and hands in an event that only this hook wants, at once. Then a share of the hooks is
 * deleted or disabled while they have events waiting and more keep coming. Everything is timed by this process's clock.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { type ServiceProcess, startProcess } from '../../dev/service-process.ts'
import { startServices } from '../../dev/services.ts'
import { type Database, openDatabase } from '../../server/src/db/database.ts'
import { vaultKeyStore } from '../../server/src/db/vault-key-store.ts'
import { setHookEnabled } from '../../server/src/hooks/set-enabled.ts'
import { createKey } from '../../server/src/identity/keys/create-key.ts'
import { createProducer } from '../../server/src/identity/keys/producers.ts'
import { openVault } from '../../server/src/vault/vault.ts'
import { createBenchDatabase } from './database.ts'
import { percentile } from './load.ts'

const pairsAnAccount = 20
const pairsAtOnce = 32
const endingsAtOnce = 12
const mostEndings = 400
/** Waiting at a hook when it is deleted: more than the workers attempt at once. */
const waitingEvents = 60
const eventsGoOnMs = 1_500
const promiseMs = 1_000

interface Account {
  id: number
  key: string
}

interface Pair {
  account: Account
  /** The number that only this pair's hook and events have. */
  system: string
  hook: number
  event: string
  acceptedAt: number
}

interface Scene {
  db: Database
  api: ServiceProcess
  receiver: Receiver
  accounts: Account[]
  producerKey: string
}

export async function createThenEvent(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { pairs: { type: 'string', default: '20000' } } })
  const count = Number(values.pairs)
  const { DATABASE_URL } = await startServices(console.log)
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_create_then_event')
  const masterKey = randomBytes(32).toString('base64')
  const db = openDatabase(url, 4, () => {})
  // Slow enough that a hook has events waiting when it is deleted.
  let answerAfterMs = 0
  const receiver = await startReceiver(async (_request, response) => {
    if (answerAfterMs > 0) await sleep(answerAfterMs)
    response.writeHead(204).end()
  })
  const processes: ServiceProcess[] = []
  // Interrupted, it leaves no process behind; the database is dropped by the next run.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  try {
    const env = {
      DATABASE_URL: url.href,
      MASTER_KEY: masterKey,
      ALLOW_PRIVATE_TARGETS: 'true',
      HOOKS_PER_ACCOUNT: '1000',
      HOOK_CHANGES_PER_MINUTE: '1000000',
      HOOK_CHANGES_PER_DAY: '1000000',
      CALLS_PER_MINUTE: '1000000',
    }
    for (const role of ['api', 'worker', 'worker', 'worker']) processes.push(await startProcess(env, role))
    const [api] = processes
    if (api === undefined) throw new Error('no api process')
    const { rows } = await client.query<{ id: number }>(
      "INSERT INTO accounts (name) SELECT 'account ' || n FROM generate_series(1, $1::integer) AS n RETURNING id",
      [Math.ceil(count / pairsAnAccount)],
    )
    const scene: Scene = { db, api, receiver, ...(await makeKeys(db, masterKey, rows)) }

    const pairs = await createPairs(scene, count)
    const areMatched = await reportPairs(scene, pairs)
    answerAfterMs = 100
    const areEnded = reportEndings(await endHooks(scene, pairs))
    console.log(
      `\ncreate-then-event: ${areMatched && areEnded ? 'the promises held' : 'A PROMISE WAS BROKEN'}`,
    )
    if (!areMatched || !areEnded) process.exitCode = 1
  } finally {
    for (const running of processes) await running.stop()
    await receiver.close()
    await db.destroy()
    await drop()
  }
}

async function makeKeys(
  db: Database,
  masterKey: string,
  rows: ReadonlyArray<{ id: number }>,
): Promise<Pick<Scene, 'accounts' | 'producerKey'>> {
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const accounts: Account[] = []
  for (const { id } of rows) {
    const made = await createKey(db, vault, 'operator', { accountId: id, name: 'prove', scopes: ['all'] })
    accounts.push({ id, key: made.key })
  }
  return { accounts, producerKey: (await createProducer(db, vault, 'operator', 'prove')).key }
}

async function createPairs(scene: Scene, count: number): Promise<Pair[]> {
  const startedAt = performance.now()
  const pairs: Pair[] = []
  await atOnce(pairsAtOnce, count, async (place) => {
    const account = scene.accounts[place % scene.accounts.length]
    if (account === undefined) throw new Error('no account')
    const system = String(490_000_000_000 + place)
    const hook = await createHook(scene, account, system, place)
    const [event = ''] = await handIn(scene, account, system, 1)
    pairs.push({ account, system, hook, event, acceptedAt: Date.now() })
    if (pairs.length % 2_000 === 0) console.log(`${pairs.length} of ${count} pairs`)
  })
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`${count} pairs in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)}/s`)
  return pairs
}

/** Every third by an expression, the others by the plain number. */
async function createHook(scene: Scene, account: Account, system: string, place: number): Promise<number> {
  const filter = place % 3 === 0 ? `cel:data.system == "${system}"` : system
  const body = new URLSearchParams({
    target_url: scene.receiver.url('/'),
    event_type: 'sms_mo',
    request_method: 'JSON',
    event_filter: filter,
  })
  const response = await fetch(`${scene.api.url}/api/hooks`, {
    method: 'POST',
    headers: { 'x-api-key': account.key },
    body,
  })
  const answer = (await response.json()) as { success: boolean; id: number }
  if (!answer.success) throw new Error(`a hook was not created: ${JSON.stringify(answer)}`)
  return answer.id
}

async function handIn(scene: Scene, account: Account, system: string, count: number): Promise<string[]> {
  const data = { id: '1', sender: '491700000001', system, text: 'Hello', time: '1731656400' }
  const events = Array.from({ length: count }, () => ({ account_id: account.id, type: 'sms_mo', data }))
  const response = await fetch(`${scene.api.internalUrl}/intake/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.producerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
  })
  const answer = (await response.json()) as { accepted: string[] }
  if (response.status !== 202 || answer.accepted.length !== count)
    throw new Error(`events were not accepted: ${response.status} ${JSON.stringify(answer)}`)
  return answer.accepted
}

/** Where each event arrived first, and when. */
function arrivals(receiver: Receiver): Map<string, { hook: number; at: number }[]> {
  const byEvent = new Map<string, { hook: number; at: number }[]>()
  for (const { headers, at } of receiver.requests) {
    const event = String(headers['webhook-id'])
    byEvent.set(event, [...(byEvent.get(event) ?? []), { hook: Number(headers['x-hookline-hook']), at }])
  }
  return byEvent
}

async function reportPairs({ receiver }: Scene, pairs: readonly Pair[]): Promise<boolean> {
  // One that never comes is a miss, not a broken run.
  await receiver.until((got) => got.length >= pairs.length, 30_000).catch(() => {})
  const byEvent = arrivals(receiver)
  const reached = pairs.map((pair) => byEvent.get(pair.event) ?? [])
  const missed = pairs.filter((pair, place) => !reached[place]?.some(({ hook }) => hook === pair.hook))
  const wrong = pairs.filter((pair, place) => reached[place]?.some(({ hook }) => hook !== pair.hook))
  const twice = reached.filter((own) => own.length > 1)
  const waits = pairs
    .flatMap((pair, place) => reached[place]?.slice(0, 1).map(({ at }) => at - pair.acceptedAt) ?? [])
    .toSorted((a, b) => a - b)
  console.log(
    `events that missed the hook created just before: ${missed.length} of ${pairs.length}; at another hook: ${wrong.length}; twice: ${twice.length}`,
  )
  console.log(
    `from the answer to the arrival: p50 ${percentile(waits, 0.5)} ms, p99 ${percentile(waits, 0.99)} ms, max ${percentile(waits, 1)} ms`,
  )
  return missed.length === 0 && wrong.length === 0 && twice.length === 0
}

interface Ending {
  kind: 'deleted' | 'disabled'
  /** Arrivals after the answer, in milliseconds after it. */
  after: number[]
  before: number
}

async function endHooks(scene: Scene, pairs: readonly Pair[]): Promise<Ending[]> {
  const count = Math.min(mostEndings, Math.ceil(pairs.length / 10))
  const step = Math.floor(pairs.length / count)
  console.log(`\nDeleting or disabling ${count} hooks under load …`)
  const answered = new Map<number, { kind: Ending['kind']; at: number }>()
  let done = 0
  await atOnce(endingsAtOnce, count, async (place) => {
    const pair = pairs[place * step]
    if (pair === undefined) throw new Error('no pair')
    const known = scene.receiver.requests.length
    await handIn(scene, pair.account, pair.system, waitingEvents)
    const isHere = (request: { headers: Record<string, unknown> }): boolean =>
      request.headers['x-hookline-hook'] === String(pair.hook)
    await scene.receiver.until((got) => got.slice(known).some(isHere), 30_000)
    const kind = place % 2 === 0 ? 'deleted' : 'disabled'
    await (kind === 'deleted' ? deleteHook(scene, pair) : disableHook(scene, pair))
    const at = Date.now()
    answered.set(pair.hook, { kind, at })
    while (Date.now() < at + eventsGoOnMs)
      await handIn(scene, pair.account, pair.system, 2).then(() => sleep(50))
    if (++done % 100 === 0) console.log(`${done} of ${count} hooks`)
  })
  await sleep(promiseMs)
  const byHook = Map.groupBy(scene.receiver.requests, ({ headers }) => Number(headers['x-hookline-hook']))
  return [...answered].map(([hook, { kind, at }]) => {
    const delays = (byHook.get(hook) ?? []).map((request) => request.at - at)
    return {
      kind,
      after: delays.filter((delay) => delay > 0),
      before: delays.filter((delay) => delay <= 0).length,
    }
  })
}

async function deleteHook(scene: Scene, { account, hook }: Pair): Promise<void> {
  const response = await fetch(`${scene.api.url}/api/hooks?id=${hook}`, {
    method: 'DELETE',
    headers: { 'x-api-key': account.key },
  })
  const answer = (await response.json()) as { success: boolean }
  if (!answer.success) throw new Error(`a hook was not deleted: ${JSON.stringify(answer)}`)
}

async function disableHook({ db }: Scene, { account, hook }: Pair): Promise<void> {
  const change = { enabled: false, reason: 'prove' } as const
  if (!(await setHookEnabled(db, 'operator', account.id, hook, change)))
    throw new Error('a hook was not disabled')
}

function reportEndings(endings: readonly Ending[]): boolean {
  let late = 0
  for (const kind of ['deleted', 'disabled'] as const) {
    const own = endings.filter((ending) => ending.kind === kind)
    const after = own.flatMap((ending) => ending.after)
    const tooLate = after.filter((delay) => delay > promiseMs).length
    late += tooLate
    console.log(
      `${own.length} hooks ${kind}: ${own.reduce((sum, ending) => sum + ending.before, 0)} arrivals before the answer, ` +
        `${after.length} after it, the last ${Math.max(0, ...after)} ms after; later than ${promiseMs} ms: ${tooLate}`,
    )
  }
  return late === 0
}

/** Runs a step for each place from 0, so many at once. */
async function atOnce(most: number, count: number, step: (place: number) => Promise<void>): Promise<void> {
  let next = 0
  const run = async (): Promise<void> => {
    while (next < count) await step(next++)
  }
  await Promise.all(Array.from({ length: most }, run))
}
