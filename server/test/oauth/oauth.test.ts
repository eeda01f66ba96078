/** The OAuth lifecycle: authorization, API access, refresh and revocation. */
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { call } from '../support/http-call.ts'
import {
  allowAccess,
  apiStatus,
  startInteraction,
  requestAccess,
  type Browser,
  connect,
  getCode,
  openBrowser,
  post,
  redeem,
  refresh,
  registerApp,
  type TestApp,
} from '../support/oauth-client.ts'
import { setPkceRequired } from '../../src/identity/oauth/apps.ts'
import type { SignedIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let publisher: SignedIn
let publisherAccount: TestAccount
let app: TestApp
let account: TestAccount
let browser: Browser

beforeAll(async () => {
  hookline = await startDashboardService()
  publisherAccount = await hookline.account()
  publisher = await openBrowser(hookline).signIn(publisherAccount)
  app = await registerApp(hookline, publisher)
  account = await hookline.account()
  browser = openBrowser(hookline)
  await browser.signIn(account)
})
afterAll(() => hookline.close())

describe('an authorized app', () => {
  test('an app discovers the endpoints, gets tokens and is limited to the granted scopes', async () => {
    const { callback, verifier, state } = await getCode(browser, app, 'hooks:read')
    expect(callback.origin + callback.pathname).toBe(app.redirectUri)
    expect([...callback.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'state'])
    expect(callback.searchParams.get('iss')).toBe(`${hookline.url}/oauth`)

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

    const read = await call(`${hookline.url}/api/hooks`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(read.json).toEqual({ success: true, code: null, hooks: [] })
    const write = await call(`${hookline.url}/api/hooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}` },
      form: { target_url: 'https://example.com/x', event_type: 'all' },
    })
    expect(write.status).toBe(403)
    expect(write.json).toEqual({
      success: false,
      code: 902,
      error_message: 'Missing scope: this access token lacks "hooks".',
    })
    expect(write.headers.get('www-authenticate')).toBe(
      'Bearer realm="hookline", error="insufficient_scope", scope="hooks"',
    )
  })

  test('an app acts for the authorizing account and is the actor in its history', async () => {
    const tokens = await connect(browser, app, 'hooks')
    const created = await call(`${hookline.url}/api/hooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access}` },
      form: { target_url: 'https://example.com/by-app', event_type: 'dlr' },
    })
    expect(created.status).toBe(200)
    const versions = await hookline.database.query(
      'SELECT account_id, actor FROM hook_versions WHERE hook_id = $1',
      [created.json.id],
    )
    expect(versions).toEqual([{ account_id: account.accountId, actor: `app:${app.id}` }])
  })

  test('a refresh returns a new refresh token each time', async () => {
    const first = await connect(browser, app)
    const second = await openid.refreshTokenGrant(app.config, first.refresh)
    expect(second.refresh_token).not.toBe(first.refresh)
    expect(second.scope).toBe('hooks:read')
    expect(await apiStatus(hookline.url, second.access_token)).toBe(200)
    const third = await openid.refreshTokenGrant(app.config, second.refresh_token ?? '')
    expect(await apiStatus(hookline.url, third.access_token)).toBe(200)
  })

  test('an app can introspect its own tokens', async () => {
    const { access, refresh: refreshToken } = await connect(browser, app)
    const introspected = await openid.tokenIntrospection(app.config, access)
    expect(introspected).toMatchObject({
      active: true,
      client_id: app.id,
      scope: 'hooks:read',
      token_type: 'Bearer',
    })
    expect((introspected.exp ?? 0) - (introspected.iat ?? 0)).toBe(3600)
    await openid.refreshTokenGrant(app.config, refreshToken)
    const used = await openid.tokenIntrospection(app.config, refreshToken)
    expect(used).toEqual({ active: false })
  })

  test('revoking one token revokes the whole grant', async () => {
    const { access, refresh: refreshToken } = await connect(browser, app)
    await openid.tokenRevocation(app.config, refreshToken)
    expect(await apiStatus(hookline.url, access)).toBe(401)
    expect((await refresh(hookline, app, refreshToken)).json.error).toBe('invalid_grant')
    expect(await openid.tokenIntrospection(app.config, access)).toEqual({ active: false })

    const other = await connect(browser, app)
    await openid.tokenRevocation(app.config, other.access)
    expect((await refresh(hookline, app, other.refresh)).json.error).toBe('invalid_grant')
    expect(await lastAudit(account.accountId)).toMatchObject({
      actor: `app:${app.id}`,
      action: 'authorization.revoke',
      subject: `app:${app.id}`,
    })
  })

  test('a public app can use any loopback port or a custom scheme', async () => {
    const native = await registerApp(hookline, publisher, {
      name: 'On a desk',
      isPublic: true,
      redirectUris: ['http://127.0.0.1/callback', 'com.example.desk:/callback'],
    })
    expect(native.secret).toBeNull()
    for (const redirectUri of ['http://127.0.0.1:49152/callback', 'com.example.desk:/callback']) {
      const tokens = await connect(browser, { ...native, redirectUri })
      expect(await apiStatus(hookline.url, tokens.access)).toBe(200)
    }
  })

  test('every valid redirect URI receives the response', async () => {
    const anyApp = ['https://a.example', 'https://a.example:8443/x?tenant=1', 'https://192.0.2.7/cb']
    const publicApp = ['http://[::1]/', 'com.example.app://cb', 'com.example.app:cb']
    for (const [isPublic, redirectUris] of [
      [false, anyApp],
      [true, [...anyApp, ...publicApp]],
    ] as const) {
      const registered = await registerApp(hookline, publisher, { isPublic, redirectUris: [...redirectUris] })
      for (const redirectUri of redirectUris) {
        const { callback } = await getCode(browser, { ...registered, redirectUri })
        expect(callback.href.startsWith(redirectUri)).toBe(true)
        expect(callback.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
      }
    }
  })

  test('the secret is accepted in the body', async () => {
    const code = await getCode(browser, app)
    const response = await post(hookline, 'token', {
      grant_type: 'authorization_code',
      code: code.code,
      code_verifier: code.verifier,
      redirect_uri: app.redirectUri,
      client_id: app.id,
      client_secret: app.secret ?? '',
    })
    expect(response.status).toBe(200)
  })
})

