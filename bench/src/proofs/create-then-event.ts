/**
 * Proves two guarantees with an api process and three workers. An event that is accepted after a hook was created is
 * matched against the hook. No attempt starts later than a second after a hook was deleted or disabled. Each pair
 * creates a hook over HTTP and then immediately submits an event that only this hook matches. Later, some hooks are
 * deleted or disabled while they have pending events and get more. All times are from the clock of this process.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { startServices } from '../../../dev/services.ts'
import { type Database, openDatabase } from '../../../server/src/db/database.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { setHookEnabled } from '../../../server/src/hooks/set-enabled.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { createProducer } from '../../../server/src/identity/keys/producers.ts'
import { openVault } from '../../../server/src/vault/vault.ts'
import { createBenchDatabase } from '../support/database.ts'
import { percentile } from '../support/load.ts'

const pairsPerAccount = 20
const concurrentPairs = 32
const concurrentDeactivations = 12
const maxDeactivations = 400
/** Pending events of a hook when it is deleted: more than the workers attempt at once. */
const waitingEvents = 60
const continuedLoadMs = 1_500
const maxStopMs = 1_000

interface Account {
  id: number
  key: string
}

interface Pair {
  account: Account
  /** Number that is unique to the hook and events of this pair. */
  system: string
  hook: number
  event: string
  acceptedAt: number
}

interface Environment {
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
  // Set later to a delay that leaves events pending when a hook is deleted.
  let responseDelayMs = 0
  const receiver = await startReceiver(async (_request, response) => {
    if (responseDelayMs > 0) await sleep(responseDelayMs)
    response.writeHead(204).end()
  })
  const processes: ServiceProcess[] = []
  // On a signal, exit listeners kill the processes. The next run drops the database.
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
      [Math.ceil(count / pairsPerAccount)],
    )
    const environment: Environment = { db, api, receiver, ...(await createKeys(db, masterKey, rows)) }

    const pairs = await createPairs(environment, count)
    const areMatched = await reportPairs(environment, pairs)
    responseDelayMs = 100
    const areStopped = reportDeactivations(await deactivateHooks(environment, pairs))
    console.log(`\ncreate-then-event: ${areMatched && areStopped ? 'passed' : 'FAILED'}`)
    if (!areMatched || !areStopped) process.exitCode = 1
  } finally {
    for (const running of processes) await running.stop()
    await receiver.close()
    await db.destroy()
    await drop()
  }
}

async function createKeys(
  db: Database,
  masterKey: string,
  rows: ReadonlyArray<{ id: number }>,
): Promise<Pick<Environment, 'accounts' | 'producerKey'>> {
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const accounts: Account[] = []
  for (const { id } of rows) {
    const created = await createKey(db, vault, 'operator', { accountId: id, name: 'prove', scopes: ['all'] })
    accounts.push({ id, key: created.key })
  }
  return { accounts, producerKey: (await createProducer(db, vault, 'operator', 'prove')).key }
}

async function createPairs(environment: Environment, count: number): Promise<Pair[]> {
  const startedAt = performance.now()
  const pairs: Pair[] = []
  await forEachConcurrently(concurrentPairs, count, async (index) => {
    const account = environment.accounts[index % environment.accounts.length]
    if (account === undefined) throw new Error('no account')
    const system = String(490_000_000_000 + index)
    const hook = await createHook(environment, account, system, index)
    const [event = ''] = await submitEvents(environment, account, system, 1)
    pairs.push({ account, system, hook, event, acceptedAt: Date.now() })
    if (pairs.length % 2_000 === 0) console.log(`${pairs.length} of ${count} pairs`)
  })
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`${count} pairs in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)}/s`)
  return pairs
}

/** Creates a hook. Every third filters by a CEL expression, the others by the plain number. */
async function createHook(
  environment: Environment,
  account: Account,
  system: string,
  index: number,
): Promise<number> {
  const filter = index % 3 === 0 ? `cel:data.system == "${system}"` : system
  const body = new URLSearchParams({
    target_url: environment.receiver.url('/'),
    event_type: 'sms_mo',
    request_method: 'JSON',
    event_filter: filter,
  })
  const response = await fetch(`${environment.api.url}/api/hooks`, {
    method: 'POST',
    headers: { 'x-api-key': account.key },
    body,
  })
  const json = (await response.json()) as { success: boolean; id: number }
  if (!json.success) throw new Error(`hook creation failed: ${JSON.stringify(json)}`)
  return json.id
}

