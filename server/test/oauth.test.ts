/** An app is let in, acts, is refreshed and let go, as its developer and its users see it. */
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { call } from './call.ts'
import {
  agree,
  apiStatus,
  arrive,
  askAccess,
  type Browser,
  connect,
  getCode,
  openBrowser,
  post,
  redeem,
  refresh,
  registerApp,
  type TestApp,
} from './oauth-client.ts'
import type { SignedIn } from './person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'

// Processes are started in these tests, and the machine decides how long that takes.
vi.setConfig({ testTimeout: 60_000 })

let world: TestWorld
let publisher: SignedIn
let publisherAccount: TestAccount
let app: TestApp
let customer: TestAccount
let browser: Browser

beforeAll(async () => {
  world = await startAreaWorld()
  publisherAccount = await world.account()
  publisher = await openBrowser(world).signIn(publisherAccount)
  app = await registerApp(world, publisher)
  customer = await world.account()
  browser = openBrowser(world)
  await browser.signIn(customer)
})
afterAll(() => world.close())

describe('an app that is let in', () => {
  test('finds its way by the issuer, gets tokens, and may do what was agreed to and no more', async () => {
    const { callback, verifier, state } = await getCode(browser, app, 'hooks:read')
    expect(callback.origin + callback.pathname).toBe(app.redirectUri)
    expect([...callback.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'state'])
    expect(callback.searchParams.get('iss')).toBe(`${world.url}/oauth`)

    const tokens = await openid.authorizationCodeGrant(app.config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: 3600,
      scope: 'hooks:read',
      token_type: 'bearer',
    })

    const read = await call(`${world.url}/api/hooks`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(read.json).toEqual({ success: true, code: null, hooks: [] })
    const write = await call(`${world.url}/api/hooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}` },
      form: { target_url: 'https://example.com/x', event_type: 'all' },
    })
    expect(write.status).toBe(403)
    expect(write.json).toEqual({
      success: false,
      code: 902,
      error_message: 'This access token lacks the scope "hooks".',
    })
    expect(write.headers.get('www-authenticate')).toBe(
      'Bearer realm="hookline", error="insufficient_scope", scope="hooks"',
    )
  })

  test('acts for the account that agreed, and is named in its history', async () => {
    const tokens = await connect(browser, app, 'hooks')
    const made = await call(`${world.url}/api/hooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access}` },
      form: { target_url: 'https://example.com/by-app', event_type: 'dlr' },
    })
    expect(made.status).toBe(200)
    const versions = await world.database.query(
      'SELECT account_id, actor FROM hook_versions WHERE hook_id = $1',
      [made.json.id],
    )
    expect(versions).toEqual([{ account_id: customer.accountId, actor: `app:${app.id}` }])
  })

  test('refreshes, and each refresh token is good once', async () => {
    const first = await connect(browser, app)
    const second = await openid.refreshTokenGrant(app.config, first.refresh)
    expect(second.refresh_token).not.toBe(first.refresh)
    expect(second.scope).toBe('hooks:read')
    expect(await apiStatus(world.url, second.access_token)).toBe(200)
    const third = await openid.refreshTokenGrant(app.config, second.refresh_token ?? '')
    expect(await apiStatus(world.url, third.access_token)).toBe(200)
  })

  test('may ask about its own tokens', async () => {
    const { access, refresh: refreshToken } = await connect(browser, app)
    const about = await openid.tokenIntrospection(app.config, access)
    expect(about).toMatchObject({
      active: true,
      client_id: app.id,
      scope: 'hooks:read',
      token_type: 'Bearer',
    })
    expect((about.exp ?? 0) - (about.iat ?? 0)).toBe(3600)
    await openid.refreshTokenGrant(app.config, refreshToken)
    const used = await openid.tokenIntrospection(app.config, refreshToken)
    expect(used).toEqual({ active: false })
  })

  test('gives its access back by revoking a token, and all of it ends', async () => {
    const { access, refresh: refreshToken } = await connect(browser, app)
    await openid.tokenRevocation(app.config, refreshToken)
    expect(await apiStatus(world.url, access)).toBe(401)
    expect((await refresh(world, app, refreshToken)).json.error).toBe('invalid_grant')
    expect(await openid.tokenIntrospection(app.config, access)).toEqual({ active: false })

    const other = await connect(browser, app)
    await openid.tokenRevocation(app.config, other.access)
    expect((await refresh(world, app, other.refresh)).json.error).toBe('invalid_grant')
    expect(await lastAudit(customer.accountId)).toMatchObject({
      actor: `app:${app.id}`,
      action: 'authorization.revoke',
      subject: `app:${app.id}`,
    })
  })

  test('can be a public one, on a port that it found free', async () => {
    const native = await registerApp(world, publisher, {
      name: 'On a desk',
      isPublic: true,
      redirectUris: ['http://127.0.0.1/callback', 'com.example.desk:/callback'],
    })
    expect(native.secret).toBeNull()
    for (const redirectUri of ['http://127.0.0.1:49152/callback', 'com.example.desk:/callback']) {
      const tokens = await connect(browser, { ...native, redirectUri })
      expect(await apiStatus(world.url, tokens.access)).toBe(200)
    }
  })

  test('gets its users back at every address that can be registered', async () => {
    const anyApp = ['https://a.example', 'https://a.example:8443/x?tenant=1', 'https://192.0.2.7/cb']
    const publicApp = ['http://[::1]/', 'com.example.app://cb', 'com.example.app:cb']
    for (const [isPublic, redirectUris] of [
      [false, anyApp],
      [true, [...anyApp, ...publicApp]],
    ] as const) {
      const one = await registerApp(world, publisher, { isPublic, redirectUris: [...redirectUris] })
      for (const redirectUri of redirectUris) {
        const { callback } = await getCode(browser, { ...one, redirectUri })
        expect(callback.href.startsWith(redirectUri)).toBe(true)
        expect(callback.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
      }
    }
  })

  test('may send its secret in the body as well', async () => {
    const code = await getCode(browser, app)
    const answer = await post(world, 'token', {
      grant_type: 'authorization_code',
      code: code.code,
      code_verifier: code.verifier,
      redirect_uri: app.redirectUri,
      client_id: app.id,
      client_secret: app.secret ?? '',
    })
    expect(answer.status).toBe(200)
  })
})

