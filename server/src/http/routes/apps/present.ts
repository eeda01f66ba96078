/** An app as its publisher sees it. */
import { z } from 'zod'
import type { ListedApp, Owner } from '../../../identity/oauth/apps.ts'
import type { Person } from '../../operation.ts'

export const appAnswer = z.object({
  id: z.string().meta({ description: 'The client id.' }),
  name: z.string(),
  is_public: z.boolean().meta({
    description: 'Runs on the devices of its users, so it has no secret.',
  }),
  redirect_uris: z.array(z.string()),
  secret_prefix: z.string().nullable().meta({ description: 'The first characters of the secret.' }),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  customers: z.int().meta({ description: 'Accounts that let the app in now.' }),
})

export const appId = z.string().meta({ description: 'The client id of one of your apps.' })
export const redirectUris = z.array(z.string(), 'must be a list of addresses').meta({
  description:
    'Where people are sent back to, 1 to 10: https, or for a public app also http://127.0.0.1, http://[::1] and a scheme of its own such as com.example.app:/callback.',
})
export const appName = z.string('must be a text').meta({
  description: 'What people see when they are asked to let the app in, 1 to 60 characters.',
})

export function presentApp(app: ListedApp): z.infer<typeof appAnswer> {
  return {
    id: app.id,
    name: app.name,
    is_public: app.isPublic,
    redirect_uris: app.redirectUris,
    secret_prefix: app.secretPrefix,
    created_at: app.createdAt.toISOString(),
    last_used_at: app.lastUsedAt?.toISOString() ?? null,
    customers: app.customers,
  }
}

export function ownerOf({ accountId, loginId }: Person): Owner {
  return { accountId, actor: `login:${loginId}` }
}
