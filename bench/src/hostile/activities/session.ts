/** Calls that require a session: API keys, OAuth apps, sessions, account name. */
import type { Activity } from '../activity.ts'
import type { Tenant } from '../tenant.ts'

export const sessionActivities: readonly Activity[] = [
  {
    name: 'keys',
    description: 'API keys that are created and revoked',
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
    description: 'OAuth apps that are changed and listed',
    perSecond: 5,
    call: async (tenant, count) =>
      (count % 2 === 0
        ? await change(tenant, 'POST', `/api/apps/${tenant.app.id}`, { name: `App ${count}` })
        : await change(tenant, 'GET', '/api/apps')
      ).status,
  },
  {
    name: 'account',
    description: 'the account renamed, its sessions listed',
    perSecond: 5,
    call: async (tenant, count) =>
      (count % 2 === 0
        ? await change(tenant, 'POST', '/api/account', { name: `Tenant ${count}` })
        : await change(tenant, 'GET', '/api/sessions')
      ).status,
  },
]

/** Signs in. Session calls then send the cookie and the CSRF token. */
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