describe('what a person is asked', () => {
  test('names the app, its publisher, the scopes in words, where it leads and how long it lasts', async () => {
    const fresh = openBrowser(world)
    const id = await arrive(fresh, (await askAccess(app, 'hooks events:read offline_access')).url)
    const asked = {
      id,
      app: {
        id: app.id,
        name: 'Example',
        publisher: publisherAccount.alias,
        created_at: expect.stringMatching(/Z$/),
        is_public: false,
      },
      redirect_host: 'app.example',
      scopes: [
        { scope: 'hooks', words: 'See, register and delete webhooks' },
        {
          scope: 'events:read',
          words: 'See events and what became of them, message texts and numbers included',
        },
      ],
      lasts_days: 90,
    }
    const before = await fresh.call(`/api/interactions/${id}`)
    expect(before.json.interaction).toEqual({
      ...asked,
      needs: 'sign-in',
      login_alias: null,
      had_access: false,
    })

    const newcomer = await world.account()
    await fresh.signIn(newcomer)
    const after = await fresh.call(`/api/interactions/${id}`)
    expect(after.json.interaction).toEqual({
      ...asked,
      needs: 'consent',
      login_alias: newcomer.alias,
      had_access: false,
    })

    await agree(fresh, id)
    const again = await arrive(fresh, (await askAccess(app)).url)
    expect((await fresh.call(`/api/interactions/${again}`)).json.interaction.had_access).toBe(true)
  })

  test('is asked every time, however often it was agreed to', async () => {
    await connect(browser, app)
    const silent = await browser.open((await askAccess(app, 'hooks:read', { prompt: 'none' })).url)
    expect(silent.headers.get('location')).toBeNull()
    expect(silent.text).toContain('consent_required')
    await arrive(browser, (await askAccess(app)).url)
  })

  test('needs a sign-in of now: after signing out there is nobody who could agree', async () => {
    const leaving = openBrowser(world)
    await leaving.signIn(customer)
    await connect(leaving, app)
    const id = await arrive(leaving, (await askAccess(app)).url)
    await leaving.signOut()
    const asked = await leaving.call(`/api/interactions/${id}`)
    expect(asked.json.interaction).toMatchObject({ needs: 'sign-in', login_alias: null })
    const allowed = await leaving.call(`/api/interactions/${id}/allow`, { method: 'POST' })
    expect([allowed.status, allowed.json.code]).toEqual([401, 900])
  })

  test('counts only while that sign-in lasts: who signs out on the way back has not agreed', async () => {
    const leaving = openBrowser(world)
    await leaving.signIn(customer)
    const id = await arrive(leaving, (await askAccess(app)).url)
    const allowed = await leaving.call(`/api/interactions/${id}/allow`, { method: 'POST' })
    await leaving.signOut()
    const grants = await countGrants()
    const back = await leaving.open(allowed.json.return_to)
    const where = new URL(back.headers.get('location') ?? '')
    expect(where.searchParams.get('error')).toBe('access_denied')
    expect(where.searchParams.has('code')).toBe(false)
    expect(await countGrants()).toBe(grants)
  })

  test('can be declined, signed in or not, and the app is told', async () => {
    const { url, state } = await askAccess(app)
    const stranger = openBrowser(world)
    const id = await arrive(stranger, url)
    const denied = await stranger.call(`/api/interactions/${id}/deny`, { method: 'POST' })
    const back = new URL((await stranger.open(denied.json.return_to)).headers.get('location') ?? '')
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The person did not agree.',
      iss: `${world.url}/oauth`,
      state,
    })
  })

  test('is answered once: a second way back finds nothing', async () => {
    const fresh = openBrowser(world)
    await fresh.signIn(customer)
    const id = await arrive(fresh, (await askAccess(app)).url)
    const allowed = await fresh.call(`/api/interactions/${id}/allow`, { method: 'POST' })
    const cookies = fresh.cookies().filter((cookie) => cookie.includes('resume'))
    const headers = { cookie: cookies.join('; ') }
    const ways = await Promise.all([1, 2, 3].map(() => call(allowed.json.return_to, { headers })))
    const codes = ways.filter((way) => way.headers.get('location')?.includes('code='))
    expect(codes.length).toBe(1)
    expect(ways.filter((way) => way.status === 400).length).toBe(2)
    const late = await fresh.call(`/api/interactions/${id}`)
    expect([late.status, late.json.code]).toEqual([404, 1102])
  })

  test('can wait in two tabs at once', async () => {
    const [one, two] = [await askAccess(app), await askAccess(app)]
    const first = await arrive(browser, one.url)
    const second = await arrive(browser, two.url)
    expect((await agree(browser, first)).searchParams.get('state')).toBe(one.state)
    expect((await agree(browser, second)).searchParams.get('state')).toBe(two.state)
  })
})