describe('consent', () => {
  test('the consent request contains app, publisher, scopes, redirect host and duration', async () => {
    const newBrowser = openBrowser(hookline)
    const id = await startInteraction(
      newBrowser,
      (await requestAccess(app, 'hooks events:read offline_access')).url,
    )
    const expected = {
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
        {
          scope: 'hooks',
          description: 'View and manage webhooks and consumers, including their signing secrets',
        },
        {
          scope: 'events:read',
          description: 'View events and deliveries, including message texts and numbers',
        },
      ],
      lasts_days: 90,
    }
    const before = await newBrowser.call(`/api/interactions/${id}`)
    expect(before.json.interaction).toEqual({
      ...expected,
      needs: 'sign-in',
      login_alias: null,
      had_access: false,
    })

    const newcomer = await hookline.account()
    await newBrowser.signIn(newcomer)
    const after = await newBrowser.call(`/api/interactions/${id}`)
    expect(after.json.interaction).toEqual({
      ...expected,
      needs: 'consent',
      login_alias: newcomer.alias,
      had_access: false,
    })

    await allowAccess(newBrowser, id)
    const second = await startInteraction(newBrowser, (await requestAccess(app)).url)
    expect((await newBrowser.call(`/api/interactions/${second}`)).json.interaction.had_access).toBe(true)
  })

  test('consent is required every time', async () => {
    await connect(browser, app)
    const silent = await browser.open((await requestAccess(app, 'hooks:read', { prompt: 'none' })).url)
    expect(silent.headers.get('location')).toBeNull()
    expect(silent.text).toContain('consent_required')
    await startInteraction(browser, (await requestAccess(app)).url)
  })

  test('consent requires a session', async () => {
    const leaving = openBrowser(hookline)
    await leaving.signIn(account)
    await connect(leaving, app)
    const id = await startInteraction(leaving, (await requestAccess(app)).url)
    await leaving.signOut()
    const interaction = await leaving.call(`/api/interactions/${id}`)
    expect(interaction.json.interaction).toMatchObject({ needs: 'sign-in', login_alias: null })
    const allowed = await leaving.call(`/api/interactions/${id}/allow`, { method: 'POST' })
    expect([allowed.status, allowed.json.code]).toEqual([401, 900])
  })

  test('a sign-out before the redirect invalidates the consent', async () => {
    const leaving = openBrowser(hookline)
    await leaving.signIn(account)
    const id = await startInteraction(leaving, (await requestAccess(app)).url)
    const allowed = await leaving.call(`/api/interactions/${id}/allow`, { method: 'POST' })
    await leaving.signOut()
    const grants = await countGrants()
    const redirect = await leaving.open(allowed.json.return_to)
    const callback = new URL(redirect.headers.get('location') ?? '')
    expect(callback.searchParams.get('error')).toBe('access_denied')
    expect(callback.searchParams.has('code')).toBe(false)
    expect(await countGrants()).toBe(grants)
  })

  test('access can be denied without a session, and the app gets access_denied', async () => {
    const { url, state } = await requestAccess(app)
    const stranger = openBrowser(hookline)
    const id = await startInteraction(stranger, url)
    const denied = await stranger.call(`/api/interactions/${id}/deny`, { method: 'POST' })
    const redirect = new URL((await stranger.open(denied.json.return_to)).headers.get('location') ?? '')
    expect(Object.fromEntries(redirect.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The user denied access.',
      iss: `${hookline.url}/oauth`,
      state,
    })
  })

  test('an interaction can be resumed once', async () => {
    const newBrowser = openBrowser(hookline)
    await newBrowser.signIn(account)
    const id = await startInteraction(newBrowser, (await requestAccess(app)).url)
    const allowed = await newBrowser.call(`/api/interactions/${id}/allow`, { method: 'POST' })
    const cookies = newBrowser.cookies().filter((cookie) => cookie.includes('resume'))
    const headers = { cookie: cookies.join('; ') }
    const responses = await Promise.all([1, 2, 3].map(() => call(allowed.json.return_to, { headers })))
    const codes = responses.filter((response) => response.headers.get('location')?.includes('code='))
    expect(codes.length).toBe(1)
    expect(responses.filter((response) => response.status === 400).length).toBe(2)
    const late = await newBrowser.call(`/api/interactions/${id}`)
    expect([late.status, late.json.code]).toEqual([404, 1102])
  })

  test('two tabs can have pending interactions', async () => {
    const [firstRequest, secondRequest] = [await requestAccess(app), await requestAccess(app)]
    const first = await startInteraction(browser, firstRequest.url)
    const second = await startInteraction(browser, secondRequest.url)
    expect((await allowAccess(browser, first)).searchParams.get('state')).toBe(firstRequest.state)
    expect((await allowAccess(browser, second)).searchParams.get('state')).toBe(secondRequest.state)
  })
})

