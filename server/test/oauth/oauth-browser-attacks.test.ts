/** Attacks through the browser of the user, grouped by the RFC sections that describe them. */
import * as openid from 'openid-client'
import { describe, expect, test, vi } from 'vitest'
import { call } from '../support/http-call.ts'
import {
  startInteraction,
  requestAccess,
  connect,
  getCode,
  openBrowser,
  post,
  redeem,
} from '../support/oauth-client.ts'
import {
  useOAuthAttackSetup,
  hookline,
  app,
  otherApp,
  account,
  browser,
  countIssued,
  expectErrorPage,
} from '../support/oauth-attack-setup.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

useOAuthAttackSetup()

describe('RFC 9700, 4.4 and RFC 9207: mix-up of authorization servers', () => {
  test('every authorization response contains the issuer', async () => {
    const { callback } = await getCode(browser, app)
    expect(callback.searchParams.get('iss')).toBe(`${hookline.url}/oauth`)
    const id = await startInteraction(browser, (await requestAccess(app)).url)
    const { return_to: returnTo } = (await browser.call(`/api/interactions/${id}/deny`, { method: 'POST' }))
      .json
    const denied = new URL((await browser.open(returnTo)).headers.get('location') ?? '')
    expect(denied.searchParams.get('iss')).toBe(`${hookline.url}/oauth`)
  })

  test('a client rejects a response with a wrong or missing issuer', async () => {
    const { callback, verifier, state } = await getCode(browser, app)
    callback.searchParams.set('iss', 'https://evil.example/oauth')
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const mismatch = { code: 'OAUTH_INVALID_RESPONSE', cause: { message: expect.stringContaining('"iss"') } }
    const exchange = () => openid.authorizationCodeGrant(app.config, callback, checks)
    await expect(exchange()).rejects.toMatchObject(mismatch)
    callback.searchParams.delete('iss')
    await expect(exchange()).rejects.toMatchObject(mismatch)
  })

  test('forwarded host headers do not change the issuer', async () => {
    const { url } = await requestAccess(app)
    const response = await call(url, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    expect(response.headers.get('location')).toMatch(/^\/connect\//)
    const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0])
    const id = response.headers.get('location')?.slice('/connect/'.length) ?? ''
    const denied = await call(`${hookline.url}/api/interactions/${id}/deny`, {
      method: 'POST',
      headers: { cookie: cookie.join('; '), origin: hookline.url, 'x-forwarded-host': 'evil.example' },
    })
    expect(denied.json.return_to).toBe(`${hookline.url}/oauth/authorize/${id}`)
  })
})

