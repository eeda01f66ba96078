/** Attacks by apps: scopes, impersonation, misused tokens, unsupported flows and revoked access. */
import { describe, expect, test, vi } from 'vitest'
import { setSuspended } from '../../src/identity/accounts/accounts.ts'
import { digestOf } from '../../src/identity/oauth/sealed-payload.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import {
  apiStatus,
  startInteraction,
  requestAccess,
  connect,
  getCode,
  openBrowser,
  post,
  redeem,
  refresh,
  registerApp,
} from '../support/oauth-client.ts'
import {
  useOAuthAttackSetup,
  hookline,
  publisher,
  app,
  native,
  otherApp,
  account,
  browser,
  countIssued,
  expectErrorPage,
  expectRejected,
  expectRevoked,
  ageRecord,
} from '../support/oauth-attack-setup.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

useOAuthAttackSetup()

describe('RFC 6749, 3.3 and 6: scope escalation', () => {
  test.each([['all'], ['hooks:read all'], ['admin'], ['openid'], ['HOOKS'], ['hooks,events:read'], ['']])(
    'the scope "%s" is rejected',
    async (scope) => {
      await expectErrorPage((await requestAccess(app, 'hooks:read', { scope })).url, 'invalid_scope')
    },
  )

  test('a request without scopes is rejected', async () => {
    const { url } = await requestAccess(app, 'hooks:read', { scope: '' })
    await expectErrorPage(url, 'invalid_scope')
    await expectErrorPage(`${url}&scope=offline_access`, 'invalid_scope')
  })

  test('parameters of the consent call do not change the scopes', async () => {
    const started = await requestAccess(app, 'hooks:read')
    const id = await startInteraction(browser, started.url)
    const allowed = await browser.call(`/api/interactions/${id}/allow`, {
      method: 'POST',
      json: { scopes: ['hooks'], scope: 'hooks', consent: { scopes: ['hooks'] } },
    })
    const returnTo = new URL(allowed.json.return_to)
    returnTo.searchParams.set('scope', 'hooks events:read')
    const callback = new URL((await browser.open(returnTo.href)).headers.get('location') ?? '')
    const code = { ...started, callback, code: callback.searchParams.get('code') ?? '' }
    const tokens = await redeem(hookline, app, code, { scope: 'hooks events:read' })
    expect(tokens.json.scope).toBe('hooks:read')
    await expectWriteRejected(tokens.json.access_token)
  })

  test('a refresh cannot add scopes', async () => {
    const { refresh: token } = await connect(browser, app, 'hooks:read')
    const before = await countIssued()
    await expectRejected(
      await refresh(hookline, app, token, { scope: 'hooks:read hooks' }),
      400,
      'invalid_scope',
    )
    expect(await countIssued()).toEqual(before)
    const same = await refresh(hookline, app, token)
    expect(same.json.scope).toBe('hooks:read')
    await expectWriteRejected(same.json.access_token)
  })

  test('a refresh can reduce scopes', async () => {
    const { refresh: token } = await connect(browser, app, 'hooks events:read')
    const reduced = await refresh(hookline, app, token, { scope: 'events:read' })
    expect(reduced.json.scope).toBe('events:read')
    expect(await apiStatus(hookline.url, reduced.json.access_token)).toBe(403)
  })
})

