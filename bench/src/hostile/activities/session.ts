/** What only a signed-in user can do: keys, apps, sessions, the account's name. */
import type { Activity } from '../activity.ts'
import type { Tenant } from '../tenant.ts'

export const sessionActivities: readonly Activity[] = [
  {
    name: 'keys',
    what: 'API keys that are created, viewed and revoked',
    perSecond: 5,
    async call(tenant) {
      const created = await change(tenant, 'POST', '/api/keys', { name: 'n'.repeat(60), scopes: ['all'] })
      const id = created.body?.key?.id
      if (id !== undefined) await change(tenant, 'DELETE', `/api/keys/${id}`)
      return created.status
    },
  },
  {
    name: 'apps',
    what: 'OAuth apps that are changed, and their secrets rotated',
    perSecond: 5,
    call: async (tenant, count) =>
      (count % 2 === 0
        ? await change(tenant, 'POST', `/api/apps/${tenant.app.id}`, { name: `App ${count}` })
        : await change(tenant, 'GET', '/api/apps')
      ).status,
  },
  {
    name: 'account',
    what: 'the account renamed, its sessions listed',
    perSecond: 5,
    call: async (tenant, count) =>
      (count % 2 === 0
        ? await change(tenant, 'POST', '/api/account', { name: `Tenant ${count}` })
        : await change(tenant, 'GET', '/api/sessions')
      ).status,
  },
]

/** Signs the tenant's browser in; calls as a user carry its cookie and the token of the page from then on. */
export async function openSession(tenant: Tenant): Promise<void> {
  const { origin, login } = tenant
  const { status, cookies, body } = await tenant.send({
    method: 'POST',
    path: '/api/session',
    json: { login: login.alias, password: login.password },
    isAnonymous: true,
    headers: { origin },
  })
  if (body?.csrf_token === undefined) throw new Error(`the hostile tenant could not sign in: ${status}`)
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
  tenant.session = { cookie, 'x-csrf-token': body.csrf_token, origin }
}

function change(tenant: Tenant, method: 'GET' | 'POST' | 'DELETE', path: string, json?: object) {
  const { session: headers } = tenant
  return tenant.send({ method, path, ...(json && { json }), headers, isAnonymous: true })
}
