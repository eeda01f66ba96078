/** Starts the hostile tenant beside the healthy accounts: its account, its receivers, and the process that acts for it. */
import { createLogin } from '../../../server/src/identity/accounts/logins.ts'
import { createPasswords } from '../../../server/src/identity/accounts/passwords.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { createApp } from '../../../server/src/identity/oauth/apps.ts'
import { startAssistant } from '../delivery/child.ts'
import type { Intake } from '../isolation/load.ts'
import type { World } from '../isolation/world.ts'
import type { Undo } from '../undo.ts'
import type { ActivityResults, HostileOrder, HostileSettings, Prepared } from './orders.ts'
import type { TenantSettings } from './tenant.ts'

export interface HostileResult extends Prepared {
  results: ActivityResults
}

interface HostileOptions {
  hostileHooks: number
  activities: readonly string[]
  undo: Undo
}

/** What the service calls itself; calls of pages must name it. */
const origin = 'http://localhost:8080'

export async function startHostile(
  world: World,
  intake: Intake & { apiUrl: string },
  options: HostileOptions,
) {
  const { undo } = options
  const receivers = await startAssistant(new URL('./broken-receivers.ts', import.meta.url), {})
  undo.push(() => receivers.stop())
  const { urls } = await receivers.ask<{ urls: string[] }>({})
  const tenant = await addTenant(world, intake, urls, options.hostileHooks)
  const settings: HostileSettings = { tenant, activities: options.activities }
  const hostile = await startAssistant(new URL('./hostile-process.ts', import.meta.url), settings)
  undo.push(() => hostile.stop())
  const prepared = await hostile.ask<Prepared>({ order: 'prepare' } satisfies HostileOrder)
  return {
    start: () => hostile.ask({ order: 'start' } satisfies HostileOrder),
    async stop(): Promise<HostileResult> {
      return { ...prepared, results: await hostile.ask({ order: 'stop' } satisfies HostileOrder) }
    },
  }
}

async function addTenant(
  { client, db, vault }: World,
  intake: Intake & { apiUrl: string },
  receiverUrls: readonly string[],
  hooks: number,
): Promise<TenantSettings> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO accounts (name) VALUES ('hostile') RETURNING id`,
  )
  const accountId = rows[0]?.id ?? 0
  const { key } = await createKey(db, vault, 'operator', { accountId, name: 'hostile', scopes: ['all'] })
  const passwords = await createPasswords()
  const login = { alias: 'hostile', email: 'hostile@example.com', password: 'the password of the tenant' }
  await createLogin(db, passwords, 'operator', accountId, login)
  const owner = { accountId, actor: 'operator' } as const
  const wanted = { name: 'Hostile', isPublic: false, redirectUris: ['https://app.example.com/callback'] }
  const { app, secret } = await createApp(db, vault, owner, wanted, new URL(origin).host)
  return {
    apiUrl: intake.apiUrl,
    intakeUrl: intake.url,
    producerKey: intake.key,
    origin,
    accountId,
    key,
    login,
    otherLogins: ['somebody', 'somebody@example.com'],
    app: { id: app.id, secret: secret ?? '' },
    hooks,
    receiverUrls,
  }
}
