/**
 * Attacks on authorization codes and refresh tokens, grouped by the RFC sections that describe them. Each test checks the
 * error, that nothing was issued, and which tokens were revoked.
 */
import * as openid from 'openid-client'
import { describe, expect, test, vi } from 'vitest'
import {
  allowAccess,
  apiStatus,
  startInteraction,
  requestAccess,
  connect,
  getCode,
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

describe('RFC 9700, 2.1 and 4.1: insufficient validation of redirect URIs', () => {
  test.each([
    ['suffix of the path', 'https://app.example/callback/'],
    ['below the path', 'https://app.example/callback/evil'],
    ['prefix of the path', 'https://app.example/call'],
    ['no path', 'https://app.example'],
    ['another path', 'https://app.example/other'],
    ['path traversal', 'https://app.example/callback/../evil'],
    ['path traversal back to the path', 'https://app.example/x/../callback'],
    ['encoded traversal', 'https://app.example/callback/%2e%2e/evil'],
    ['encoded letter', 'https://app.example/%63allback'],
    ['encoded end', 'https://app.example/callback%00'],
    ['double slash', 'https://app.example//callback'],
    ['extra query', 'https://app.example/callback?next=https://evil.example'],
    ['empty query', 'https://app.example/callback?'],
    ['fragment', 'https://app.example/callback#evil'],
    ['case of the path', 'https://app.example/Callback'],
    ['case of the host', 'https://APP.example/callback'],
    ['case of the scheme', 'HTTPS://app.example/callback'],
    ['default port', 'https://app.example:443/callback'],
    ['another port', 'https://app.example:8443/callback'],
    ['http downgrade', 'http://app.example/callback'],
    ['host suffix', 'https://app.example.evil.example/callback'],
    ['host prefix', 'https://evilapp.example/callback'],
    ['subdomain', 'https://evil.app.example/callback'],
    ['trailing dot', 'https://app.example./callback'],
    ['user info', 'https://app.example@evil.example/callback'],
    ['user info with password', 'https://app.example:x@evil.example/callback'],
    ['backslash', 'https://evil.example\\@app.example/callback'],
    ['fragment before the host', 'https://evil.example#@app.example/callback'],
    ['URL in the query of another URL', 'https://evil.example/?u=https://app.example/callback'],
    ['no scheme', '//app.example/callback'],
    ['wildcard', 'https://*.example/callback'],
    ['script', 'javascript:alert(1)//app.example/callback'],
    ['data', 'data:text/html,<script>alert(1)</script>'],
    ['leading space', ' https://app.example/callback'],
    ['trailing space', 'https://app.example/callback '],
    ['line break', 'https://app.example/callback\r\nLocation: https://evil.example'],
    ['tab', 'https://app.exam\tple/callback'],
    ['look-alike host', 'https://аpp.example/callback'],
    ['redirect URI of another app', 'https://other.example/callback'],
    ['two URLs', 'https://app.example/callback https://evil.example/'],
  ])('a redirect URI with a different value is rejected: %s', async (_what, redirectUri) => {
    const { url } = await requestAccess(app, 'hooks:read', { redirect_uri: redirectUri })
    const response = await expectErrorPage(url, 'invalid_redirect_uri')
    expect(response.text).not.toContain('evil')
  })

  test('a missing, empty or repeated redirect URI is rejected', async () => {
    const { url } = await requestAccess(app, 'hooks:read', { redirect_uri: '' })
    await expectErrorPage(url, 'invalid_request')
    await expectErrorPage(`${url}&redirect_uri=`, 'invalid_request')
    const twice = `${url}&redirect_uri=${encodeURIComponent(app.redirectUri)}&redirect_uri=https%3A%2F%2Fevil.example`
    await expectErrorPage(twice, 'invalid_request')
  })

  test('a different redirect URI in the token request is rejected', async () => {
    const code = await getCode(browser, app)
    const wrong = await redeem(hookline, app, code, { redirect_uri: 'https://app.example/callback/' })
    await expectRejected(wrong, 400, 'invalid_grant')
    await expectRejected(
      await post(
        hookline,
        'token',
        { grant_type: 'authorization_code', code: code.code, code_verifier: code.verifier },
        app,
      ),
      400,
      'invalid_request',
    )
  })

  test('a removed redirect URI is rejected', async () => {
    const moving = await registerApp(hookline, publisher, { name: 'Moving' })
    const { url } = await requestAccess(moving)
    await startInteraction(browser, url)
    await publisher.call(`/api/apps/${moving.id}`, {
      method: 'POST',
      json: { redirect_uris: ['https://moved.example/callback'] },
    })
    await expectErrorPage(url, 'invalid_redirect_uri')
  })
})

describe('RFC 8252, 7.3 and 8.3: redirect URIs of native apps', () => {
  test.each([
    ['any port of 127.0.0.1', 'http://127.0.0.1:51004/callback'],
    ['any port of [::1]', 'http://[::1]:51004/six'],
    ['the custom scheme', 'com.example.app:/callback'],
  ])('%s is accepted', async (_what, redirectUri) => {
    const { url } = await requestAccess(native, 'hooks:read', { redirect_uri: redirectUri })
    const redirect = await allowAccess(browser, await startInteraction(browser, url))
    expect(redirect.href.startsWith(`${redirectUri}?code=`)).toBe(true)
  })

  test.each([
    ['localhost, which may resolve elsewhere', 'http://localhost:51004/callback'],
    ['another path', 'http://127.0.0.1:51004/other'],
    ['the path of the other redirect URI', 'http://[::1]:51004/callback'],
    ['https', 'https://127.0.0.1:51004/callback'],
    ['another loopback address', 'http://127.0.0.2:51004/callback'],
    ['a shortened address', 'http://127.1:51004/callback'],
    ['a hexadecimal address', 'http://0x7f.0.0.1:51004/callback'],
    ['the unspecified address', 'http://0.0.0.0:51004/callback'],
    ['user info', 'http://evil@127.0.0.1:51004/callback'],
    ['the address as user info', 'http://127.0.0.1:51004@evil.example/callback'],
    ['the address as a subdomain', 'http://127.0.0.1.evil.example:51004/callback'],
    ['a query', 'http://127.0.0.1:51004/callback?x=1'],
    ['an invalid port', 'http://127.0.0.1:99999/callback'],
    ['another scheme', 'com.example.evil:/callback'],
    ['the custom scheme with another path', 'com.example.app:/other'],
    ['the custom scheme with a host', 'com.example.app://callback'],
  ])('%s is rejected', async (_what, redirectUri) => {
    const { url } = await requestAccess(native, 'hooks:read', { redirect_uri: redirectUri })
    await expectErrorPage(url, 'invalid_redirect_uri')
  })

  test('a token request with a different port is rejected', async () => {
    const local = { ...native, redirectUri: 'http://127.0.0.1:51004/callback' }
    const code = await getCode(browser, local)
    const elsewhere = await redeem(hookline, native, code, {
      redirect_uri: 'http://127.0.0.1:51005/callback',
    })
    await expectRejected(elsewhere, 400, 'invalid_grant')
    expect((await redeem(hookline, local, code)).status).toBe(200)
  })
})

describe('RFC 9700, 2.1.1 and 4.8: PKCE downgrade', () => {
  test.each([
    ['no challenge', { code_challenge: '', code_challenge_method: '' }],
    ['a method without a challenge', { code_challenge: '' }],
    ['a challenge without a method, which defaults to plain', { code_challenge_method: '' }],
    ['plain', { code_challenge_method: 'plain' }],
    ['an unknown method', { code_challenge_method: 's256' }],
    ['a challenge that is too short', { code_challenge: 'abc' }],
  ])('an authorization request is rejected: %s', async (_what, extra) => {
    for (const client of [app, native])
      await expectErrorPage((await requestAccess(client, 'hooks:read', extra)).url, 'invalid_request')
  })

  test.each([
    ['no verifier', '', 'invalid_grant'],
    ['another verifier', openid.randomPKCECodeVerifier(), 'invalid_grant'],
    ['a verifier that is too short', 'abc', 'invalid_request'],
  ])('a token request is rejected: %s', async (_what, verifier, error) => {
    for (const client of [app, native]) {
      const code = await getCode(browser, client)
      const before = await countIssued()
      await expectRejected(await redeem(hookline, client, code, { code_verifier: verifier }), 400, error)
      expect(await countIssued()).toEqual(before)
    }
  })

  test('the challenge is rejected as verifier', async () => {
    const code = await getCode(browser, app)
    const challenge = await openid.calculatePKCECodeChallenge(code.verifier)
    await expectRejected(
      await redeem(hookline, app, code, { code_verifier: challenge }),
      400,
      'invalid_grant',
    )
  })
})

describe('RFC 9700, 4.5: stolen codes', () => {
  test('another app cannot redeem the code with its own credentials', async () => {
    const code = await getCode(browser, app)
    const before = await countIssued()
    await expectRejected(
      await redeem(hookline, { ...otherApp, redirectUri: app.redirectUri }, code),
      400,
      'invalid_grant',
    )
    await expectRejected(
      await redeem(hookline, { ...native, redirectUri: app.redirectUri }, code),
      400,
      'invalid_grant',
    )
    expect(await countIssued()).toEqual(before)
    expect((await redeem(hookline, app, code)).status).toBe(200)
  })

  test('a code injected into another session of the same app fails the verifier check', async () => {
    const [firstCode, secondCode] = [await getCode(browser, app), await getCode(browser, app)]
    await expectRejected(
      await redeem(hookline, app, firstCode, { code_verifier: secondCode.verifier }),
      400,
      'invalid_grant',
    )
  })

  test('a code of a confidential app requires the secret', async () => {
    const code = await getCode(browser, app)
    const response = await redeem(hookline, { ...app, secret: null }, code)
    await expectRejected(response, 401, 'invalid_client')
  })

  test('an expired code is rejected', async () => {
    const code = await getCode(browser, app)
    await ageRecord('AuthorizationCode', code.code, 61)
    await expectRejected(await redeem(hookline, app, code), 400, 'invalid_grant')
  })
})

describe('OAuth 2.1, 4.1.3: code replay', () => {
  test('a replayed code revokes all of its tokens and is audited', async () => {
    const code = await getCode(browser, app)
    const { access_token: access, refresh_token: token } = (await redeem(hookline, app, code)).json
    expect(await apiStatus(hookline.url, access)).toBe(200)
    const newer = (await refresh(hookline, app, token)).json
    const before = await countReplays()
    await expectRejected(await redeem(hookline, app, code), 400, 'invalid_grant')
    await expectRevoked(app, { access, refresh: token })
    await expectRevoked(app, { access: newer.access_token, refresh: newer.refresh_token })
    expect(await countReplays()).toBe(before + 1)
  })

  test('of concurrent redemptions at most one succeeds, and its tokens are revoked', async () => {
    const code = await getCode(browser, app)
    const before = await countReplays()
    const responses = await Promise.all(Array.from({ length: 5 }, () => redeem(hookline, app, code)))
    const succeeded = responses.filter((response) => response.status === 200)
    expect(succeeded.length).toBeLessThanOrEqual(1)
    for (const response of responses.filter(({ status }) => status !== 200))
      await expectRejected(response, 400, 'invalid_grant')
    for (const { json } of succeeded)
      await expectRevoked(app, { access: json.access_token, refresh: json.refresh_token })
    expect(await countReplays()).toBe(before + 1)
  })

  test('a replayed code does not affect other grants', async () => {
    const other = await connect(browser, app)
    const code = await getCode(browser, app)
    await redeem(hookline, app, code)
    await redeem(hookline, app, code)
    expect(await apiStatus(hookline.url, other.access)).toBe(200)
    expect((await refresh(hookline, app, other.refresh)).status).toBe(200)
  })
})

describe('RFC 9700, 2.2.2 and 4.14: stolen refresh tokens', () => {
  test('a replayed refresh token revokes its whole family and is audited', async () => {
    const first = await connect(browser, app)
    const second = (await refresh(hookline, app, first.refresh)).json
    const before = await countReplays()
    await expectRejected(await refresh(hookline, app, first.refresh), 400, 'invalid_grant')
    await expectRevoked(app, first)
    await expectRevoked(app, { access: second.access_token, refresh: second.refresh_token })
    expect(await countReplays()).toBe(before + 1)
  })

  test('a replayed refresh token of a public app revokes its whole family', async () => {
    const first = await connect(browser, { ...native, redirectUri: 'com.example.app:/callback' })
    const second = (await refresh(hookline, native, first.refresh)).json
    await expectRejected(await refresh(hookline, native, first.refresh), 400, 'invalid_grant')
    await expectRevoked(native, { access: second.access_token, refresh: second.refresh_token })
  })

  test('of concurrent refreshes at most one succeeds, and its tokens are revoked', async () => {
    const first = await connect(browser, app)
    const before = await countReplays()
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => refresh(hookline, app, first.refresh)),
    )
    const succeeded = responses.filter((response) => response.status === 200)
    expect(succeeded.length).toBeLessThanOrEqual(1)
    for (const { json } of succeeded)
      await expectRevoked(app, { access: json.access_token, refresh: json.refresh_token })
    await expectRevoked(app, first)
    expect(await countReplays()).toBe(before + 1)
  })

  test('another app cannot use the refresh token with its own credentials', async () => {
    const tokens = await connect(browser, app)
    const before = await countIssued()
    await expectRejected(await refresh(hookline, otherApp, tokens.refresh), 400, 'invalid_grant')
    await expectRejected(await refresh(hookline, native, tokens.refresh), 400, 'invalid_grant')
    await expectRejected(
      await refresh(hookline, { ...app, secret: null }, tokens.refresh),
      401,
      'invalid_client',
    )
    expect(await countIssued()).toEqual(before)
    expect((await refresh(hookline, app, tokens.refresh)).status).toBe(200)
  })

  test('a refresh does not extend the lifetime of the grant', async () => {
    const first = await connect(browser, app)
    await refresh(hookline, app, first.refresh)
    const [row] = await hookline.database.query<{ longer: number; tokens: number }>(
      `SELECT count(*)::integer AS tokens,
         count(*) FILTER (WHERE records.expires_at > grants.expires_at + interval '1 second')::integer AS longer
       FROM oauth_records AS records JOIN grants ON grants.digest = records.grant_digest`,
    )
    expect(row?.tokens).toBeGreaterThan(3)
    expect(row?.longer).toBe(0)
  })

  test('access tokens and codes are rejected as refresh tokens', async () => {
    const { access } = await connect(browser, app)
    await expectRejected(await refresh(hookline, app, access), 400, 'invalid_grant')
    const { code } = await getCode(browser, app)
    await expectRejected(await refresh(hookline, app, code), 400, 'invalid_grant')
  })
})

async function countReplays(): Promise<number> {
  const rows = await hookline.database.query(
    `SELECT 1 FROM audit WHERE action = 'token.replay' AND account_id = $1 AND actor = $2 AND subject = $2`,
    [account.accountId, `app:${app.id}`],
  )
  return rows.length
}