describe('RFC 9700, 4.7: cross-site request forgery on consent', () => {
  test.each([
    ['no token', { 'x-csrf-token': '' }],
    ['an invalid token', { 'x-csrf-token': 'A'.repeat(43) }],
    ['no origin', { origin: '' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['the origin null', { origin: 'null' }],
    ['an origin with the same prefix', { origin: 'http://127.0.0.1.evil.example' }],
  ])('consent is rejected with %s', async (_what, headers) => {
    const id = await startInteraction(browser, (await requestAccess(app)).url)
    const before = await countIssued()
    const forged = await browser.call(`/api/interactions/${id}/allow`, { method: 'POST', headers })
    expect([forged.status, forged.json.code]).toEqual([403, 909])
    expect(await countIssued()).toEqual(before)
    await expectPending(id)
  })

  test('the CSRF token of another user is rejected', async () => {
    const other = await openBrowser(hookline).signIn(await hookline.account())
    const id = await startInteraction(browser, (await requestAccess(app)).url)
    const headers = { 'x-csrf-token': other.csrfToken }
    const forged = await browser.call(`/api/interactions/${id}/allow`, { method: 'POST', headers })
    expect([forged.status, forged.json.code]).toEqual([403, 909])
    await expectPending(id)
  })

  test('consent by a form or a link is rejected', async () => {
    const id = await startInteraction(browser, (await requestAccess(app)).url)
    const form = await browser.open(`/api/interactions/${id}/allow`, {
      method: 'POST',
      form: { allow: 'yes' },
      headers: { origin: 'https://evil.example' },
    })
    expect([form.status, form.json.code]).toEqual([403, 909])
    const link = await browser.open(`/api/interactions/${id}/allow`)
    expect([link.status, link.json.code]).toEqual([405, 1111])
    await expectPending(id)
  })

  test('a forged denial is rejected', async () => {
    const id = await startInteraction(browser, (await requestAccess(app)).url)
    const forged = await browser.call(`/api/interactions/${id}/deny`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    })
    expect([forged.status, forged.json.code]).toEqual([403, 909])
    await expectPending(id)
  })
})

describe('RFC 9700, 4.7.1 and OAuth 2.1, 7.13: interactions of another browser', () => {
  test('an interaction cannot be read, answered or resumed with its ID alone', async () => {
    const victim = openBrowser(hookline)
    const id = await startInteraction(victim, (await requestAccess(app)).url)
    // The attacker is signed in and has a separate interaction.
    await startInteraction(browser, (await requestAccess(app)).url)
    const before = await countIssued()
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/allow'],
      ['POST', '/deny'],
    ] as const) {
      const response = await browser.call(`/api/interactions/${id}${path}`, { method })
      expect([path, response.status, response.json.code]).toEqual([path, 404, 1102])
    }
    const redirect = await browser.open(`/oauth/authorize/${id}`)
    expect([redirect.status, redirect.headers.get('location')]).toEqual([400, null])
    expect(await countIssued()).toEqual(before)
    expect((await victim.call(`/api/interactions/${id}`)).status).toBe(200)
  })

  test('a cookie forged from the interaction ID is rejected', async () => {
    const victim = openBrowser(hookline)
    const id = await startInteraction(victim, (await requestAccess(app)).url)
    const attacker = openBrowser(hookline)
    const attackerId = await startInteraction(attacker, (await requestAccess(app)).url)
    const signature = attacker.cookies().find((cookie) => cookie.startsWith('hookline-connect.sig=')) ?? ''
    expect(signature).not.toBe('')
    for (const cookie of [
      `hookline-connect=${id}`,
      `hookline-connect=${id}; ${signature}`,
      `hookline-connect=${attackerId}; ${signature}`,
    ]) {
      const response = await call(`${hookline.url}/api/interactions/${id}`, { headers: { cookie } })
      expect([response.status, response.json.code]).toEqual([404, 1102])
    }
  })

  test('consent given in one browser cannot be resumed in another', async () => {
    const id = await startInteraction(browser, (await requestAccess(app)).url)
    const { return_to: returnTo } = (await browser.call(`/api/interactions/${id}/allow`, { method: 'POST' }))
      .json
    const victim = openBrowser(hookline)
    await victim.signIn(await hookline.account())
    const redirect = await victim.open(returnTo)
    expect([redirect.status, redirect.headers.get('location')]).toEqual([400, null])
  })

  test('the authorization flow leaves no session cookies besides the existing one', async () => {
    const ownBrowser = openBrowser(hookline)
    await ownBrowser.signIn(account)
    await connect(ownBrowser, app)
    const names = ownBrowser.cookies().map((cookie) => cookie.split('=')[0])
    expect(names).toEqual(['hookline', 'hookline-connect', 'hookline-connect.sig'])
  })

  test('the cookies are scoped to the interaction and HttpOnly', async () => {
    const response = await call((await requestAccess(app)).url)
    const id = response.headers.get('location')?.slice('/connect/'.length) ?? ''
    const cookies = response.headers
      .getSetCookie()
      .map((line) => line.replaceAll(/expires=[^;]*/g, 'expires'))
    const names = cookies.map((cookie) => cookie.split('=')[0])
    expect(names).toEqual([
      'hookline-connect',
      'hookline-connect.sig',
      'hookline-resume',
      'hookline-resume.sig',
    ])
    for (const cookie of cookies) {
      const path = cookie.startsWith('hookline-connect')
        ? `/api/interactions/${id}`
        : `/oauth/authorize/${id}`
      expect(cookie.split('; ').slice(1)).toEqual([`path=${path}`, 'expires', 'samesite=lax', 'httponly'])
    }
  })
})