describe('authorized apps', () => {
  test('each app is listed once, and a revocation revokes every token immediately', async () => {
    const holder = await hookline.account()
    const session = openBrowser(hookline)
    await session.signIn(holder)
    const [first, second] = [
      await connect(session, app, 'hooks:read'),
      await connect(session, app, 'events:read'),
    ]
    expect(await apiStatus(hookline.url, first.access)).toBe(200)

    await expect
      .poll(async () => (await session.call('/api/authorizations')).json.authorizations[0]?.last_used_at, {
        timeout: 20_000,
      })
      .toMatch(/Z$/)
    const { authorizations } = (await session.call('/api/authorizations')).json
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

    const revoked = await session.call(`/api/authorizations/${app.id}`, { method: 'DELETE' })
    expect(revoked.status).toBe(200)
    expect(await apiStatus(hookline.url, first.access)).toBe(401)
    expect((await refresh(hookline, app, first.refresh)).json.error).toBe('invalid_grant')
    expect((await refresh(hookline, app, second.refresh)).json.error).toBe('invalid_grant')
    expect((await session.call('/api/authorizations')).json.authorizations).toEqual([])
    expect(await readAudit(holder.accountId, 'authorization.%')).toEqual([
      { actor: `login:${holder.loginId}`, action: 'authorization.grant', detail: { scopes: ['hooks:read'] } },
      {
        actor: `login:${holder.loginId}`,
        action: 'authorization.grant',
        detail: { scopes: ['events:read'] },
      },
      { actor: `login:${holder.loginId}`, action: 'authorization.revoke', detail: {} },
    ])
    const repeated = await session.call(`/api/authorizations/${app.id}`, { method: 'DELETE' })
    expect([repeated.status, repeated.json.code]).toEqual([404, 1102])
  })

  test('an account cannot revoke authorizations of another account', async () => {
    const tokens = await connect(browser, app)
    const other = openBrowser(hookline)
    await other.signIn(await hookline.account())
    const revoked = await other.call(`/api/authorizations/${app.id}`, { method: 'DELETE' })
    expect([revoked.status, revoked.json.code]).toEqual([404, 1102])
    expect(await apiStatus(hookline.url, tokens.access)).toBe(200)
  })
})

