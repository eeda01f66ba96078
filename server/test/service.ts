/**
 * The service as its users meet it: a process of its own, started from the command line, on free ports and a database of
 * its own, called over real HTTP. Accounts and keys are made with the same code as the operator's tool.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase } from '../src/db/database.ts'
import { vaultKeyStore } from '../src/db/vault-key-store.ts'
import { createAccount } from '../src/identity/accounts/accounts.ts'
import { createPasswords, type Passwords } from '../src/identity/accounts/passwords.ts'
import { createKey } from '../src/identity/keys/create-key.ts'
import type { Scope } from '../src/model/caller.ts'
import { openVault, type Vault } from '../src/vault/vault.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

const mainFile = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface ServiceProcess {
  url: string
  internalUrl: string
  child: ChildProcess
  /** Everything the process has printed so far. */
  output: () => string
  stop: () => Promise<number | null>
}

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
  startAnother: (env?: Record<string, string>) => Promise<ServiceProcess>
  close: () => Promise<void>
}

interface KeyOptions {
  scopes?: Scope[]
  expiresAt?: Date
  allowedIps?: string[]
}

export async function startWorld(env: Record<string, string> = {}): Promise<TestWorld> {
  const database = await createTestDatabase()
  const masterKey = randomBytes(32).toString('base64')
  const settings = { DATABASE_URL: database.url.href, MASTER_KEY: masterKey, ...env }
  const service = await startProcess(settings)
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
    async startAnother(more = {}) {
      const another = await startProcess({ ...settings, ...more })
      processes.push(another)
      return another
    },
    async close() {
      await Promise.all(processes.map((running) => running.stop()))
      await db.destroy()
      await database.drop()
    },
  }
}

async function newAccount(db: Database, passwords: Passwords) {
  const alias = `user-${randomBytes(6).toString('hex')}`
  const login = { alias, email: `${alias}@example.com`, password: randomBytes(12).toString('hex') }
  const made = await createAccount(db, passwords, 'operator', { name: alias, login })
  return { accountId: made.accountId, loginId: made.loginId ?? 0, ...login }
}

export async function startProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [mainFile], {
    env: { PATH: process.env.PATH, PORT: '0', INTERNAL_PORT: '0', BASE_URL: 'http://localhost:8080', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))

  const listening = await new Promise<{ url: string; internal_url: string }>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      printed += `${line}\n`
      if (line.includes('"msg":"listening"')) resolve(JSON.parse(line))
    })
    void ended.then((code) => reject(new Error(`the service ended with ${code}:\n${printed}`)))
  })
  return {
    url: listening.url,
    internalUrl: listening.internal_url,
    child,
    output: () => printed,
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
