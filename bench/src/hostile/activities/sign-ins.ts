/** Everything about credentials: passwords right and wrong, tokens, resets, registrations, keys that are none. */
import type { Activity } from '../activity.ts'
import { anyOf, fromAnywhere, type Tenant } from '../tenant.ts'

export const signInActivities: readonly Activity[] = [
  {
    name: 'wrong-passwords',
    what: 'sign-ins as its own login, as others, and as nobody, from everywhere',
    perSecond: 20,
    call: (tenant, count) => {
      const names = [
        tenant.login.alias,
        tenant.login.email,
        anyOf(tenant.otherLogins) ?? '',
        `nobody-${count}`,
      ]
      return signIn(tenant, names[count % names.length] ?? '', 'not the password')
    },
  },
  {
    name: 'right-passwords',
    what: 'sign-ins that are right',
    perSecond: 5,
    call: (tenant) => signIn(tenant, tenant.login.alias, tenant.login.password),
  },
  {
    name: 'password-calls',
    what: 'calls with login and password as parameters',
    perSecond: 10,
    async call(tenant, count) {
      const { alias, password } = tenant.login
      const form = { u: alias, p: count % 2 === 0 ? password : 'not the password' }
      const query = new URLSearchParams(form)
      const call = {
        path: `/api/hooks/health?${query.toString()}`,
        isAnonymous: true,
        headers: fromAnywhere(),
      }
      return (await tenant.send(call)).status
    },
  },
  {
    name: 'tokens',
    what: 'token, revocation and introspection calls of its app',
    perSecond: 10,
    async call(tenant, count) {
      const secret = count % 2 === 0 ? tenant.app.secret : 'not-the-secret'
      const form = { client_id: tenant.app.id, client_secret: secret, ...grants[count % grants.length] }
      const path = ['/oauth/token', '/oauth/introspect', '/oauth/revoke'][count % 3] ?? ''
      const call = { method: 'POST', path, form, isAnonymous: true, headers: fromAnywhere() } as const
      return (await tenant.send(call)).status
    },
  },
  {
    name: 'authorizations',
    what: 'requests for access by its app',
    perSecond: 10,
    async call(tenant) {
      const query = new URLSearchParams({
        client_id: tenant.app.id,
        response_type: 'code',
        redirect_uri: 'https://app.example.com/callback',
        scope: 'hooks',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
        state: 's'.repeat(2_000),
      })
      const call = {
        path: `/oauth/authorize?${query.toString()}`,
        isAnonymous: true,
        headers: fromAnywhere(),
      }
      return (await tenant.send(call)).status
    },
  },
  {
    name: 'resets',
    what: 'links to a new password, for itself and others',
    perSecond: 5,
    call: (tenant, count) =>
      postAsPage(tenant, '/api/password-resets', {
        login: count % 2 === 0 ? tenant.login.email : (anyOf(tenant.otherLogins) ?? ''),
      }),
  },
  {
    name: 'registrations',
    what: 'accounts that are opened',
    perSecond: 2,
    call: (tenant, count) =>
      postAsPage(tenant, '/api/registration', {
        account_name: 'x'.repeat(50),
        alias: `hostile-${process.pid}-${count}`,
        email: `hostile-${process.pid}-${count}@example.com`,
        password: 'a long password for this',
      }),
  },
  {
    name: 'wrong-keys',
    what: 'API keys and tokens that are none',
    perSecond: 20,
    async call(tenant, count) {
      const wrong = `hlk_${'x'.repeat(40)}${count}`
      const headers: Record<string, string> =
        count % 2 === 0 ? { 'x-api-key': wrong } : { authorization: `Bearer ${wrong}` }
      return (await tenant.send({ path: '/api/hooks', isAnonymous: true, headers })).status
    },
  },
]

const grants = [
  {
    grant_type: 'authorization_code',
    code: 'x'.repeat(43),
    redirect_uri: 'https://app.example.com/callback',
  },
  { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) },
  { grant_type: 'client_credentials' },
  { token: 'x'.repeat(43) },
]

function signIn(tenant: Tenant, login: string, password: string): Promise<string> {
  return postAsPage(tenant, '/api/session', { login, password })
}

/** As a page of the service would, which calls without a credential must prove. */
async function postAsPage(tenant: Tenant, path: string, json: object): Promise<string> {
  const headers = { origin: tenant.origin, ...fromAnywhere() }
  return (await tenant.send({ method: 'POST', path, json, isAnonymous: true, headers })).status
}
