/** API representation of an OAuth app for its publisher. */
import { z } from 'zod'
import type { ListedApp, Publisher } from '../../../identity/oauth/apps.ts'
import type { SessionUser } from '../../operation/operation.ts'

export const appResponse = z
  .object({
    id: z.string().meta({ description: 'Client ID.' }),
    name: z.string(),
    is_public: z.boolean().meta({
      description: 'A public app runs on the devices of its users and has no secret.',
    }),
    redirect_uris: z.array(z.string()),
    secret_prefix: z.string().nullable().meta({ description: 'First characters of the client secret.' }),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
    manageable: z.boolean().meta({
      description:
        'Whether you may change and delete the app. Developers manage only apps that they created.',
    }),
    accounts: z.int().meta({ description: 'Number of accounts that currently authorize the app.' }),
  })
  .meta({ id: 'OAuthApp' })

export const appId = z.string().meta({ description: 'Client ID of the app.' })
export const redirectUris = z.array(z.string(), 'must be an array of URIs').meta({
  description:
    '1 to 10 redirect URIs with https. Public apps can also use http://127.0.0.1, http://[::1] and a private scheme such as com.example.app:/callback.',
})
export const appName = z.string('must be a string').meta({
  description: 'Name shown on the consent page, 1 to 60 characters.',
})

export function presentApp(app: ListedApp, isManageable: boolean): z.infer<typeof appResponse> {
  return {
    id: app.id,
    name: app.name,
    is_public: app.isPublic,
    redirect_uris: app.redirectUris,
    secret_prefix: app.secretPrefix,
    created_at: app.createdAt.toISOString(),
    last_used_at: app.lastUsedAt?.toISOString() ?? null,
    manageable: isManageable,
    accounts: app.accounts,
  }
}

export function publisherOf({ accountId, loginId }: SessionUser): Publisher {
  return { accountId, actor: `login:${loginId}` }
}
