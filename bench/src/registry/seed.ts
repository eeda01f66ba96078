/** Seeds a database with the accounts, keys and hooks of a large installation. */
import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { openDatabase } from '../../../server/src/db/database.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { openVault } from '../../../server/src/vault/vault.ts'
import { createBenchDatabase } from '../support/database.ts'

export interface RegistryDatabase {
  url: URL
  masterKey: string
  /** API keys of accounts spread over the whole table. */
  keys: string[]
  drop: () => Promise<void>
}

interface Size {
  accounts: number
  hooks: number
  /** Number of accounts that make calls. */
  callers: number
}

export async function createRegistryDatabase(
  server: string,
  name: string,
  size: Size,
): Promise<RegistryDatabase> {
  const database = await createBenchDatabase(server, name)
  const { client, url } = database
  await client.query(
    "INSERT INTO accounts (name) SELECT 'account ' || n FROM generate_series(1, $1::integer) AS n",
    [size.accounts],
  )
  await insertHooks(client, size)
  await insertOtherKeys(client, size)
  await client.query('VACUUM ANALYZE')

  const masterKey = randomBytes(32).toString('base64')
  const keys = await createCallerKeys(url, masterKey, size)
  return {
    url,
    masterKey,
    keys,
    drop: database.drop,
  }
}

/** Inserts hooks. One account in twenty has half of all hooks (100 each at full size). All accounts share the rest. */
async function insertHooks(client: Client, size: Size): Promise<void> {
  const large = Math.floor(size.hooks / 2)
  const insert = (count: number, account: string): Promise<unknown> =>
    client.query(
      `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, event_filter, fingerprint)
       SELECT ${account}, url, url, (ARRAY['all','sms_mo','dlr','voice_status'])[1 + n % 4],
              (ARRAY['POST','GET','JSON'])[1 + n % 3],
              CASE WHEN n % 2 = 0 THEN (491700000000 + n)::text END, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
       FROM generate_series(1, $1::integer) AS n,
            LATERAL (SELECT 'https://receiver-' || n || '.example.com/webhooks/inbound?tenant=' || md5(n::text)) AS target (url)`,
      [count],
    )
  if (size.hooks === 0) return
  await insert(large, `20 * (1 + n % ${size.accounts / 20})`)
  await insert(size.hooks - large, `1 + n % ${size.accounts}`)
}

async function insertOtherKeys(client: Client, size: Size): Promise<void> {
  await client.query(
    `INSERT INTO keys (account_id, name, prefix, digest, sealed, scopes)
     SELECT n, 'key', 'hlk_0000', sha256(('key' || n)::bytea), sha256(('sealed' || n)::bytea), '{all}'
     FROM generate_series(1, $1::integer) AS n`,
    [size.accounts],
  )
}

async function createCallerKeys(url: URL, masterKey: string, size: Size): Promise<string[]> {
  const db = openDatabase(url, 4, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const step = size.accounts / size.callers
  const keys: string[] = []
  for (let caller = 0; caller < size.callers; caller++) {
    const accountId = 1 + Math.floor(caller * step)
    const requested = { accountId, name: 'caller', scopes: ['all'] as const }
    keys.push((await createKey(db, vault, 'operator', requested)).key)
  }
  await db.destroy()
  return keys
}