describe('own apps', () => {
  test('create, change, secret rotation and delete of an app are audited', async () => {
    const appAccount = await hookline.account()
    const session = await openBrowser(hookline).signIn(appAccount)
    const created = await session.call('/api/apps', {
      method: 'POST',
      json: { name: 'Café ☕', is_public: false, redirect_uris: ['https://a.example/cb'] },
    })
    const { id } = created.json.app
    expect(created.json.app).toEqual({
      id: expect.stringMatching(/^hla_\w{20}$/),
      name: 'Café ☕',
      is_public: false,
      manageable: true,
      redirect_uris: ['https://a.example/cb'],
      secret_prefix: created.json.secret.slice(0, 8),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      accounts: 0,
    })
    expect(created.json.secret).toMatch(/^hls_\w{40}$/)

    const changed = await session.call(`/api/apps/${id}`, { method: 'POST', json: { name: 'Tea' } })
    expect(changed.json.app).toEqual({ ...created.json.app, name: 'Tea' })
    const rotated = await session.call(`/api/apps/${id}/secret`, { method: 'POST' })
    expect(rotated.json.secret).toMatch(/^hls_\w{40}$/)
    expect(rotated.json.secret).not.toBe(created.json.secret)
    const oldSecret = await post(hookline, 'introspect', { token: 'x' }, { id, secret: created.json.secret })
    expect([oldSecret.status, oldSecret.json.error]).toEqual([401, 'invalid_client'])
    const newSecret = await post(hookline, 'introspect', { token: 'x' }, { id, secret: rotated.json.secret })
    expect([newSecret.status, newSecret.json]).toEqual([200, { active: false }])

    expect((await session.call(`/api/apps/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await session.call('/api/apps')).json.apps).toEqual([])
    expect(
      (await readAudit(appAccount.accountId, 'app.%')).map(({ actor, action }) => [actor, action]),
    ).toEqual(
      ['app.create', 'app.change', 'app.rotate-secret', 'app.delete'].map((action) => [
        `login:${appAccount.loginId}`,
        action,
      ]),
    )
  })

  test('an app shows the number of authorizing accounts, and its deletion revokes all access', async () => {
    const doomed = await registerApp(hookline, publisher, { name: 'Doomed' })
    const tokens = await connect(browser, doomed)
    const second = await connect(browser, doomed)
    const { apps } = (await publisher.call('/api/apps')).json
    expect(apps.find(({ id }: { id: string }) => id === doomed.id).accounts).toBe(1)

    const pending = await startInteraction(browser, (await requestAccess(doomed)).url)
    await publisher.call(`/api/apps/${doomed.id}`, { method: 'DELETE' })
    expect(await apiStatus(hookline.url, tokens.access)).toBe(401)
    expect(await apiStatus(hookline.url, second.access)).toBe(401)
    expect((await refresh(hookline, doomed, tokens.refresh)).json.error).toBe('invalid_client')
    expect((await browser.call(`/api/interactions/${pending}`)).status).toBe(404)
    expect(await lastAudit(account.accountId)).toMatchObject({
      actor: `app:${doomed.id}`,
      action: 'authorization.revoke',
    })
  })

  test('apps of another account are not found', async () => {
    const other = await openBrowser(hookline).signIn(await hookline.account())
    for (const [method, path] of [
      ['POST', `/api/apps/${app.id}`],
      ['POST', `/api/apps/${app.id}/secret`],
      ['DELETE', `/api/apps/${app.id}`],
    ] as const) {
      const response = await other.call(path, { method, ...(method === 'POST' && { json: {} }) })
      expect([path, response.status, response.json.code]).toEqual([path, 404, 1102])
    }
    const tokens = await connect(browser, app)
    expect(await apiStatus(hookline.url, tokens.access)).toBe(200)
  })

  test('keys and tokens cannot read apps or authorizations', async () => {
    const { access } = await connect(browser, app, 'hooks')
    for (const headers of [{ 'x-api-key': account.key }, { authorization: `Bearer ${access}` }])
      for (const path of ['/api/apps', '/api/authorizations']) {
        const response = await call(`${hookline.url}${path}`, { headers })
        expect([response.status, response.json.code]).toEqual([403, 908])
      }
  })
})

test('the metadata is identical at every location and complete', async () => {
  const paths = [
    '/.well-known/oauth-authorization-server/oauth',
    '/oauth/.well-known/oauth-authorization-server',
    '/oauth/.well-known/openid-configuration',
  ]
  const documents = await Promise.all(paths.map(async (path) => (await call(hookline.url + path)).json))
  expect(documents[0]).toEqual({
    issuer: `${hookline.url}/oauth`,
    authorization_endpoint: `${hookline.url}/oauth/authorize`,
    token_endpoint: `${hookline.url}/oauth/token`,
    revocation_endpoint: `${hookline.url}/oauth/revoke`,
    introspection_endpoint: `${hookline.url}/oauth/introspect`,
    scopes_supported: ['hooks', 'hooks:read', 'events:read', 'deliveries:replay'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${hookline.url}/docs`,
  })
  expect(documents[1]).toEqual(documents[0])
  expect(documents[2]).toEqual(documents[0])
})

test('other endpoints of the library are disabled', async () => {
  for (const path of ['/jwks', '/reg', '/session/end', '/device', '/request', '/backchannel'])
    for (const method of ['GET', 'POST']) {
      const response = await call(`${hookline.url}/oauth${path}`, { method })
      expect([path, method, response.status]).toEqual([path, method, 404])
    }
})

test('codes, tokens and secrets are not stored in plain text', async () => {
  const newBrowser = await registerApp(hookline, publisher, { name: 'Canary' })
  const code = await getCode(browser, newBrowser)
  const tokens = (await redeem(hookline, newBrowser, code)).json
  const pending = await startInteraction(browser, (await requestAccess(newBrowser)).url)
  const secrets = [code.code, tokens.access_token, tokens.refresh_token, newBrowser.secret ?? '', pending]
  const dump = await hookline.database.query<{ row: string }>(
    `SELECT apps::text AS row FROM apps UNION ALL SELECT grants::text FROM grants
     UNION ALL SELECT oauth_records::text FROM oauth_records UNION ALL SELECT audit::text FROM audit`,
  )
  const text = dump.map(({ row }) => row).join('\n')
  expect(text).toContain(newBrowser.id)
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(30)
    expect(text).not.toContain(secret)
    expect(text).not.toContain(Buffer.from(secret).toString('hex'))
    expect(hookline.service.output()).not.toContain(secret)
  }
  // The library writes nothing outside the JSON log.
  for (const line of hookline.service.output().trim().split('\n')) expect(line).toMatch(/^\{.*\}$/)
})

async function readAudit(accountId: number, like: string) {
  return hookline.database.query<{ actor: string; action: string; detail: object }>(
    'SELECT actor, action, detail FROM audit WHERE account_id = $1 AND action LIKE $2 ORDER BY id',
    [accountId, like],
  )
}

async function lastAudit(accountId: number) {
  const [last] = await hookline.database.query(
    'SELECT actor, action, subject FROM audit WHERE account_id = $1 ORDER BY id DESC LIMIT 1',
    [accountId],
  )
  return last
}

async function countGrants(): Promise<number> {
  const [row] = await hookline.database.query<{ count: string }>('SELECT count(*) FROM grants')
  return Number(row?.count)
}

describe('an app that was written for the original service', () => {
  test.each([
    ['sms hooks:read balance', ['hooks:read']],
    ['openid hooks:read', ['hooks:read']],
    ['contacts events:read hooks offline_access', ['events:read', 'hooks']],
  ])('of the scopes "%s" only known ones are shown and granted', async (scope, known) => {
    const { url, verifier, state } = await requestAccess(app, scope)
    const id = await startInteraction(browser, url)
    const shown = await browser.call(`/api/interactions/${id}`)
    expect(shown.json.interaction.scopes.map((one: { scope: string }) => one.scope)).toEqual(known)
    const callback = await allowAccess(browser, id)
    const tokens = await openid.authorizationCodeGrant(app.config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    expect(tokens.scope?.split(' ')).toEqual(known)
    expect(tokens.id_token).toBeUndefined()
  })

  const withoutChallenge = { code_challenge: '', code_challenge_method: '' }

  test('an app with a secret can be exempted from PKCE, and only this app', async () => {
    const exempt = await registerApp(hookline, publisher, { name: 'Exempt' })
    expect(await setPkceRequired(hookline.db, 'operator', exempt.id, false)).toBe(true)
    const request = await requestAccess(exempt, 'hooks:read', withoutChallenge)
    const callback = await allowAccess(browser, await startInteraction(browser, request.url))
    const tokens = await openid.authorizationCodeGrant(exempt.config, callback, {
      expectedState: request.state,
    })
    expect(await apiStatus(hookline.url, tokens.access_token)).toBe(200)

    const other = await requestAccess(app, 'hooks:read', withoutChallenge)
    expect((await browser.open(other.url)).status).toBe(400)
    expect(await setPkceRequired(hookline.db, 'operator', exempt.id, true)).toBe(true)
    expect((await browser.open(request.url)).status).toBe(400)
  })

  test('an exempted app that sends a challenge must send the verifier', async () => {
    const exempt = await registerApp(hookline, publisher, { name: 'Careful' })
    await setPkceRequired(hookline.db, 'operator', exempt.id, false)
    const code = await getCode(browser, exempt)
    const rejected = await redeem(hookline, exempt, code, { code_verifier: '' })
    expect([rejected.status, rejected.json.error]).toEqual([400, 'invalid_grant'])
  })

  test('a code without a challenge is not redeemed with a verifier', async () => {
    const exempt = await registerApp(hookline, publisher, { name: 'Mixed' })
    await setPkceRequired(hookline.db, 'operator', exempt.id, false)
    const request = await requestAccess(exempt, 'hooks:read', withoutChallenge)
    const callback = await allowAccess(browser, await startInteraction(browser, request.url))
    const code = { ...request, callback, code: callback.searchParams.get('code') ?? '' }
    const rejected = await redeem(hookline, exempt, code)
    expect([rejected.status, rejected.json.error]).toEqual([400, 'invalid_grant'])
  })

  test('an app without a secret cannot be exempted', async () => {
    const native = await registerApp(hookline, publisher, { name: 'Native', isPublic: true })
    expect(await setPkceRequired(hookline.db, 'operator', native.id, false)).toBe(false)
    const request = await requestAccess(native, 'hooks:read', withoutChallenge)
    expect((await browser.open(request.url)).status).toBe(400)
  })

  test('the user of a token is read at /oauth/me', async () => {
    const { access } = await connect(browser, app, 'hooks:read')
    const me = `${hookline.url}/oauth/me`
    const read = await call(me, { headers: { authorization: `Bearer ${access}` } })
    expect([read.status, read.json]).toEqual([
      200,
      {
        success: true,
        code: null,
        user_id: account.accountId,
        alias: account.alias,
        email: account.email,
        company: account.alias,
        balance: '0.00',
      },
    ])
    for (const [headers, status, code] of [
      [{}, 401, 900],
      [{ authorization: 'Bearer nothing' }, 401, 900],
      [{ 'x-api-key': account.key }, 403, 902],
    ] as const) {
      const rejected = await call(me, { headers })
      expect([rejected.status, rejected.json.code]).toEqual([status, code])
    }
    expect((await browser.call('/oauth/me')).status).toBe(403)
  })
})
