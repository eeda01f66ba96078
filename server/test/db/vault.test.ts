/** Vault keys in PostgreSQL: concurrent starts agree on the keys, and the master key can be rotated. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { vaultKeyStore } from '../../src/db/vault-key-store.ts'
import { createAccount } from '../../src/identity/accounts/accounts.ts'
import { createPasswords } from '../../src/identity/accounts/passwords.ts'
import { createKey } from '../../src/identity/keys/create-key.ts'
import { openVault } from '../../src/vault/vault.ts'
import { startProcess } from '../../../dev/service-process.ts'
import { call } from '../support/http-call.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let database: TestDatabase
let db: Database

beforeEach(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url, 20, () => {})
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
})

const masterKey = randomBytes(32)

async function wrappedKeys(): Promise<string[]> {
  const rows = await database.query<{ wrapped: Buffer }>('SELECT wrapped FROM vault_keys ORDER BY id')
  return rows.map(({ wrapped }) => wrapped.toString('hex'))
}

async function createApiKey(vault: Awaited<ReturnType<typeof openVault>>): Promise<string> {
  const login = { alias: 'vault', email: 'vault@example.com', password: 'a long password' }
  const { accountId } = await createAccount({ db, vault, passwords: createPasswords() }, 'operator', {
    name: 'vault',
    login,
  })
  const created = await createKey(db, vault, 'operator', { accountId, name: 'test', scopes: ['all'] })
  return created.key
}

test('20 concurrent opens of an empty vault agree on its keys', async () => {
  // Opens all connections first, so that the vaults open concurrently.
  await Promise.all(Array.from({ length: 20 }, () => sql`SELECT pg_sleep(0.3)`.execute(db)))
  const vaults = await Promise.all(
    Array.from({ length: 20 }, () => openVault(vaultKeyStore(db), { masterKey })),
  )
  const sealed = vaults.map((vault, index) => vault.seal(`secret ${index}`, 'context'))
  const digests = vaults.map((vault) => vault.digest('secret', 'keys').toString('hex'))
  expect(new Set(digests).size).toBe(1)
  for (const vault of vaults)
    expect(sealed.map((bytes) => vault.open(bytes, 'context'))).toEqual(
      Array.from({ length: 20 }, (_nothing, index) => `secret ${index}`),
    )
  expect(await wrappedKeys()).toHaveLength(2)
})

test('two processes started together on an empty database accept the same API key', async () => {
  const env = { DATABASE_URL: database.url.href, MASTER_KEY: masterKey.toString('base64') }
  const processes = await Promise.all([startProcess(env), startProcess(env)])
  try {
    const key = await createApiKey(await openVault(vaultKeyStore(db), { masterKey }))
    const responses = await Promise.all(processes.map(({ url }) => call(`${url}/api/hooks`, { key })))
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(await wrappedKeys()).toHaveLength(2)
  } finally {
    await Promise.all(processes.map((running) => running.stop()))
  }
})

test('the master key can be rotated while another process runs, and secrets stay readable', async () => {
  const old = await openVault(vaultKeyStore(db), { masterKey })
  const sealed = old.seal('secret', 'context')
  const key = await createApiKey(old)
  const before = await wrappedKeys()
  const next = randomBytes(32).toString('base64')
  const env = { DATABASE_URL: database.url.href, MASTER_KEY: next }

  const rotating = await startProcess({ ...env, PREVIOUS_MASTER_KEY: masterKey.toString('base64') })
  expect((await call(`${rotating.url}/api/hooks`, { key })).status).toBe(200)
  await rotating.stop()
  expect((await wrappedKeys()).filter((wrapped) => before.includes(wrapped))).toEqual([])

  const restarted = await startProcess(env)
  expect((await call(`${restarted.url}/api/hooks`, { key })).status).toBe(200)
  await restarted.stop()
  const now = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(next, 'base64') })
  expect(now.open(sealed, 'context')).toBe('secret')
  // The old process can read new secrets.
  expect(old.open(now.seal('newer', 'context'), 'context')).toBe('newer')
})

test('a wrong master key prevents the start; the error names the setting and contains no key', async () => {
  await openVault(vaultKeyStore(db), { masterKey })
  const wrong = randomBytes(32).toString('base64')
  const starting = startProcess({ DATABASE_URL: database.url.href, MASTER_KEY: wrong })
  const message = await starting.then(
    () => 'started',
    (error: unknown) => String(error),
  )
  expect(message).toContain('exited with code 1')
  expect(message).toContain('MASTER_KEY does not match this database')
  expect(message).not.toContain(wrong)
  expect(message).not.toMatch(/^ +at /m)
})