describe('RFC 6749, 10.2: client impersonation', () => {
  test.each([
    ['no secret', () => ({ id: app.id, secret: null })],
    ['a wrong secret', () => ({ id: app.id, secret: `hls_${'A'.repeat(40)}` })],
    ['the secret of another app', () => ({ id: app.id, secret: otherApp.secret })],
    ['the displayed prefix of the secret', () => ({ id: app.id, secret: app.secret?.slice(0, 8) ?? '' })],
    ['an unknown app', () => ({ id: 'hla_00000000000000000000', secret: app.secret })],
    ['a public app with a secret', () => ({ id: native.id, secret: app.secret })],
  ])('client authentication fails with %s', async (_what, identity) => {
    const code = await getCode(browser, app)
    const before = await countIssued()
    await expectRejected(await redeem(hookline, { ...app, ...identity() }, code), 401, 'invalid_client')
    expect(await countIssued()).toEqual(before)
  })

  test('the stored digest is not accepted as the secret', async () => {
    const [row] = await hookline.database.query<{ digest: string }>(
      `SELECT encode(secret_digest, 'hex') AS digest FROM apps WHERE id = $1`,
      [app.id],
    )
    const response = await post(
      hookline,
      'introspect',
      { token: 'x' },
      { id: app.id, secret: row?.digest ?? '' },
    )
    await expectRejected(response, 401, 'invalid_client')
  })

  test('a secret in two locations or in the URL is rejected', async () => {
    const both = { token: 'x', client_id: app.id, client_secret: app.secret ?? '' }
    expect((await post(hookline, 'introspect', both, app)).json.error).toBe('invalid_request')
    const query = await call(
      `${hookline.url}/oauth/introspect?client_id=${app.id}&client_secret=${app.secret}&token=x`,
      { method: 'POST', form: {} },
    )
    expect(query.json.error).toBe('invalid_request')
  })

  test('secret guesses are throttled per address and do not lock out other addresses', async () => {
    const from = { 'x-forwarded-for': '203.0.113.7' }
    for (let attempt = 0; attempt < 20; attempt++)
      await expectRejected(await guessSecret(`hls_${attempt}`, from), 401, 'invalid_client')
    const throttled = await guessSecret(app.secret, from)
    await expectRejected(throttled, 429, 'temporarily_unavailable')
    expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await guessSecret(app.secret, { 'x-forwarded-for': '203.0.113.8' })).status).toBe(200)
  })
})

describe('RFC 7662, 4 and RFC 7009, 2.1: tokens of other apps', () => {
  test('an app cannot introspect or revoke tokens of another app', async () => {
    const tokens = await connect(browser, app)
    for (const token of [tokens.access, tokens.refresh]) {
      const introspected = await post(hookline, 'introspect', { token }, otherApp)
      expect([introspected.status, introspected.json]).toEqual([200, { active: false }])
      const revoked = await post(hookline, 'revoke', { token }, otherApp)
      expect([revoked.status, revoked.text]).toEqual([200, ''])
    }
    expect(await apiStatus(hookline.url, tokens.access)).toBe(200)
    expect((await refresh(hookline, app, tokens.refresh)).status).toBe(200)
  })

  test('introspection by a public app always returns inactive, because it cannot authenticate', async () => {
    const publicApp = { ...native, redirectUri: 'com.example.app:/callback' }
    const { access } = await connect(browser, publicApp)
    expect((await post(hookline, 'introspect', { token: access }, publicApp)).json).toEqual({ active: false })
  })
})

