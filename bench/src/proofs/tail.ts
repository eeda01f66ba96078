/**
 * `npm run prove -- tail`: fast transactions commit events while slower, older transactions are open. Meanwhile a live
 * tail is disconnected repeatedly and its server is killed. Every event must arrive once, in the order of the
 * transactions.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { startServices } from '../../../dev/services.ts'
import { openTail } from '../../../dev/tail-reader.ts'
import { openDatabase } from '../../../server/src/db/database.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { openVault } from '../../../server/src/vault/vault.ts'
import { createBenchDatabase } from '../support/database.ts'
import { createCleanup } from '../support/cleanup.ts'

const eventsPerTransaction = 20
const writers = 4
const maxTransactionMs = 3_000
const timeoutMs = 60_000

export async function proveTail(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '50000' },
      cuts: { type: 'string', default: '100' },
      kills: { type: 'string', default: '5' },
    },
  })
  const cleanup = createCleanup()
  try {
    const hasPassed = await execute(
      Number(values.events),
      Number(values.cuts),
      Number(values.kills),
      cleanup.push,
    )
    console.log(`\ntail: ${hasPassed ? 'passed' : 'FAILED'}`)
    if (!hasPassed) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}

async function execute(
  events: number,
  cuts: number,
  kills: number,
  addCleanup: (step: () => unknown) => void,
): Promise<boolean> {
  const { DATABASE_URL } = await startServices(() => {})
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_tail')
  addCleanup(drop)
  const masterKey = randomBytes(32).toString('base64')
  const { accountId, key } = await createAccount(url, client, masterKey)
  const start = async (): Promise<ServiceProcess> => {
    const started = await startProcess({ DATABASE_URL: url.href, MASTER_KEY: masterKey }, 'api')
    addCleanup(() => started.stop())
    return started
  }
  let api = await start()
  const total = Math.ceil(events / eventsPerTransaction / writers) * eventsPerTransaction * writers
  const received: string[] = []
  let lastId: string | undefined
  let previousCount = 0
  let killed = 0

  const first = await openTail(`${api.url}/api/events/stream`, { headers: { 'x-api-key': key } })
  while (first.lastId() === undefined) await sleep(10)
  lastId = first.lastId()
  first.cut()
  const writing = write(url, accountId, total)
  for (let round = 0; received.length < total; round++) {
    const stopAt = Math.min(total, Math.ceil(((round + 1) * total) / (cuts + 1)))
    const reader = await openTail(`${api.url}/api/events/stream`, {
      headers: { 'x-api-key': key },
      lastEventId: lastId,
      onMessage({ id, data }) {
        if (received.length >= stopAt) return
        received.push(data.id)
        lastId = id
      },
    })
    const endsAt = performance.now() + timeoutMs
    while (received.length < stopAt && performance.now() < endsAt) await sleep(2)
    reader.cut()
    if (received.length === previousCount) break
    previousCount = received.length
    if (killed < kills && round % Math.ceil(cuts / kills) === 1) {
      api.child.kill('SIGKILL')
      api = await start()
      killed++
    }
  }
  await writing
  const { rows } = await client.query<{ id: string }>('SELECT id FROM events ORDER BY xid, id')
  const expected = rows.map(({ id }) => id)
  const hasPassed =
    expected.length === total &&
    expected.every((id, index) => received[index] === id) &&
    received.length === total
  console.log(
    `${total} events, ${cuts} cuts, ${killed} kills: ${received.length} received, ${received.length - new Set(received).size} duplicates`,
  )
  return hasPassed
}

/** Runs transactions that write events. Some commit after a delay, so that commits are out of order. */
async function write(url: URL, accountId: number, total: number): Promise<void> {
  await Promise.all(
    Array.from({ length: writers }, async () => {
      const client = new Client({ connectionString: url.href })
      await client.connect()
      for (let done = 0; done < total / writers; done += eventsPerTransaction) {
        await client.query('BEGIN')
        await client.query('SELECT begin_ledger_write()')
        await client.query(
          `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
           SELECT $1, uuid_v7(now()), 'sms_mo', '{}', 1, now() FROM generate_series(1, $2::integer)`,
          [accountId, eventsPerTransaction],
        )
        if (Math.random() < 0.02) await sleep(Math.random() * maxTransactionMs)
        await client.query('COMMIT')
        await sleep(5)
      }
      await client.end()
    }),
  )
}

async function createAccount(url: URL, client: Client, masterKey: string) {
  const db = openDatabase(url, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO accounts (name) VALUES ('prove') RETURNING id`,
  )
  const accountId = rows[0]?.id ?? 0
  const { key } = await createKey(db, vault, 'operator', { accountId, name: 'prove', scopes: ['all'] })
  await db.destroy()
  return { accountId, key }
}
