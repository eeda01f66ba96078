/** Starts the hostile tenant: creates its account and starts its receivers and its process. */
import { createLogin } from '../../../server/src/identity/accounts/logins.ts'
import { createPasswords } from '../../../server/src/identity/accounts/passwords.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { createOAuthApp } from '../../../server/src/identity/oauth/apps.ts'
import { startChild } from '../support/child-process.ts'
import type { Intake } from '../support/event-load.ts'
import type { Environment } from '../isolation/environment.ts'
import type { Cleanup } from '../support/cleanup.ts'
import type { ActivityResults, HostileCommand, HostileSettings, Prepared } from './commands.ts'
import type { TenantSettings } from './tenant.ts'

export interface HostileResult extends Prepared {
  results: ActivityResults
}

interface HostileOptions {
  hostileHooks: number
  activities: readonly string[]
  intensity: number
  cleanup: Cleanup
}

/** Origin of the service. Requests from pages must send it. */
const origin = 'http://localhost:8080'

export async function startHostile(
  environment: Environment,
  intake: Intake & { apiUrl: string },
  options: HostileOptions,
) {
  const { cleanup } = options
  const receivers = await startChild(new URL('./broken-receivers.ts', import.meta.url), {})
  cleanup.push(() => receivers.stop())
  const { urls } = await receivers.request<{ urls: string[] }>({})
  const tenant = await addTenant(environment, intake, urls, options.hostileHooks)
  const settings: HostileSettings = { tenant, activities: options.activities, intensity: options.intensity }
  const hostile = await startChild(new URL('./hostile-process.ts', import.meta.url), settings)
  cleanup.push(() => hostile.stop())
  const prepared = await hostile.request<Prepared>({ command: 'prepare' } satisfies HostileCommand)
  return {
    start: () => hostile.request({ command: 'start' } satisfies HostileCommand),
    async stop(): Promise<HostileResult> {
      return { ...prepared, results: await hostile.request({ command: 'stop' } satisfies HostileCommand) }
    },
  }
}

async function addTenant(
  { client, db, vault }: Environment,
  intake: Intake & { apiUrl: string },
  receiverUrls: readonly string[],
  hooks: number,
): Promise<TenantSettings> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO accounts (name) VALUES ('hostile') RETURNING id`,
  )
  const accountId = rows[0]?.id ?? 0
  const { key } = await createKey(db, vault, 'operator', { accountId, name: 'hostile', scopes: ['all'] })
  const passwords = createPasswords()
  const login = { alias: 'hostile', email: 'hostile@example.com', password: 'the password of the tenant' }
  await createLogin(db, passwords, 'operator', accountId, login)
  const actor = { accountId, actor: 'operator' } as const
  const requested = { name: 'Hostile', isPublic: false, redirectUris: ['https://app.example.com/callback'] }
  const { app, secret } = await createOAuthApp(db, vault, actor, requested, new URL(origin).host)
  return {
    apiUrl: intake.apiUrl,
    intakeUrl: intake.url,
    producerKey: intake.key,
    origin,
    accountId,
    key,
    login,
    otherLogins: ['other', 'other@example.com'],
    app: { id: app.id, secret: secret ?? '' },
    hooks,
    receiverUrls,
  }
}