describe('RFC 9700, 4.13: TLS-terminating proxy', () => {
  test('cookies are Secure, and URLs use BASE_URL', async () => {
    const proxied = await hookline.startAnother({ PORT: '0', BASE_URL: 'https://hooks.example.com' }, 'api')
    const { url } = await requestAccess(app)
    const started = await call(url.replace(hookline.url, proxied.url))
    const id = started.headers.get('location')?.slice('/connect/'.length) ?? ''
    const cookies = started.headers.getSetCookie()
    expect(cookies).toHaveLength(4)
    for (const cookie of cookies)
      expect(cookie).toMatch(/^__Secure-hookline-(connect|resume)(\.sig)?=.*; secure; httponly$/)
    expect(started.headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)

    const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
    const denied = await call(`${proxied.url}/api/interactions/${id}/deny`, {
      method: 'POST',
      headers: { cookie, origin: 'https://hooks.example.com' },
    })
    expect(denied.json.return_to).toBe(`https://hooks.example.com/oauth/authorize/${id}`)
    const redirect = await call(`${proxied.url}/oauth/authorize/${id}`, { headers: { cookie } })
    const callback = new URL(redirect.headers.get('location') ?? '')
    expect(callback.searchParams.get('iss')).toBe('https://hooks.example.com/oauth')
    await proxied.stop()
  })
})

describe('RFC 9700, 4.2 and 4.16, OAuth 2.1, 7.12: leaks and framing', () => {
  test('no response can be framed, cached or sent as Referer', async () => {
    const { url } = await requestAccess(app)
    const id = await startInteraction(browser, url)
    const responses = [
      await browser.open(url),
      await browser.open(`${url}&redirect_uri=x`),
      await browser.call(`/api/interactions/${id}`),
      await browser.open(`/oauth/authorize/${id}`),
      await post(hookline, 'token', {}, app),
      await post(hookline, 'introspect', { token: 'x' }, app),
      await call(`${hookline.url}/oauth/nowhere`),
    ]
    for (const { headers } of responses) {
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    }
  })

  test('the error page runs no script, loads no resources and escapes input', async () => {
    const { url } = await requestAccess(app, 'hooks:read', { scope: '<script>alert(1)</script>' })
    const response = await expectErrorPage(url, 'invalid_scope')
    expect(response.text).not.toContain('<script')
    expect(response.text).not.toMatch(/(src|href)=|url\(|@import/)
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'$/,
    )
  })

  test('secrets of a request are not logged', async () => {
    const { url, state } = await requestAccess(app)
    await startInteraction(browser, url)
    const code = await getCode(browser, app)
    await redeem(hookline, app, code)
    for (const text of [state, code.code, code.verifier, app.secret ?? ''])
      expect(hookline.service.output()).not.toContain(text)
    expect(hookline.service.output()).toContain('"route":"/oauth/token"')
  })
})

describe('RFC 9700, 4.11: open redirector', () => {
  test.each([
    ['an invalid scope', { scope: 'nonsense' }, 'invalid_scope'],
    ['prompt=none', { prompt: 'none' }, 'consent_required'],
    ['an unknown response type', { response_type: 'x' }, 'unsupported_response_type'],
    ['a request object', { request: 'x' }, 'request_not_supported'],
    ['a request URI', { request_uri: 'https://evil.example/' }, 'request_uri_not_supported'],
    ['a registration', { registration: '{}' }, 'registration_not_supported'],
  ])('an invalid request does not redirect: %s', async (_what, extra, error) => {
    await expectErrorPage((await requestAccess(otherApp, 'hooks:read', extra)).url, error)
  })

  test('a request of an unknown app does not redirect', async () => {
    const { url } = await requestAccess(app, 'hooks:read', { client_id: 'hla_00000000000000000000' })
    await expectErrorPage(url, 'invalid_client')
  })
})

describe('RFC 9700, 4.12: credentials in redirects', () => {
  test('every redirect is a 303, which drops the body', async () => {
    const { url } = await requestAccess(app)
    const started = await browser.open(url)
    const id = started.headers.get('location')?.slice('/connect/'.length) ?? ''
    const { return_to: returnTo } = (await browser.call(`/api/interactions/${id}/allow`, { method: 'POST' }))
      .json
    expect([started.status, (await browser.open(returnTo)).status]).toEqual([303, 303])
  })

  test('the endpoints reject other methods', async () => {
    for (const [method, path] of [
      ['POST', '/oauth/authorize'],
      ['GET', '/oauth/token'],
      ['GET', '/oauth/revoke'],
      ['GET', '/oauth/introspect'],
      ['PUT', '/oauth/token'],
    ] as const) {
      const response = await call(hookline.url + path, { method })
      expect([method, path, response.status, response.json.success]).toEqual([method, path, 404, false])
    }
  })
})

/** Expects that resuming the interaction leads to the consent page again. */
async function expectPending(id: string): Promise<void> {
  const redirect = await browser.open(`/oauth/authorize/${id}`)
  expect(redirect.headers.get('location')).toMatch(/^\/connect\//)
}
