/** Writes events in transactions of different length, so that they commit in another order than they began. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { openDatabase } from '../../../server/src/db/database.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { openVault } from '../../../server/src/vault/vault.ts'

const eventsPerTransaction = 20
const writers = 4
const maxTransactionMs = 3_000
const reconnectMs = 100

/** The number of events that all writers together write, at least this many. */
export function totalOf(events: number): number {
  return Math.ceil(events / eventsPerTransaction / writers) * eventsPerTransaction * writers
}

/** A transaction whose connection is lost is repeated. If it had committed, there are more events in the end. */
export async function writeOutOfOrder(url: URL, accountId: number, total: number): Promise<void> {
  await Promise.all(
    Array.from({ length: writers }, async () => {
      let client = await connect(url)
      for (let done = 0; done < total / writers; done += eventsPerTransaction)
        try {
          await writeTransaction(client, accountId)
          await sleep(5)
        } catch {
          done -= eventsPerTransaction
          client = await reconnect(url)
        }
      await client.end()
    }),
  )
}

async function writeTransaction(client: Client, accountId: number): Promise<void> {
  await client.query('BEGIN')
  await client.query('SELECT begin_ledger_write()')
  await client.query(
    `INSERT INTO events (account_id, id, type, data, producer_id, accepted_at)
     SELECT $1, uuid_v7(now()), 'sms_mo', '{}', 1, now() FROM generate_series(1, $2::integer)`,
    [accountId, eventsPerTransaction],
  )
  if (Math.random() < 0.02) await sleep(Math.random() * maxTransactionMs)
  await client.query('COMMIT')
}

async function connect(url: URL): Promise<Client> {
  const client = new Client({ connectionString: url.href })
  // A lost connection also fails the next query.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function reconnect(url: URL): Promise<Client> {
  for (;;)
    try {
      return await connect(url)
    } catch {
      await sleep(reconnectMs)
    }
}

/** Creates an account with a key that has all scopes. */
export async function createAccount(
  url: URL,
  masterKey: string,
): Promise<{ accountId: number; key: string }> {
  const db = openDatabase(url, 2, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const { id: accountId } = await db
    .insertInto('accounts')
    .values({ name: 'prove' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { key } = await createKey(db, vault, 'operator', { accountId, name: 'prove', scopes: ['all'] })
  await db.destroy()
  return { accountId, key }
}
