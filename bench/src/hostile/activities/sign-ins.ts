/** Calls with credentials: correct and wrong passwords, tokens, resets, registrations, invalid keys. */
import type { Activity } from '../activity.ts'
import { randomItem, randomSourceIp, type Tenant } from '../tenant.ts'

export const signInActivities: readonly Activity[] = [
  {
    name: 'wrong-passwords',
    description: 'sign-ins with its own, other and unknown logins, from random addresses',
    perSecond: 20,
    call: (tenant, count) => {
      const names = [
        tenant.login.alias,
        tenant.login.email,
        randomItem(tenant.otherLogins) ?? '',
        `nobody-${count}`,
      ]
      return signIn(tenant, names[count % names.length] ?? '', 'not the password')
    },
  },
  {
    name: 'right-passwords',
    description: 'sign-ins with the correct password',
    perSecond: 5,
    call: (tenant) => signIn(tenant, tenant.login.alias, tenant.login.password),
  },
  {
    name: 'password-calls',
    description: 'calls with login and password as parameters',
    perSecond: 10,
    async call(tenant, count) {
      const { alias, password } = tenant.login
      const form = { u: alias, p: count % 2 === 0 ? password : 'not the password' }
      const query = new URLSearchParams(form)
      const call = {
        path: `/api/hooks/health?${query.toString()}`,
        isAnonymous: true,
        headers: randomSourceIp(),
      }
      return (await tenant.send(call)).status
    },
  },
  {
    name: 'tokens',
    description: 'token, revocation and introspection calls of its OAuth app',
    perSecond: 10,
    async call(tenant, count) {
      const secret = count % 2 === 0 ? tenant.app.secret : 'not-the-secret'
      const form = { client_id: tenant.app.id, client_secret: secret, ...grants[count % grants.length] }
      const path = ['/oauth/token', '/oauth/introspect', '/oauth/revoke'][count % 3] ?? ''
      const call = { method: 'POST', path, form, isAnonymous: true, headers: randomSourceIp() } as const
      return (await tenant.send(call)).status
    },
  },
  {
    name: 'authorizations',
    description: 'authorization requests of its OAuth app',
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
        headers: randomSourceIp(),
      }
      return (await tenant.send(call)).status
    },
  },
  {
    name: 'resets',
    description: 'password resets for itself and others',
    perSecond: 5,
    call: (tenant, count) =>
      postAsPage(tenant, '/api/password-resets', {
        login: count % 2 === 0 ? tenant.login.email : (randomItem(tenant.otherLogins) ?? ''),
      }),
  },
  {
    name: 'registrations',
    description: 'account registrations',
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
    description: 'invalid API keys and tokens',
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

/** Posts as a page of the service does. Calls without a credential must send the origin. */
async function postAsPage(tenant: Tenant, path: string, json: object): Promise<string> {
  const headers = { origin: tenant.origin, ...randomSourceIp() }
  return (await tenant.send({ method: 'POST', path, json, isAnonymous: true, headers })).status
}
