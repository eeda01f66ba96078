/**
 * The service as its users meet it: a process of its own, started from the command line, on free ports and a database of
 * its own, called over real HTTP. Accounts and keys are made with the same code as the operator's tool.
 */
import { randomBytes } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../src/db/database.ts'
import { installationName } from '../src/db/installation.ts'
import { vaultKeyStore } from '../src/db/vault-key-store.ts'
import { createAccount } from '../src/identity/accounts/accounts.ts'
import { createPasswords, type Passwords } from '../src/identity/accounts/passwords.ts'
import { createKey } from '../src/identity/keys/create-key.ts'
import type { Scope } from '../src/model/caller.ts'
import { streamNames } from '../src/stream/fresh-events.ts'
import { openVault, type Vault } from '../src/vault/vault.ts'
import { freePort } from '../../dev/ports.ts'
import { type ServiceProcess, startProcess } from '../../dev/service-process.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export interface TestAccount {
  accountId: number
  loginId: number
  key: string
  keyId: number
  alias: string
  email: string
  password: string
}

export interface TestWorld {
  database: TestDatabase
  db: Database
  vault: Vault
  masterKey: string
  service: ServiceProcess
  url: string
  /** An account with a login and a key that may do everything. */
  account: () => Promise<TestAccount>
  key: (accountId: number, options?: KeyOptions) => Promise<{ key: string; keyId: number }>
  /** Another process on the same database. */
  startAnother: (env?: Record<string, string>, role?: string) => Promise<ServiceProcess>
  close: () => Promise<void>
}

interface KeyOptions {
  scopes?: Scope[]
  expiresAt?: Date
  allowedIps?: string[]
}

/** Some test files run twice: on PostgreSQL alone and with JetStream beside it. */
function sourceSettings(): Record<string, string> {
  return process.env.TEST_SOURCE === 'jetstream' ? { NATS_URL: inject('natsUrl') } : {}
}

type Settings = Record<string, string>

/** `role` of the first process; further ones are started by `startAnother`. Settings may follow from the database. */
export async function startWorld(
  env: Settings | ((database: TestDatabase) => Promise<Settings>) = {},
  role = 'all',
): Promise<TestWorld> {
  const database = await createTestDatabase()
  const masterKey = randomBytes(32).toString('base64')
  const settings: Settings = {
    DATABASE_URL: database.url.href,
    MASTER_KEY: masterKey,
    ...sourceSettings(),
    ...(typeof env === 'function' ? await env(database) : env),
  }
  const service = await startProcess(settings, role)
  const processes = [service]
  const db = openDatabase(database.url, 4, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const passwords = await createPasswords()

  const key: TestWorld['key'] = (accountId, options = {}) =>
    createKey(db, vault, 'operator', { accountId, name: 'test', scopes: ['all'], ...options })

  return {
    database,
    db,
    vault,
    masterKey,
    service,
    url: service.url,
    key,
    account: async () => {
      const made = await newAccount(db, passwords)
      return { ...made, ...(await key(made.accountId)) }
    },
    async startAnother(more = {}, anotherRole = 'all') {
      const another = await startProcess({ ...settings, ...more }, anotherRole)
      processes.push(another)
      return another
    },
    async close() {
      await Promise.all(processes.map((running) => running.stop()))
      if (settings.NATS_URL !== undefined) await removeStream(db, settings.NATS_URL)
      await db.destroy()
      await database.drop()
    },
  }
}

/** As people reach it with a browser: under the address that it knows as its own. */
export async function startAreaWorld(env: Record<string, string> = {}, role = 'api'): Promise<TestWorld> {
  const port = await freePort()
  return startWorld({ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, ...env }, role)
}

/** The server reserves memory for each stream, and every database has its own. */
async function removeStream(db: Database, natsUrl: string): Promise<void> {
  const connection = await connect({ servers: new URL(natsUrl).host })
  const manager = await jetstreamManager(connection)
  await manager.streams.delete(streamNames(await installationName(db)).stream).catch(() => {})
  await connection.close()
}

async function newAccount(db: Database, passwords: Passwords) {
  const alias = `user-${randomBytes(6).toString('hex')}`
  const login = { alias, email: `${alias}@example.com`, password: randomBytes(12).toString('hex') }
  const made = await createAccount(db, passwords, 'operator', { name: alias, login })
  return { accountId: made.accountId, loginId: made.loginId ?? 0, ...login }
}
