/**
 * Starts the service as a separate process from the command line, on free ports and with its own database. Tests call it
 * over HTTP. Accounts and keys are created with the code of the admin CLI.
 */
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { vaultKeyStore } from '../../src/db/vault-key-store.ts'
import { createAccount } from '../../src/identity/accounts/accounts.ts'
import { createPasswords, type Passwords } from '../../src/identity/accounts/passwords.ts'
import { createKey } from '../../src/identity/keys/create-key.ts'
import type { Scope } from '../../src/model/caller.ts'
import { openVault, type Vault } from '../../src/vault/vault.ts'
import { freePort } from '../../../dev/ports.ts'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
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

export interface TestService {
  database: TestDatabase
  db: Database
  vault: Vault
  masterKey: string
  service: ServiceProcess
  /** The process that delivers: `service`, unless the roles are apart. */
  worker: ServiceProcess
  url: string
  /** Creates an account with a login and a key with all scopes. */
  account: () => Promise<TestAccount>
  key: (accountId: number, options?: KeyOptions) => Promise<{ key: string; keyId: number }>
  /** Starts another process on the same database. */
  startAnother: (env?: Record<string, string>, role?: string) => Promise<ServiceProcess>
  close: () => Promise<void>
}

interface KeyOptions {
  scopes?: Scope[]
  expiresAt?: Date
  allowedIps?: string[]
  isSignatureRequired?: boolean
}

/** Some test files run twice: in one process, and with api and worker apart, which hands off deliveries by NATS. */
const isApart = process.env.TEST_ROLES === 'apart'

type Settings = Record<string, string>

/** `role` is the role of the first process. Settings may depend on the database. */
export async function startTestService(
  env: Settings | ((database: TestDatabase) => Promise<Settings>) = {},
  role = 'all',
): Promise<TestService> {
  const database = await createTestDatabase()
  const masterKey = randomBytes(32).toString('base64')
  const settings: Settings = {
    DATABASE_URL: database.url.href,
    MASTER_KEY: masterKey,
    ...(isApart && { NATS_URL: inject('natsUrl') }),
    ...(typeof env === 'function' ? await env(database) : env),
  }
  const service = await startProcess(settings, isApart && role === 'all' ? 'api' : role)
  const worker = isApart && role === 'all' ? await startProcess(settings, 'worker') : service
  const processes = [...new Set([service, worker])]
  const db = openDatabase(database.url, 4, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  const passwords = createPasswords()

  const key: TestService['key'] = (accountId, options = {}) =>
    createKey(db, vault, 'operator', { accountId, name: 'test', scopes: ['all'], ...options })

  return {
    database,
    db,
    vault,
    masterKey,
    service,
    worker,
    url: service.url,
    key,
    account: async () => {
      const created = await newAccount(db, vault, passwords)
      const account = { ...created, ...(await key(created.accountId)) }
      // Without the notice about the key, which no test is about.
      await database.query('DELETE FROM notices WHERE account_id = $1', [created.accountId])
      return account
    },
    async startAnother(more = {}, anotherRole = 'all') {
      const started = await startProcess({ ...settings, ...more }, anotherRole)
      processes.push(started)
      return started
    },
    async close() {
      await Promise.all(processes.map((running) => running.stop()))
      await db.destroy()
      await database.drop()
    },
  }
}

/** Starts the service with BASE_URL set to its actual URL, as browsers need it. */
export async function startDashboardService(
  env: Record<string, string> = {},
  role = 'api',
): Promise<TestService> {
  const port = await freePort()
  return startTestService({ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, ...env }, role)
}

async function newAccount(db: Database, vault: Vault, passwords: Passwords) {
  const alias = `user-${randomBytes(6).toString('hex')}`
  const login = { alias, email: `${alias}@example.com`, password: randomBytes(12).toString('hex') }
  const created = await createAccount({ db, vault, passwords }, 'operator', { name: alias, login })
  return { accountId: created.accountId, loginId: created.loginId ?? 0, ...login }
}