describe('apps with access', () => {
  test('are listed once each, and taking access back ends every token at once', async () => {
    const holder = await world.account()
    const own = openBrowser(world)
    await own.signIn(holder)
    const [one, two] = [await connect(own, app, 'hooks:read'), await connect(own, app, 'events:read')]
    expect(await apiStatus(world.url, one.access)).toBe(200)

    await expect
      .poll(async () => (await own.call('/api/authorizations')).json.authorizations[0]?.last_used_at, {
        timeout: 20_000,
      })
      .toMatch(/Z$/)
    const { authorizations } = (await own.call('/api/authorizations')).json
    expect(authorizations).toEqual([
      {
        app: { id: app.id, name: 'Example', publisher: publisherAccount.alias, hosts: ['app.example'] },
        scopes: expect.toSatisfy(
          (scopes: string[]) => scopes.toSorted().join(' ') === 'events:read hooks:read',
        ),
        granted_by: holder.alias,
        granted_at: expect.stringMatching(/Z$/),
        expires_at: expect.stringMatching(/Z$/),
        last_used_at: expect.stringMatching(/Z$/),
      },
    ])
    const lastsDays =
      (Date.parse(authorizations[0].expires_at) - Date.parse(authorizations[0].granted_at)) / 86_400_000
    expect(lastsDays).toBeCloseTo(90, 2)

    const revoked = await own.call(`/api/authorizations/${app.id}`, { method: 'DELETE' })
    expect(revoked.status).toBe(200)
    expect(await apiStatus(world.url, one.access)).toBe(401)
    expect((await refresh(world, app, one.refresh)).json.error).toBe('invalid_grant')
    expect((await refresh(world, app, two.refresh)).json.error).toBe('invalid_grant')
    expect((await own.call('/api/authorizations')).json.authorizations).toEqual([])
    expect(await audits(holder.accountId, 'authorization.%')).toEqual([
      { actor: `login:${holder.loginId}`, action: 'authorization.grant', detail: { scopes: ['hooks:read'] } },
      {
        actor: `login:${holder.loginId}`,
        action: 'authorization.grant',
        detail: { scopes: ['events:read'] },
      },
      { actor: `login:${holder.loginId}`, action: 'authorization.revoke', detail: {} },
    ])
    const again = await own.call(`/api/authorizations/${app.id}`, { method: 'DELETE' })
    expect([again.status, again.json.code]).toEqual([404, 1102])
  })

  test('of one account are no business of another', async () => {
    const tokens = await connect(browser, app)
    const other = openBrowser(world)
    await other.signIn(await world.account())
    const revoked = await other.call(`/api/authorizations/${app.id}`, { method: 'DELETE' })
    expect([revoked.status, revoked.json.code]).toEqual([404, 1102])
    expect(await apiStatus(world.url, tokens.access)).toBe(200)
  })
})

