/**
 * `npm run prove -- tail`: events are committed by fast transactions and by slow ones that began before them, while a live
 * tail is cut again and again and its server is killed. Every event must come once, in the order of its transactions.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { type ServiceProcess, startProcess } from '../../dev/service-process.ts'
import { startServices } from '../../dev/services.ts'
import { openTail } from '../../dev/tail-reader.ts'
import { openDatabase } from '../../server/src/db/database.ts'
import { vaultKeyStore } from '../../server/src/db/vault-key-store.ts'
import { createKey } from '../../server/src/identity/keys/create-key.ts'
import { openVault } from '../../server/src/vault/vault.ts'
import { createBenchDatabase } from './database.ts'
import { createUndo } from './undo.ts'

const eventsATransaction = 20
const writers = 4
const slowestMs = 3_000
const patienceMs = 60_000

export async function proveTail(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '50000' },
      cuts: { type: 'string', default: '100' },
      kills: { type: 'string', default: '5' },
    },
  })
  const undo = createUndo()
  try {
    const isHeld = await play(Number(values.events), Number(values.cuts), Number(values.kills), undo.push)
    console.log(`\ntail: ${isHeld ? 'the promise held' : 'THE PROMISE WAS BROKEN'}`)
    if (!isHeld) process.exitCode = 1
  } finally {
    await undo.all()
  }
}

async function play(
  events: number,
  cuts: number,
  kills: number,
  keepUndo: (step: () => unknown) => void,
): Promise<boolean> {
  const { DATABASE_URL } = await startServices(() => {})
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_tail')
  keepUndo(drop)
  const masterKey = randomBytes(32).toString('base64')
  const { accountId, key } = await createAccount(url, client, masterKey)
  const start = async (): Promise<ServiceProcess> => {
    const started = await startProcess({ DATABASE_URL: url.href, MASTER_KEY: masterKey }, 'api')
    keepUndo(() => started.stop())
    return started
  }
  let api = await start()
  const total = Math.ceil(events / eventsATransaction / writers) * eventsATransaction * writers
  const got: string[] = []
  let lastId: string | undefined
  let seen = 0
  let killed = 0

  const first = await openTail(`${api.url}/api/events/stream`, { headers: { 'x-api-key': key } })
  while (first.lastId() === undefined) await sleep(10)
  lastId = first.lastId()
  first.cut()
  const writing = write(url, accountId, total)
  for (let round = 0; got.length < total; round++) {
    const stopAt = Math.min(total, Math.ceil(((round + 1) * total) / (cuts + 1)))
    const reader = await openTail(`${api.url}/api/events/stream`, {
      headers: { 'x-api-key': key },
      lastEventId: lastId,
      onMessage({ id, data }) {
        if (got.length >= stopAt) return
        got.push(data.id)
        lastId = id
      },
    })
    const endsAt = performance.now() + patienceMs
    while (got.length < stopAt && performance.now() < endsAt) await sleep(2)
    reader.cut()
    if (got.length === seen) break
    seen = got.length
    if (killed < kills && round % Math.ceil(cuts / kills) === 1) {
      api.child.kill('SIGKILL')
      api = await start()
      killed++
    }
  }
  await writing
  const { rows } = await client.query<{ id: string }>('SELECT id FROM events ORDER BY xid, id')
  const expected = rows.map(({ id }) => id)
  const isHeld =
    expected.length === total && expected.every((id, place) => got[place] === id) && got.length === total
  console.log(
    `${total} events, ${cuts} cuts, ${killed} kills: ${got.length} came, ${got.length - new Set(got).size} twice`,
  )
  return isHeld
}

/** Transactions that each write some events and commit at once, or after a while, in whatever order that gives. */
async function write(url: URL, accountId: number, total: number): Promise<void> {
  await Promise.all(
    Array.from({ length: writers }, async () => {
      const own = new Client({ connectionString: url.href })
      await own.connect()
      for (let done = 0; done < total / writers; done += eventsATransaction) {
        await own.query('BEGIN')
        await own.query('SELECT begin_ledger_write()')
        await own.query(
          `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
           SELECT $1, uuid_v7(now()), 'sms_mo', '{}', 1, now() FROM generate_series(1, $2::integer)`,
          [accountId, eventsATransaction],
        )
        if (Math.random() < 0.02) await sleep(Math.random() * slowestMs)
        await own.query('COMMIT')
        await sleep(5)
      }
      await own.end()
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