describe('RFC 9700, 4.9 and RFC 6750, 2.2 and 2.3: misplaced tokens', () => {
  test('access tokens are rejected outside the Bearer scheme', async () => {
    const { access } = await connect(browser, app, 'hooks')
    const url = `${hookline.url}/api/hooks`
    for (const response of [
      await call(`${url}?access_token=${access}`),
      await call(`${url}?p=${access}`),
      await call(url, {
        method: 'POST',
        form: { access_token: access, target_url: 'https://example.com/', event_type: 'all' },
      }),
      await call(url, {
        method: 'POST',
        json: { access_token: access, target_url: 'https://example.com/', event_type: 'all' },
      }),
      await call(url, { headers: { 'x-api-key': access } }),
      await call(url, { headers: { authorization: `Basic ${access}` } }),
      await call(url, { headers: { cookie: `hookline=${access}` } }),
    ])
      expect([response.status, response.json.code]).toEqual([401, 900])
  })

  test('codes, refresh tokens, keys and random text are rejected as access tokens', async () => {
    const { refresh: refreshToken } = await connect(browser, app)
    const { code } = await getCode(browser, app)
    for (const token of [refreshToken, code, account.key, app.secret, 'x', "' OR 1=1 --"]) {
      const response = await call(`${hookline.url}/api/hooks`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect([response.status, response.json.code]).toEqual([401, 900])
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="hookline", error="invalid_token"')
    }
  })

  test('an expired access token is rejected', async () => {
    const { access } = await connect(browser, app)
    await hookline.database.query(
      `UPDATE oauth_records SET expires_at = now() - interval '1 second' WHERE digest = $1`,
      [digestOf(hookline.vault, 'AccessToken', access)],
    )
    expect(await apiStatus(hookline.url, access)).toBe(401)
  })

  test('an access token of an expired grant is rejected', async () => {
    const { access } = await connect(browser, app)
    await hookline.database.query(
      `UPDATE grants SET expires_at = now() - interval '1 second'
       WHERE digest = (SELECT grant_digest FROM oauth_records WHERE digest = $1)`,
      [digestOf(hookline.vault, 'AccessToken', access)],
    )
    expect(await apiStatus(hookline.url, access)).toBe(401)
  })
})

describe('RFC 9700, 2.1.2 and 2.4: unsupported flows', () => {
  test.each([
    // The default response mode of these types is fragment, which is checked first.
    ['token', 'unsupported_response_mode', 'invalid_request'],
    ['id_token', 'unsupported_response_mode', 'invalid_request'],
    ['code token', 'unsupported_response_mode', 'invalid_request'],
    ['code id_token', 'unsupported_response_mode', 'invalid_request'],
    ['none', 'unsupported_response_type', 'unsupported_response_type'],
  ])('response type %s is rejected', async (type, error, asQuery) => {
    const { url } = await requestAccess(app, 'hooks:read', { response_type: type })
    await expectErrorPage(url, error)
    await expectErrorPage(`${url}&response_mode=query`, asQuery)
  })

  test.each([['fragment'], ['form_post'], ['web_message'], ['jwt'], ['query.jwt'], ['QUERY']])(
    'response mode %s is rejected',
    async (mode) => {
      const { url } = await requestAccess(app, 'hooks:read', { response_mode: mode })
      await expectErrorPage(url, 'unsupported_response_mode')
    },
  )

  test.each([
    ['password'],
    ['client_credentials'],
    ['implicit'],
    ['urn:ietf:params:oauth:grant-type:device_code'],
    ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
    ['urn:ietf:params:oauth:grant-type:token-exchange'],
  ])('grant type %s is rejected', async (type) => {
    const form = { grant_type: type, username: account.alias, password: account.password, scope: 'hooks' }
    const before = await countIssued()
    await expectRejected(await post(hookline, 'token', form, app), 400, 'unsupported_grant_type')
    expect(await countIssued()).toEqual(before)
  })

  test('a cross-origin script gets no tokens and no CORS headers', async () => {
    const headers = { origin: 'https://app.example' }
    const tokens = await connect(browser, app)
    const response = await post(
      hookline,
      'token',
      { grant_type: 'refresh_token', refresh_token: tokens.refresh },
      app,
      headers,
    )
    await expectRejected(response, 400, 'invalid_request')
    for (const { headers: sent } of [response, await post(hookline, 'introspect', { token: 'x' }, app)])
      expect([...sent.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect((await refresh(hookline, app, tokens.refresh)).status).toBe(200)
  })
})

describe('RFC 8252, 8.6 and RFC 9700, 4.15: app impersonation by name', () => {
  test.each([
    ['the service name', 'Hookline'],
    ['in another case', 'hookLINE'],
    ['part of a longer name', 'Hookline Support'],
    ['with digits', 'H00kl1ne'],
    ['with a capital i', 'HookIine'],
    ['spaced', 'H o o k l i n e'],
    ['with a hyphen', 'Hook-line'],
    ['accented', 'Höòklîné'],
    ['full width', 'Ｈｏｏｋｌｉｎｅ'],
    ['mathematical', '𝐇𝐨𝐨𝐤𝐥𝐢𝐧𝐞'],
    ['small capitals', 'ʜᴏᴏᴋʟɪɴᴇ'],
    ['in Cyrillic only', 'Нооқӏіпе'],
    ['with a Cyrillic o', 'Hооkline'],
    ['with a Greek o', 'Hοokline'],
    ['another name in two scripts', 'Раypal'],
    ['a reversed direction', 'Acme\u202Eecivres'],
    ['zero width', 'Ac\u200Bme'],
    ['a soft hyphen', 'Ac\u00ADme'],
    ['a filler character', 'Acme\u3164'],
    ['a line break', 'Acme\nverified'],
    ['a wide space', 'Acme\u2003verified'],
    ['a tag character', 'Acme\u{E0041}'],
    ['spaces only', '   '],
    ['too long', 'a'.repeat(61)],
  ])('the name is rejected: %s', async (_what, name) => {
    const response = await publisher.call('/api/apps', {
      method: 'POST',
      json: { name, is_public: true, redirect_uris: ['https://a.example/'] },
    })
    expect([name, response.status, response.json.code]).toEqual([name, 400, 1012])
  })

  test('a rename to the service name is rejected', async () => {
    const changed = await publisher.call(`/api/apps/${app.id}`, {
      method: 'POST',
      json: { name: 'Hookline' },
    })
    expect([changed.status, changed.json.code]).toEqual([400, 1012])
  })
})

test('unanswered authorization requests are limited per address and do not affect other addresses', async () => {
  const strict = await hookline.startAnother({ PORT: '0', LOGIN_ATTEMPTS: '1' }, 'api')
  const { url } = await requestAccess(app)
  const plain = url.replace(hookline.url, strict.url)
  const slashed = plain.replace('/authorize?', '/authorize/?')
  const requestFrom = (ip: string, address = plain) => call(address, { headers: { 'x-forwarded-for': ip } })
  const before = await countIssued()
  for (let count = 0; count < 25; count++)
    for (const address of [plain, slashed])
      expect((await requestFrom('203.0.113.50', address)).status).toBe(303)
  for (const address of [plain, slashed]) {
    const rejected = await requestFrom('203.0.113.50', address)
    expect(rejected.status).toBe(429)
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(rejected.text).toContain('Too many authorization requests from your network')
  }
  expect((await requestFrom('203.0.113.51')).status).toBe(303)
  const now = await countIssued()
  expect((now.Interaction ?? 0) - (before.Interaction ?? 0)).toBe(51)
})

describe('access ends with its account, app, login or grant', () => {
  test('tokens of a suspended account stop until the account is resumed', async () => {
    const holder = await hookline.account()
    const ownBrowser = openBrowser(hookline)
    await ownBrowser.signIn(holder)
    const tokens = await connect(ownBrowser, app)
    await setSuspended(hookline.db, 'operator', holder.accountId, true)
    const rejected = await call(`${hookline.url}/api/hooks`, {
      headers: { authorization: `Bearer ${tokens.access}` },
    })
    expect([rejected.status, rejected.json.code]).toEqual([403, 904])
    await expectRejected(await refresh(hookline, app, tokens.refresh), 400, 'invalid_grant')
    expect((await post(hookline, 'introspect', { token: tokens.access }, app)).json).toEqual({
      active: false,
    })
    await setSuspended(hookline.db, 'operator', holder.accountId, false)
    expect(await apiStatus(hookline.url, tokens.access)).toBe(200)
    expect((await refresh(hookline, app, tokens.refresh)).status).toBe(200)
  })

  test('apps of a suspended publisher lose all access and cannot request new access', async () => {
    const publisherAccount = await hookline.account()
    const owner = await openBrowser(hookline).signIn(publisherAccount)
    const suspendedApp = await registerApp(hookline, owner, { name: 'Theirs' })
    const tokens = await connect(browser, suspendedApp)
    const { url } = await requestAccess(suspendedApp)
    await setSuspended(hookline.db, 'operator', publisherAccount.accountId, true)
    expect(await apiStatus(hookline.url, tokens.access)).toBe(401)
    await expectRejected(await refresh(hookline, suspendedApp, tokens.refresh), 401, 'invalid_client')
    await expectErrorPage(url, 'invalid_client')
  })

  test('deleting a login revokes its tokens', async () => {
    const holder = await hookline.account()
    const ownBrowser = openBrowser(hookline)
    await ownBrowser.signIn(holder)
    const tokens = await connect(ownBrowser, app)
    await hookline.database.query('DELETE FROM sessions WHERE login_id = $1', [holder.loginId])
    await hookline.database.query('DELETE FROM logins WHERE id = $1', [holder.loginId])
    await expectRevoked(app, tokens)
  })

  test('a grant expires after 90 days', async () => {
    const tokens = await connect(browser, app)
    await ageRecord('RefreshToken', tokens.refresh, 90 * 86_400 + 1)
    await expectRejected(await refresh(hookline, app, tokens.refresh), 400, 'invalid_grant')
  })
})

async function expectWriteRejected(token: string): Promise<void> {
  const write = await call(`${hookline.url}/api/hooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    form: { target_url: 'https://example.com/grown', event_type: 'all' },
  })
  expect([write.status, write.json.code]).toEqual([403, 902])
  expect(write.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
}

function guessSecret(secret: string | null, headers: Record<string, string>): Promise<CallResponse> {
  return post(hookline, 'introspect', { token: 'x' }, { id: app.id, secret }, headers)
}