describe('apps of ours', () => {
  test('are made, changed, given a new secret and deleted, and the log says so', async () => {
    const account = await world.account()
    const own = await openBrowser(world).signIn(account)
    const made = await own.call('/api/apps', {
      method: 'POST',
      json: { name: 'Café ☕', is_public: false, redirect_uris: ['https://a.example/cb'] },
    })
    const { id } = made.json.app
    expect(made.json.app).toEqual({
      id: expect.stringMatching(/^hla_\w{20}$/),
      name: 'Café ☕',
      is_public: false,
      redirect_uris: ['https://a.example/cb'],
      secret_prefix: made.json.secret.slice(0, 8),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      customers: 0,
    })
    expect(made.json.secret).toMatch(/^hls_\w{40}$/)

    const changed = await own.call(`/api/apps/${id}`, { method: 'POST', json: { name: 'Tea' } })
    expect(changed.json.app).toEqual({ ...made.json.app, name: 'Tea' })
    const rotated = await own.call(`/api/apps/${id}/secret`, { method: 'POST' })
    expect(rotated.json.secret).toMatch(/^hls_\w{40}$/)
    expect(rotated.json.secret).not.toBe(made.json.secret)
    const withOld = await post(world, 'introspect', { token: 'x' }, { id, secret: made.json.secret })
    expect([withOld.status, withOld.json.error]).toEqual([401, 'invalid_client'])
    const withNew = await post(world, 'introspect', { token: 'x' }, { id, secret: rotated.json.secret })
    expect([withNew.status, withNew.json]).toEqual([200, { active: false }])

    expect((await own.call(`/api/apps/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await own.call('/api/apps')).json.apps).toEqual([])
    expect((await audits(account.accountId, 'app.%')).map(({ actor, action }) => [actor, action])).toEqual(
      ['app.create', 'app.change', 'app.rotate-secret', 'app.delete'].map((action) => [
        `login:${account.loginId}`,
        action,
      ]),
    )
  })

  test('count the accounts that let them in, and end for all of them when deleted', async () => {
    const doomed = await registerApp(world, publisher, { name: 'Doomed' })
    const tokens = await connect(browser, doomed)
    const again = await connect(browser, doomed)
    const { apps } = (await publisher.call('/api/apps')).json
    expect(apps.find(({ id }: { id: string }) => id === doomed.id).customers).toBe(1)

    const waiting = await arrive(browser, (await askAccess(doomed)).url)
    await publisher.call(`/api/apps/${doomed.id}`, { method: 'DELETE' })
    expect(await apiStatus(world.url, tokens.access)).toBe(401)
    expect(await apiStatus(world.url, again.access)).toBe(401)
    expect((await refresh(world, doomed, tokens.refresh)).json.error).toBe('invalid_client')
    expect((await browser.call(`/api/interactions/${waiting}`)).status).toBe(404)
    expect(await lastAudit(customer.accountId)).toMatchObject({
      actor: `app:${doomed.id}`,
      action: 'authorization.revoke',
    })
  })

  test('of another account are as unknown ones', async () => {
    const other = await openBrowser(world).signIn(await world.account())
    for (const [method, path] of [
      ['POST', `/api/apps/${app.id}`],
      ['POST', `/api/apps/${app.id}/secret`],
      ['DELETE', `/api/apps/${app.id}`],
    ] as const) {
      const answer = await other.call(path, { method, ...(method === 'POST' && { json: {} }) })
      expect([path, answer.status, answer.json.code]).toEqual([path, 404, 1102])
    }
    const tokens = await connect(browser, app)
    expect(await apiStatus(world.url, tokens.access)).toBe(200)
  })

  test('cannot be seen or changed with a key or a token', async () => {
    const { access } = await connect(browser, app, 'hooks')
    for (const headers of [{ 'x-api-key': customer.key }, { authorization: `Bearer ${access}` }])
      for (const path of ['/api/apps', '/api/authorizations']) {
        const answer = await call(`${world.url}${path}`, { headers })
        expect([answer.status, answer.json.code]).toEqual([403, 908])
      }
  })
})

test('the metadata is the same in every place and says nothing that is not so', async () => {
  const paths = [
    '/.well-known/oauth-authorization-server/oauth',
    '/oauth/.well-known/oauth-authorization-server',
    '/oauth/.well-known/openid-configuration',
  ]
  const documents = await Promise.all(paths.map(async (path) => (await call(world.url + path)).json))
  expect(documents[0]).toEqual({
    issuer: `${world.url}/oauth`,
    authorization_endpoint: `${world.url}/oauth/authorize`,
    token_endpoint: `${world.url}/oauth/token`,
    revocation_endpoint: `${world.url}/oauth/revoke`,
    introspection_endpoint: `${world.url}/oauth/introspect`,
    scopes_supported: ['hooks', 'hooks:read', 'events:read', 'deliveries:replay'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${world.url}/docs`,
  })
  expect(documents[1]).toEqual(documents[0])
  expect(documents[2]).toEqual(documents[0])
})

test('what the library could do besides is not there', async () => {
  for (const path of ['/jwks', '/me', '/reg', '/session/end', '/device', '/request', '/backchannel'])
    for (const method of ['GET', 'POST']) {
      const answer = await call(`${world.url}/oauth${path}`, { method })
      expect([path, method, answer.status]).toEqual([path, method, 404])
    }
})

test('nothing that opens a door is kept in clear', async () => {
  const fresh = await registerApp(world, publisher, { name: 'Canary' })
  const code = await getCode(browser, fresh)
  const tokens = (await redeem(world, fresh, code)).json
  const waiting = await arrive(browser, (await askAccess(fresh)).url)
  const secrets = [code.code, tokens.access_token, tokens.refresh_token, fresh.secret ?? '', waiting]
  const dump = await world.database.query<{ row: string }>(
    `SELECT apps::text AS row FROM apps UNION ALL SELECT grants::text FROM grants
     UNION ALL SELECT oauth_records::text FROM oauth_records UNION ALL SELECT audit::text FROM audit`,
  )
  const text = dump.map(({ row }) => row).join('\n')
  expect(text).toContain(fresh.id)
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(30)
    expect(text).not.toContain(secret)
    expect(text).not.toContain(Buffer.from(secret).toString('hex'))
    expect(world.service.output()).not.toContain(secret)
  }
  // Nor does the library write anything beside our log.
  for (const line of world.service.output().trim().split('\n')) expect(line).toMatch(/^\{.*\}$/)
})

async function audits(accountId: number, like: string) {
  return world.database.query<{ actor: string; action: string; detail: object }>(
    'SELECT actor, action, detail FROM audit WHERE account_id = $1 AND action LIKE $2 ORDER BY id',
    [accountId, like],
  )
}

async function lastAudit(accountId: number) {
  const [last] = await world.database.query(
    'SELECT actor, action, subject FROM audit WHERE account_id = $1 ORDER BY id DESC LIMIT 1',
    [accountId],
  )
  return last
}

async function countGrants(): Promise<number> {
  const [row] = await world.database.query<{ count: string }>('SELECT count(*) FROM grants')
  return Number(row?.count)
}
