/** Builds the service's parts, lowest first, starts them, and says how to stop them in reverse. */
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { openDatabase } from './db/database.ts'
import { missingMigrations } from './db/migrate.ts'
import { migrationsFolder } from './db/migrations-folder.ts'
import { vaultKeyStore } from './db/vault-key-store.ts'
import type { HookRules } from './hooks/create-hook.ts'
import { createApp } from './http/app.ts'
import { createAuthenticate } from './http/authenticate.ts'
import { basicKey } from './http/credentials/basic-key.ts'
import { bearer } from './http/credentials/bearer.ts'
import { headerKey } from './http/credentials/header-key.ts'
import { loginPassword } from './http/credentials/login-password.ts'
import { parameterKey } from './http/credentials/parameter-key.ts'
import { keyVerifier } from './http/credentials/verify-key.ts'
import { createInternalApp } from './http/internal-app.ts'
import { createLoginThrottle } from './identity/accounts/login-throttle.ts'
import { createPasswords } from './identity/accounts/passwords.ts'
import { collectUsage } from './identity/keys/usage.ts'
import { Advice } from './model/errors.ts'
import type { Log } from './ops/log.ts'
import { openVault } from './vault/vault.ts'

const graceMs = 10_000

export interface Service {
  url: string
  internalUrl: string
  stop: () => Promise<void>
}

export async function startService(config: Config, log: Log): Promise<Service> {
  const missing = await missingMigrations(config.databaseUrl, migrationsFolder)
  if (missing.length > 0)
    throw new Advice(`The database lacks ${missing.join(', ')}. Run \`npm run migrate\` first.`)

  const warn = (error: unknown): void => log.warn({ error }, 'background work failed')
  const db = openDatabase(config.databaseUrl, config.poolSize, warn)
  const vault = await openVault(vaultKeyStore(db), config)
  const passwords = await createPasswords()
  const throttle = createLoginThrottle(db, vault, config.loginAttempts, warn)
  const usage = collectUsage(db, warn)

  const verifyKey = keyVerifier(db, vault)
  const authenticate = createAuthenticate(
    [
      basicKey(verifyKey),
      bearer(),
      headerKey(verifyKey),
      parameterKey(verifyKey),
      loginPassword(db, passwords, throttle),
    ],
    config.credentialsOff,
  )
  const ownPorts = new Set<number>()
  const app = await createApp({
    ...config,
    db,
    vault,
    hookRules: hookRules(config, ownPorts),
    authenticate,
    usage,
    log,
  })
  const internal = createInternalApp(db, log)

  const internalUrl = await internal.listen({ host: config.internalHost, port: config.internalPort })
  const url = await app.listen({ host: config.host, port: config.port })
  for (const listening of [url, internalUrl]) ownPorts.add(Number(new URL(listening).port))
  return {
    url,
    internalUrl,
    async stop() {
      await closeWithin(app, graceMs)
      await closeWithin(internal, graceMs)
      await usage.stop()
      await throttle.stop()
      await db.destroy()
    },
  }
}

/** Calls under way are answered; a client that holds half a request cannot keep the process alive. */
async function closeWithin(app: FastifyInstance, ms: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), ms)
  await app.close()
  clearTimeout(timer)
}

function hookRules(config: Config, ownPorts: ReadonlySet<number>): HookRules {
  return {
    targetUrl: {
      maxBytes: config.urlBytes,
      allowPrivate: config.allowPrivateTargets,
      ownHosts: new Set([config.host, plainHost(config.baseUrl), ...config.ownHosts.map(plainHost)]),
      ownPorts,
    },
    headers: {
      maxCount: config.headerCount,
      maxNameBytes: config.headerNameBytes,
      maxValueBytes: config.headerValueBytes,
      maxTotalBytes: config.headersBytes,
    },
    maxFilterBytes: config.filterBytes,
    hooksPerAccount: config.hooksPerAccount,
  }
}

/** As addresses of webhooks are compared with it: without brackets and without the dot at the end. */
function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