async function submitEvents(
  environment: Environment,
  account: Account,
  system: string,
  count: number,
): Promise<string[]> {
  const data = { id: '1', sender: '491700000001', system, text: 'Hello', time: '1731656400' }
  const events = Array.from({ length: count }, () => ({ account_id: account.id, type: 'sms_mo', data }))
  const response = await fetch(`${environment.api.internalUrl}/intake/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${environment.producerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
  })
  const json = (await response.json()) as { accepted: string[] }
  if (response.status !== 202 || json.accepted.length !== count)
    throw new Error(`events were not accepted: ${response.status} ${JSON.stringify(json)}`)
  return json.accepted
}

/** Returns the hooks and times of all arrivals by event. */
function arrivals(receiver: Receiver): Map<string, { hook: number; at: number }[]> {
  const byEvent = new Map<string, { hook: number; at: number }[]>()
  for (const { headers, at } of receiver.requests) {
    const event = String(headers['webhook-id'])
    byEvent.set(event, [...(byEvent.get(event) ?? []), { hook: Number(headers['x-hookline-hook']), at }])
  }
  return byEvent
}

async function reportPairs({ receiver }: Environment, pairs: readonly Pair[]): Promise<boolean> {
  // An event that does not arrive counts as missed and does not abort the run.
  await receiver.until((received) => received.length >= pairs.length, 30_000).catch(() => {})
  const byEvent = arrivals(receiver)
  const reached = pairs.map((pair) => byEvent.get(pair.event) ?? [])
  const missed = pairs.filter((pair, index) => !reached[index]?.some(({ hook }) => hook === pair.hook))
  const wrong = pairs.filter((pair, index) => reached[index]?.some(({ hook }) => hook !== pair.hook))
  const twice = reached.filter((group) => group.length > 1)
  const waits = pairs
    .flatMap((pair, index) => reached[index]?.slice(0, 1).map(({ at }) => at - pair.acceptedAt) ?? [])
    .toSorted((a, b) => a - b)
  console.log(
    `events that missed the new hook: ${missed.length} of ${pairs.length}; at another hook: ${wrong.length}; duplicated: ${twice.length}`,
  )
  console.log(
    `from response to arrival: p50 ${percentile(waits, 0.5)} ms, p99 ${percentile(waits, 0.99)} ms, max ${percentile(waits, 1)} ms`,
  )
  return missed.length === 0 && wrong.length === 0 && twice.length === 0
}

interface Deactivation {
  kind: 'deleted' | 'disabled'
  /** Milliseconds from the response to each later arrival. */
  after: number[]
  before: number
}

async function deactivateHooks(environment: Environment, pairs: readonly Pair[]): Promise<Deactivation[]> {
  const count = Math.min(maxDeactivations, Math.ceil(pairs.length / 10))
  const step = Math.floor(pairs.length / count)
  console.log(`\nDeleting or disabling ${count} hooks under load …`)
  const deactivated = new Map<number, { kind: Deactivation['kind']; at: number }>()
  let done = 0
  await forEachConcurrently(concurrentDeactivations, count, async (index) => {
    const pair = pairs[index * step]
    if (pair === undefined) throw new Error('no pair')
    const requestsBefore = environment.receiver.requests.length
    await submitEvents(environment, pair.account, pair.system, waitingEvents)
    const isOfHook = (request: { headers: Record<string, unknown> }): boolean =>
      request.headers['x-hookline-hook'] === String(pair.hook)
    await environment.receiver.until((received) => received.slice(requestsBefore).some(isOfHook), 30_000)
    const kind = index % 2 === 0 ? 'deleted' : 'disabled'
    await (kind === 'deleted' ? deleteHook(environment, pair) : disableHook(environment, pair))
    const at = Date.now()
    deactivated.set(pair.hook, { kind, at })
    while (Date.now() < at + continuedLoadMs)
      await submitEvents(environment, pair.account, pair.system, 2).then(() => sleep(50))
    if (++done % 100 === 0) console.log(`${done} of ${count} hooks`)
  })
  await sleep(maxStopMs)
  const byHook = Map.groupBy(environment.receiver.requests, ({ headers }) =>
    Number(headers['x-hookline-hook']),
  )
  return [...deactivated].map(([hook, { kind, at }]) => {
    const delays = (byHook.get(hook) ?? []).map((request) => request.at - at)
    return {
      kind,
      after: delays.filter((delay) => delay > 0),
      before: delays.filter((delay) => delay <= 0).length,
    }
  })
}

async function deleteHook(environment: Environment, { account, hook }: Pair): Promise<void> {
  const response = await fetch(`${environment.api.url}/api/hooks?id=${hook}`, {
    method: 'DELETE',
    headers: { 'x-api-key': account.key },
  })
  const json = (await response.json()) as { success: boolean }
  if (!json.success) throw new Error(`hook deletion failed: ${JSON.stringify(json)}`)
}

async function disableHook({ db }: Environment, { account, hook }: Pair): Promise<void> {
  const change = { enabled: false, reason: 'operator' } as const
  if (!(await setHookEnabled(db, 'operator', account.id, hook, change)))
    throw new Error('hook was not disabled')
}

function reportDeactivations(deactivations: readonly Deactivation[]): boolean {
  let late = 0
  for (const kind of ['deleted', 'disabled'] as const) {
    const group = deactivations.filter((deactivation) => deactivation.kind === kind)
    const after = group.flatMap((deactivation) => deactivation.after)
    const tooLate = after.filter((delay) => delay > maxStopMs).length
    late += tooLate
    console.log(
      `${group.length} hooks ${kind}: ${group.reduce((sum, deactivation) => sum + deactivation.before, 0)} arrivals before the response, ` +
        `${after.length} after it, the last after ${Math.max(0, ...after)} ms; later than ${maxStopMs} ms: ${tooLate}`,
    )
  }
  return late === 0
}

/** Runs a step for each index from 0, at most `max` at once. */
async function forEachConcurrently(
  max: number,
  count: number,
  step: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const run = async (): Promise<void> => {
    while (next < count) await step(next++)
  }
  await Promise.all(Array.from({ length: max }, run))
}
