/**
 * Attacks on the authorization server, a family a describe, named by where they are written down. Each is tried against the
 * running service; what must hold is the error, that nothing was issued, and what was ended.
 */
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { setSuspended } from '../src/identity/accounts/accounts.ts'
import { digestOf, openPayload, sealPayload } from '../src/identity/oauth/sealed-payload.ts'
import { call, type CallAnswer } from './call.ts'
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
  type Tokens,
} from './oauth-client.ts'
import type { SignedIn } from './person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'

// Processes are started in these tests, and the machine decides how long that takes.
vi.setConfig({ testTimeout: 60_000 })

let world: TestWorld
let publisher: SignedIn
let app: TestApp
let native: TestApp
let otherApp: TestApp
let customer: TestAccount
let browser: Browser

beforeAll(async () => {
  // Requests of these tests come through a proxy of their own, so that each can come from somewhere else.
  world = await startAreaWorld({ TRUSTED_PROXIES: '127.0.0.1' })
  publisher = await openBrowser(world).signIn(await world.account())
  app = await registerApp(world, publisher)
  native = await registerApp(world, publisher, {
    name: 'Native',
    isPublic: true,
    redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/six', 'com.example.app:/callback'],
  })
  const attacker = await openBrowser(world).signIn(await world.account())
  otherApp = await registerApp(world, attacker, {
    name: 'Other',
    redirectUris: ['https://other.example/callback'],
  })
  customer = await world.account()
  browser = openBrowser(world)
  await browser.signIn(customer)
})
afterAll(() => world.close())

/** How much the authorization server has given out so far. */
async function issued(): Promise<Record<string, number>> {
  const rows = await world.database.query<{ model: string; count: number }>(
    `SELECT model, count(*)::integer AS count FROM oauth_records GROUP BY model
     UNION ALL SELECT 'Grant', count(*)::integer FROM grants`,
  )
  return Object.fromEntries(rows.map(({ model, count }) => [model, count]))
}

/** The request is answered on a page of ours, and nobody is sent anywhere or given anything. */
async function expectShown(address: string, error: string): Promise<CallAnswer> {
  const before = await issued()
  const answer = await browser.open(address)
  expect([address, answer.status, answer.headers.get('location')]).toEqual([address, 400, null])
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(/<code>(\w+)/.exec(answer.text)?.[1]).toBe(error)
  expect(await issued()).toEqual(before)
  return answer
}

async function expectRefused(answer: CallAnswer, status: number, error: string): Promise<void> {
  expect([answer.status, answer.json?.error]).toEqual([status, error])
  expect(answer.json).not.toHaveProperty('access_token')
  expect(answer.json).not.toHaveProperty('refresh_token')
}

/** All that a grant gave is worth nothing any more. */
async function expectEnded(of: TestApp, tokens: Tokens): Promise<void> {
  expect(await apiStatus(world.url, tokens.access)).toBe(401)
  await expectRefused(await refresh(world, of, tokens.refresh), 400, 'invalid_grant')
  const digest = digestOf(world.vault, 'AccessToken', tokens.access)
  expect(await world.database.query('SELECT 1 FROM oauth_records WHERE digest = $1', [digest])).toEqual([])
}

async function replays(): Promise<number> {
  const rows = await world.database.query(
    `SELECT 1 FROM audit WHERE action = 'token.replay' AND account_id = $1 AND actor = $2 AND subject = $2`,
    [customer.accountId, `app:${app.id}`],
  )
  return rows.length
}

describe('RFC 9700, 2.1 and 4.1: insufficient validation of redirect addresses', () => {
  test.each([
    ['suffix of the path', 'https://app.example/callback/'],
    ['below the path', 'https://app.example/callback/evil'],
    ['prefix of the path', 'https://app.example/call'],
    ['no path', 'https://app.example'],
    ['another path', 'https://app.example/other'],
    ['path traversal', 'https://app.example/callback/../evil'],
    ['path traversal back to it', 'https://app.example/x/../callback'],
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
    ['address in the query of another', 'https://evil.example/?u=https://app.example/callback'],
    ['no scheme', '//app.example/callback'],
    ['wildcard', 'https://*.example/callback'],
    ['script', 'javascript:alert(1)//app.example/callback'],
    ['data', 'data:text/html,<script>alert(1)</script>'],
    ['leading space', ' https://app.example/callback'],
    ['trailing space', 'https://app.example/callback '],
    ['line break', 'https://app.example/callback\r\nLocation: https://evil.example'],
    ['tab', 'https://app.exam\tple/callback'],
    ['look-alike host', 'https://аpp.example/callback'],
    ["another app's address", 'https://other.example/callback'],
    ['two at once', 'https://app.example/callback https://evil.example/'],
  ])('%s', async (_what, redirectUri) => {
    const { url } = await askAccess(app, 'hooks:read', { redirect_uri: redirectUri })
    const answer = await expectShown(url, 'invalid_redirect_uri')
    expect(answer.text).not.toContain('evil')
  })

  test('left out, empty or sent twice', async () => {
    const { url } = await askAccess(app, 'hooks:read', { redirect_uri: '' })
    await expectShown(url, 'invalid_request')
    await expectShown(`${url}&redirect_uri=`, 'invalid_request')
    const twice = `${url}&redirect_uri=${encodeURIComponent(app.redirectUri)}&redirect_uri=https%3A%2F%2Fevil.example`
    await expectShown(twice, 'invalid_request')
  })

  test('another one when the code is redeemed', async () => {
    const code = await getCode(browser, app)
    const wrong = await redeem(world, app, code, { redirect_uri: 'https://app.example/callback/' })
    await expectRefused(wrong, 400, 'invalid_grant')
    await expectRefused(
      await post(
        world,
        'token',
        { grant_type: 'authorization_code', code: code.code, code_verifier: code.verifier },
        app,
      ),
      400,
      'invalid_request',
    )
  })

  test('an address that is taken back counts no more', async () => {
    const moving = await registerApp(world, publisher, { name: 'Moving' })
    const { url } = await askAccess(moving)
    await arrive(browser, url)
    await publisher.call(`/api/apps/${moving.id}`, {
      method: 'POST',
      json: { redirect_uris: ['https://moved.example/callback'] },
    })
    await expectShown(url, 'invalid_redirect_uri')
  })
})

describe('RFC 8252, 7.3 and 8.3: addresses on the device', () => {
  test.each([
    ['any port of the address', 'http://127.0.0.1:51004/callback'],
    ['any port of version 6', 'http://[::1]:51004/six'],
    ['its own scheme', 'com.example.app:/callback'],
  ])('%s is the app', async (_what, redirectUri) => {
    const { url } = await askAccess(native, 'hooks:read', { redirect_uri: redirectUri })
    const back = await agree(browser, await arrive(browser, url))
    expect(back.href.startsWith(`${redirectUri}?code=`)).toBe(true)
  })

  test.each([
    ['a name that others may answer', 'http://localhost:51004/callback'],
    ['another path', 'http://127.0.0.1:51004/other'],
    ['the path of the other address', 'http://[::1]:51004/callback'],
    ['https', 'https://127.0.0.1:51004/callback'],
    ['another loopback address', 'http://127.0.0.2:51004/callback'],
    ['a shortened address', 'http://127.1:51004/callback'],
    ['a hexadecimal address', 'http://0x7f.0.0.1:51004/callback'],
    ['all addresses', 'http://0.0.0.0:51004/callback'],
    ['user info before it', 'http://evil@127.0.0.1:51004/callback'],
    ['it as user info', 'http://127.0.0.1:51004@evil.example/callback'],
    ['it as a subdomain', 'http://127.0.0.1.evil.example:51004/callback'],
    ['a query', 'http://127.0.0.1:51004/callback?x=1'],
    ['a port that is none', 'http://127.0.0.1:99999/callback'],
    ['another scheme', 'com.example.evil:/callback'],
    ['its scheme with another path', 'com.example.app:/other'],
    ['its scheme with a host', 'com.example.app://callback'],
  ])('%s is not', async (_what, redirectUri) => {
    const { url } = await askAccess(native, 'hooks:read', { redirect_uri: redirectUri })
    await expectShown(url, 'invalid_redirect_uri')
  })

  test('another port than at first does not get the tokens', async () => {
    const here = { ...native, redirectUri: 'http://127.0.0.1:51004/callback' }
    const code = await getCode(browser, here)
    const elsewhere = await redeem(world, native, code, { redirect_uri: 'http://127.0.0.1:51005/callback' })
    await expectRefused(elsewhere, 400, 'invalid_grant')
    expect((await redeem(world, here, code)).status).toBe(200)
  })
})

describe('RFC 9700, 2.1.1 and 4.8: no PKCE, or less of it', () => {
  test.each([
    ['no challenge', { code_challenge: '', code_challenge_method: '' }],
    ['a method without a challenge', { code_challenge: '' }],
    ['a challenge without a method, which would mean plain', { code_challenge_method: '' }],
    ['plain', { code_challenge_method: 'plain' }],
    ['an unknown method', { code_challenge_method: 's256' }],
    ['a challenge that is too short', { code_challenge: 'abc' }],
  ])('%s', async (_what, extra) => {
    for (const one of [app, native])
      await expectShown((await askAccess(one, 'hooks:read', extra)).url, 'invalid_request')
  })

  test.each([
    ['no verifier', '', 'invalid_grant'],
    ['another verifier', openid.randomPKCECodeVerifier(), 'invalid_grant'],
    ['a verifier that is too short', 'abc', 'invalid_request'],
  ])('%s', async (_what, verifier, error) => {
    for (const one of [app, native]) {
      const code = await getCode(browser, one)
      const before = await issued()
      await expectRefused(await redeem(world, one, code, { code_verifier: verifier }), 400, error)
      expect(await issued()).toEqual(before)
    }
  })

  test('the challenge sent as the verifier', async () => {
    const code = await getCode(browser, app)
    const challenge = await openid.calculatePKCECodeChallenge(code.verifier)
    await expectRefused(await redeem(world, app, code, { code_verifier: challenge }), 400, 'invalid_grant')
  })
})

describe('RFC 9700, 4.5: a code in the wrong hands', () => {
  test('of another app, with that app’s own credentials', async () => {
    const code = await getCode(browser, app)
    const before = await issued()
    await expectRefused(
      await redeem(world, { ...otherApp, redirectUri: app.redirectUri }, code),
      400,
      'invalid_grant',
    )
    await expectRefused(
      await redeem(world, { ...native, redirectUri: app.redirectUri }, code),
      400,
      'invalid_grant',
    )
    expect(await issued()).toEqual(before)
    expect((await redeem(world, app, code)).status).toBe(200)
  })

  test('injected into another session of the same app, whose verifier is another', async () => {
    const [stolen, own] = [await getCode(browser, app), await getCode(browser, app)]
    await expectRefused(
      await redeem(world, app, stolen, { code_verifier: own.verifier }),
      400,
      'invalid_grant',
    )
  })

  test('without the secret of an app that has one', async () => {
    const code = await getCode(browser, app)
    const answer = await redeem(world, { ...app, secret: null }, code)
    await expectRefused(answer, 401, 'invalid_client')
  })

  test('an hour later', async () => {
    const code = await getCode(browser, app)
    await age('AuthorizationCode', code.code, 61)
    await expectRefused(await redeem(world, app, code), 400, 'invalid_grant')
  })
})

describe('OAuth 2.1, 4.1.3: a code that comes twice', () => {
  test('ends everything that it gave, and is in the log', async () => {
    const code = await getCode(browser, app)
    const { access_token: access, refresh_token: token } = (await redeem(world, app, code)).json
    expect(await apiStatus(world.url, access)).toBe(200)
    const newer = (await refresh(world, app, token)).json
    const before = await replays()
    await expectRefused(await redeem(world, app, code), 400, 'invalid_grant')
    await expectEnded(app, { access, refresh: token })
    await expectEnded(app, { access: newer.access_token, refresh: newer.refresh_token })
    expect(await replays()).toBe(before + 1)
  })

  test('at the same time: at most one wins, and what it won is gone', async () => {
    const code = await getCode(browser, app)
    const before = await replays()
    const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(world, app, code)))
    const won = answers.filter((answer) => answer.status === 200)
    expect(won.length).toBeLessThanOrEqual(1)
    for (const answer of answers.filter((one) => one.status !== 200))
      await expectRefused(answer, 400, 'invalid_grant')
    for (const { json } of won)
      await expectEnded(app, { access: json.access_token, refresh: json.refresh_token })
    expect(await replays()).toBe(before + 1)
  })

  test('ends nothing else', async () => {
    const kept = await connect(browser, app)
    const code = await getCode(browser, app)
    await redeem(world, app, code)
    await redeem(world, app, code)
    expect(await apiStatus(world.url, kept.access)).toBe(200)
    expect((await refresh(world, app, kept.refresh)).status).toBe(200)
  })
})

describe('RFC 9700, 2.2.2 and 4.14: refresh tokens in the wrong hands', () => {
  test('one that was used before ends its whole family, and is in the log', async () => {
    const first = await connect(browser, app)
    const second = (await refresh(world, app, first.refresh)).json
    const before = await replays()
    await expectRefused(await refresh(world, app, first.refresh), 400, 'invalid_grant')
    await expectEnded(app, first)
    await expectEnded(app, { access: second.access_token, refresh: second.refresh_token })
    expect(await replays()).toBe(before + 1)
  })

  test('of a public app as well', async () => {
    const first = await connect(browser, { ...native, redirectUri: 'com.example.app:/callback' })
    const second = (await refresh(world, native, first.refresh)).json
    await expectRefused(await refresh(world, native, first.refresh), 400, 'invalid_grant')
    await expectEnded(native, { access: second.access_token, refresh: second.refresh_token })
  })

  test('at the same time: at most one wins, and what it won is gone', async () => {
    const first = await connect(browser, app)
    const before = await replays()
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(world, app, first.refresh)))
    const won = answers.filter((answer) => answer.status === 200)
    expect(won.length).toBeLessThanOrEqual(1)
    for (const { json } of won)
      await expectEnded(app, { access: json.access_token, refresh: json.refresh_token })
    await expectEnded(app, first)
    expect(await replays()).toBe(before + 1)
  })

  test('by another app, with that app’s own credentials', async () => {
    const tokens = await connect(browser, app)
    const before = await issued()
    await expectRefused(await refresh(world, otherApp, tokens.refresh), 400, 'invalid_grant')
    await expectRefused(await refresh(world, native, tokens.refresh), 400, 'invalid_grant')
    await expectRefused(await refresh(world, { ...app, secret: null }, tokens.refresh), 401, 'invalid_client')
    expect(await issued()).toEqual(before)
    expect((await refresh(world, app, tokens.refresh)).status).toBe(200)
  })

  test('refreshing does not make access last longer than was agreed', async () => {
    const first = await connect(browser, app)
    await refresh(world, app, first.refresh)
    const [row] = await world.database.query<{ longer: number; tokens: number }>(
      `SELECT count(*)::integer AS tokens,
         count(*) FILTER (WHERE records.expires_at > grants.expires_at + interval '1 second')::integer AS longer
       FROM oauth_records AS records JOIN grants ON grants.digest = records.grant_digest`,
    )
    expect(row?.tokens).toBeGreaterThan(3)
    expect(row?.longer).toBe(0)
  })

  test('an access token is none, nor a code', async () => {
    const { access } = await connect(browser, app)
    await expectRefused(await refresh(world, app, access), 400, 'invalid_grant')
    const { code } = await getCode(browser, app)
    await expectRefused(await refresh(world, app, code), 400, 'invalid_grant')
  })
})

describe('RFC 9700, 4.4 and RFC 9207: mix-up of authorization servers', () => {
  test('every answer to an app says who gives it', async () => {
    const { callback } = await getCode(browser, app)
    expect(callback.searchParams.get('iss')).toBe(`${world.url}/oauth`)
    const id = await arrive(browser, (await askAccess(app)).url)
    const { return_to: way } = (await browser.call(`/api/interactions/${id}/deny`, { method: 'POST' })).json
    const denied = new URL((await browser.open(way)).headers.get('location') ?? '')
    expect(denied.searchParams.get('iss')).toBe(`${world.url}/oauth`)
  })

  test('so a client notices an answer of another', async () => {
    const { callback, verifier, state } = await getCode(browser, app)
    callback.searchParams.set('iss', 'https://evil.example/oauth')
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const noticed = { code: 'OAUTH_INVALID_RESPONSE', cause: { message: expect.stringContaining('"iss"') } }
    const take = () => openid.authorizationCodeGrant(app.config, callback, checks)
    await expect(take()).rejects.toMatchObject(noticed)
    callback.searchParams.delete('iss')
    await expect(take()).rejects.toMatchObject(noticed)
  })

  test('the Host header does not change who we are', async () => {
    const { url } = await askAccess(app)
    const answer = await call(url, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    expect(answer.headers.get('location')).toMatch(/^\/connect\//)
    const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0])
    const id = answer.headers.get('location')?.slice('/connect/'.length) ?? ''
    const denied = await call(`${world.url}/api/interactions/${id}/deny`, {
      method: 'POST',
      headers: { cookie: cookie.join('; '), origin: world.url, 'x-forwarded-host': 'evil.example' },
    })
    expect(denied.json.return_to).toBe(`${world.url}/oauth/authorize/${id}`)
  })
})

describe('RFC 9700, 4.7: cross-site request forgery on consent', () => {
  test.each([
    ['no token', { 'x-csrf-token': '' }],
    ['a made-up token', { 'x-csrf-token': 'A'.repeat(43) }],
    ['no origin', { origin: '' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['the origin of nothing', { origin: 'null' }],
    ['an origin that begins like ours', { origin: 'http://127.0.0.1.evil.example' }],
  ])('%s', async (_what, headers) => {
    const id = await arrive(browser, (await askAccess(app)).url)
    const before = await issued()
    const forged = await browser.call(`/api/interactions/${id}/allow`, { method: 'POST', headers })
    expect([forged.status, forged.json.code]).toEqual([403, 909])
    expect(await issued()).toEqual(before)
    await expectUnanswered(id)
  })

  test("another person's token", async () => {
    const other = await openBrowser(world).signIn(await world.account())
    const id = await arrive(browser, (await askAccess(app)).url)
    const headers = { 'x-csrf-token': other.csrfToken }
    const forged = await browser.call(`/api/interactions/${id}/allow`, { method: 'POST', headers })
    expect([forged.status, forged.json.code]).toEqual([403, 909])
    await expectUnanswered(id)
  })

  test('a form, or a link', async () => {
    const id = await arrive(browser, (await askAccess(app)).url)
    const form = await browser.open(`/api/interactions/${id}/allow`, {
      method: 'POST',
      form: { allow: 'yes' },
      headers: { origin: 'https://evil.example' },
    })
    expect([form.status, form.json.code]).toEqual([403, 909])
    const link = await browser.open(`/api/interactions/${id}/allow`)
    expect([link.status, link.json.code]).toEqual([405, 1111])
    await expectUnanswered(id)
  })

  test('declining for somebody', async () => {
    const id = await arrive(browser, (await askAccess(app)).url)
    const forged = await browser.call(`/api/interactions/${id}/deny`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    })
    expect([forged.status, forged.json.code]).toEqual([403, 909])
    await expectUnanswered(id)
  })
})

describe('RFC 9700, 4.7.1 and OAuth 2.1, 7.13: a request of another browser', () => {
  test('cannot be read, answered or taken up by who only knows its address', async () => {
    const victim = openBrowser(world)
    const id = await arrive(victim, (await askAccess(app)).url)
    // The attacker is signed in and has a request of its own.
    await arrive(browser, (await askAccess(app)).url)
    const before = await issued()
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/allow'],
      ['POST', '/deny'],
    ] as const) {
      const answer = await browser.call(`/api/interactions/${id}${path}`, { method })
      expect([path, answer.status, answer.json.code]).toEqual([path, 404, 1102])
    }
    const back = await browser.open(`/oauth/authorize/${id}`)
    expect([back.status, back.headers.get('location')]).toEqual([400, null])
    expect(await issued()).toEqual(before)
    expect((await victim.call(`/api/interactions/${id}`)).status).toBe(200)
  })

  test('nor with a cookie made from its address', async () => {
    const victim = openBrowser(world)
    const id = await arrive(victim, (await askAccess(app)).url)
    const mine = openBrowser(world)
    const own = await arrive(mine, (await askAccess(app)).url)
    const signature = mine.cookies().find((cookie) => cookie.startsWith('hookline-connect.sig=')) ?? ''
    expect(signature).not.toBe('')
    for (const cookie of [
      `hookline-connect=${id}`,
      `hookline-connect=${id}; ${signature}`,
      `hookline-connect=${own}; ${signature}`,
    ]) {
      const answer = await call(`${world.url}/api/interactions/${id}`, { headers: { cookie } })
      expect([answer.status, answer.json.code]).toEqual([404, 1102])
    }
  })

  test('an answer given in one browser is not taken up in another', async () => {
    const id = await arrive(browser, (await askAccess(app)).url)
    const { return_to: way } = (await browser.call(`/api/interactions/${id}/allow`, { method: 'POST' })).json
    const victim = openBrowser(world)
    await victim.signIn(await world.account())
    const back = await victim.open(way)
    expect([back.status, back.headers.get('location')]).toEqual([400, null])
  })

  test('nothing stays in the browser that could be taken for a sign-in', async () => {
    const own = openBrowser(world)
    await own.signIn(customer)
    await connect(own, app)
    const names = own.cookies().map((cookie) => cookie.split('=')[0])
    expect(names).toEqual(['hookline', 'hookline-connect', 'hookline-connect.sig'])
  })

  test('the cookies are for this request alone, and out of reach of scripts', async () => {
    const answer = await call((await askAccess(app)).url)
    const id = answer.headers.get('location')?.slice('/connect/'.length) ?? ''
    const cookies = answer.headers.getSetCookie().map((line) => line.replaceAll(/expires=[^;]*/g, 'expires'))
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

describe('RFC 9700, 4.13: behind a proxy that ends TLS', () => {
  test('cookies are for encrypted connections alone, and addresses are those of BASE_URL', async () => {
    const behind = await world.startAnother({ PORT: '0', BASE_URL: 'https://hooks.example.com' }, 'api')
    const { url } = await askAccess(app)
    const asked = await call(url.replace(world.url, behind.url))
    const id = asked.headers.get('location')?.slice('/connect/'.length) ?? ''
    const cookies = asked.headers.getSetCookie()
    expect(cookies).toHaveLength(4)
    for (const cookie of cookies)
      expect(cookie).toMatch(/^__Secure-hookline-(connect|resume)(\.sig)?=.*; secure; httponly$/)
    expect(asked.headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)

    const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
    const denied = await call(`${behind.url}/api/interactions/${id}/deny`, {
      method: 'POST',
      headers: { cookie, origin: 'https://hooks.example.com' },
    })
    expect(denied.json.return_to).toBe(`https://hooks.example.com/oauth/authorize/${id}`)
    const back = await call(`${behind.url}/oauth/authorize/${id}`, { headers: { cookie } })
    const told = new URL(back.headers.get('location') ?? '')
    expect(told.searchParams.get('iss')).toBe('https://hooks.example.com/oauth')
    await behind.stop()
  })
})

describe('RFC 6749, 3.3 and 6: scopes that grow', () => {
  test.each([['all'], ['hooks:read all'], ['admin'], ['openid'], ['HOOKS'], ['hooks,events:read'], ['']])(
    'asking for "%s"',
    async (scope) => {
      await expectShown((await askAccess(app, 'hooks:read', { scope })).url, 'invalid_scope')
    },
  )

  test('asking for none gives none', async () => {
    const { url } = await askAccess(app, 'hooks:read', { scope: '' })
    await expectShown(url, 'invalid_scope')
    await expectShown(`${url}&scope=offline_access`, 'invalid_scope')
  })

  test('at consent: what is sent along with the answer changes nothing', async () => {
    const asked = await askAccess(app, 'hooks:read')
    const id = await arrive(browser, asked.url)
    const allowed = await browser.call(`/api/interactions/${id}/allow`, {
      method: 'POST',
      json: { scopes: ['hooks'], scope: 'hooks', consent: { scopes: ['hooks'] } },
    })
    const way = new URL(allowed.json.return_to)
    way.searchParams.set('scope', 'hooks events:read')
    const callback = new URL((await browser.open(way.href)).headers.get('location') ?? '')
    const code = { ...asked, callback, code: callback.searchParams.get('code') ?? '' }
    const tokens = await redeem(world, app, code, { scope: 'hooks events:read' })
    expect(tokens.json.scope).toBe('hooks:read')
    await expectMayNotWrite(tokens.json.access_token)
  })

  test('at a refresh', async () => {
    const { refresh: token } = await connect(browser, app, 'hooks:read')
    const before = await issued()
    await expectRefused(await refresh(world, app, token, { scope: 'hooks:read hooks' }), 400, 'invalid_scope')
    expect(await issued()).toEqual(before)
    const same = await refresh(world, app, token)
    expect(same.json.scope).toBe('hooks:read')
    await expectMayNotWrite(same.json.access_token)
  })

  test('less is possible', async () => {
    const { refresh: token } = await connect(browser, app, 'hooks events:read')
    const less = await refresh(world, app, token, { scope: 'events:read' })
    expect(less.json.scope).toBe('events:read')
    expect(await apiStatus(world.url, less.json.access_token)).toBe(403)
  })
})

describe('RFC 6749, 10.2: an app that is not who it says', () => {
  test.each([
    ['no secret', () => ({ id: app.id, secret: null })],
    ['a wrong secret', () => ({ id: app.id, secret: `hls_${'A'.repeat(40)}` })],
    ['another app’s secret', () => ({ id: app.id, secret: otherApp.secret })],
    ['the shown beginning of the secret', () => ({ id: app.id, secret: app.secret?.slice(0, 8) ?? '' })],
    ['an unknown app', () => ({ id: 'hla_00000000000000000000', secret: app.secret })],
    ['a public app with a secret', () => ({ id: native.id, secret: app.secret })],
  ])('%s', async (_what, identity) => {
    const code = await getCode(browser, app)
    const before = await issued()
    await expectRefused(await redeem(world, { ...app, ...identity() }, code), 401, 'invalid_client')
    expect(await issued()).toEqual(before)
  })

  test('what is kept of the secret is not the secret', async () => {
    const [row] = await world.database.query<{ digest: string }>(
      `SELECT encode(secret_digest, 'hex') AS digest FROM apps WHERE id = $1`,
      [app.id],
    )
    const answer = await post(world, 'introspect', { token: 'x' }, { id: app.id, secret: row?.digest ?? '' })
    await expectRefused(answer, 401, 'invalid_client')
  })

  test('the secret in two places, or in the address', async () => {
    const both = { token: 'x', client_id: app.id, client_secret: app.secret ?? '' }
    expect((await post(world, 'introspect', both, app)).json.error).toBe('invalid_request')
    const query = await call(
      `${world.url}/oauth/introspect?client_id=${app.id}&client_secret=${app.secret}&token=x`,
      { method: 'POST', form: {} },
    )
    expect(query.json.error).toBe('invalid_request')
  })

  test('guessing is slowed where it comes from, and locks nobody else out', async () => {
    const from = { 'x-forwarded-for': '203.0.113.7' }
    const guess = (secret: string | null, headers: Record<string, string>) =>
      post(world, 'introspect', { token: 'x' }, { id: app.id, secret }, headers)
    for (let tries = 0; tries < 20; tries++)
      await expectRefused(await guess(`hls_${tries}`, from), 401, 'invalid_client')
    const slowed = await guess(app.secret, from)
    await expectRefused(slowed, 429, 'temporarily_unavailable')
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await guess(app.secret, { 'x-forwarded-for': '203.0.113.8' })).status).toBe(200)
  })
})

describe('RFC 7662, 4 and RFC 7009, 2.1: tokens of others', () => {
  test('are not told about, and not revoked', async () => {
    const tokens = await connect(browser, app)
    for (const token of [tokens.access, tokens.refresh]) {
      const about = await post(world, 'introspect', { token }, otherApp)
      expect([about.status, about.json]).toEqual([200, { active: false }])
      const ended = await post(world, 'revoke', { token }, otherApp)
      expect([ended.status, ended.text]).toEqual([200, ''])
    }
    expect(await apiStatus(world.url, tokens.access)).toBe(200)
    expect((await refresh(world, app, tokens.refresh)).status).toBe(200)
  })

  test('a public app is told nothing at all, since anybody can say that they are it', async () => {
    const own = { ...native, redirectUri: 'com.example.app:/callback' }
    const { access } = await connect(browser, own)
    expect((await post(world, 'introspect', { token: access }, own)).json).toEqual({ active: false })
  })
})

describe('RFC 9700, 4.9 and RFC 6750, 2.2 and 2.3: tokens where they do not belong', () => {
  test('in the address or in a body they are none', async () => {
    const { access } = await connect(browser, app, 'hooks')
    const url = `${world.url}/api/hooks`
    for (const answer of [
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
      expect([answer.status, answer.json.code]).toEqual([401, 900])
  })

  test('codes, refresh tokens, keys and noise are no access tokens', async () => {
    const { refresh: refreshToken } = await connect(browser, app)
    const { code } = await getCode(browser, app)
    for (const token of [refreshToken, code, customer.key, app.secret, 'x', "' OR 1=1 --"]) {
      const answer = await call(`${world.url}/api/hooks`, { headers: { authorization: `Bearer ${token}` } })
      expect([answer.status, answer.json.code]).toEqual([401, 900])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="hookline", error="invalid_token"')
    }
  })

  test('one that has expired', async () => {
    const { access } = await connect(browser, app)
    await world.database.query(
      `UPDATE oauth_records SET expires_at = now() - interval '1 second' WHERE digest = $1`,
      [digestOf(world.vault, 'AccessToken', access)],
    )
    expect(await apiStatus(world.url, access)).toBe(401)
  })

  test('one whose grant has expired', async () => {
    const { access } = await connect(browser, app)
    await world.database.query(
      `UPDATE grants SET expires_at = now() - interval '1 second'
       WHERE digest = (SELECT grant_digest FROM oauth_records WHERE digest = $1)`,
      [digestOf(world.vault, 'AccessToken', access)],
    )
    expect(await apiStatus(world.url, access)).toBe(401)
  })
})

describe('RFC 9700, 4.2 and 4.16, OAuth 2.1, 7.12: leaks and frames', () => {
  test('no answer may be framed, kept, or named in a Referer', async () => {
    const { url } = await askAccess(app)
    const id = await arrive(browser, url)
    const answers = [
      await browser.open(url),
      await browser.open(`${url}&redirect_uri=x`),
      await browser.call(`/api/interactions/${id}`),
      await browser.open(`/oauth/authorize/${id}`),
      await post(world, 'token', {}, app),
      await post(world, 'introspect', { token: 'x' }, app),
      await call(`${world.url}/oauth/nowhere`),
    ]
    for (const { headers } of answers) {
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    }
  })

  test('the error page runs no script, loads nothing, and shows what was sent as text', async () => {
    const { url } = await askAccess(app, 'hooks:read', { scope: '<script>alert(1)</script>' })
    const answer = await expectShown(url, 'invalid_scope')
    expect(answer.text).not.toContain('<script')
    expect(answer.text).not.toMatch(/(src|href)=|url\(|@import/)
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'$/,
    )
  })

  test('the secret parts of a request are in no log line', async () => {
    const { url, state } = await askAccess(app)
    await arrive(browser, url)
    const code = await getCode(browser, app)
    await redeem(world, app, code)
    for (const text of [state, code.code, code.verifier, app.secret ?? ''])
      expect(world.service.output()).not.toContain(text)
    expect(world.service.output()).toContain('"route":"/oauth/token"')
  })
})

describe('RFC 9700, 4.11: our address as a way to theirs', () => {
  test.each([
    ['a scope that is none', { scope: 'nonsense' }, 'invalid_scope'],
    ['no question', { prompt: 'none' }, 'consent_required'],
    ['an unknown response', { response_type: 'x' }, 'unsupported_response_type'],
    ['a request object', { request: 'x' }, 'request_not_supported'],
    ['a request elsewhere', { request_uri: 'https://evil.example/' }, 'request_uri_not_supported'],
    ['a registration', { registration: '{}' }, 'registration_not_supported'],
  ])('a request that fails at once sends nobody on: %s', async (_what, extra, error) => {
    await expectShown((await askAccess(otherApp, 'hooks:read', extra)).url, error)
  })

  test('an unknown app', async () => {
    const { url } = await askAccess(app, 'hooks:read', { client_id: 'hla_00000000000000000000' })
    await expectShown(url, 'invalid_client')
  })
})

describe('RFC 9700, 4.12: a redirect that sends credentials on', () => {
  test('every redirect is a 303, which drops the body', async () => {
    const { url } = await askAccess(app)
    const asked = await browser.open(url)
    const id = asked.headers.get('location')?.slice('/connect/'.length) ?? ''
    const { return_to: way } = (await browser.call(`/api/interactions/${id}/allow`, { method: 'POST' })).json
    expect([asked.status, (await browser.open(way)).status]).toEqual([303, 303])
  })

  test('the endpoints take no other method', async () => {
    for (const [method, path] of [
      ['POST', '/oauth/authorize'],
      ['GET', '/oauth/token'],
      ['GET', '/oauth/revoke'],
      ['GET', '/oauth/introspect'],
      ['PUT', '/oauth/token'],
    ] as const) {
      const answer = await call(world.url + path, { method })
      expect([method, path, answer.status, answer.json.success]).toEqual([method, path, 404, false])
    }
  })
})

describe('RFC 9700, 2.1.2 and 2.4: other ways to tokens', () => {
  test.each([
    // These would come in a fragment, which is what is refused first.
    ['token', 'unsupported_response_mode', 'invalid_request'],
    ['id_token', 'unsupported_response_mode', 'invalid_request'],
    ['code token', 'unsupported_response_mode', 'invalid_request'],
    ['code id_token', 'unsupported_response_mode', 'invalid_request'],
    ['none', 'unsupported_response_type', 'unsupported_response_type'],
  ])('response type %s', async (type, error, asQuery) => {
    const { url } = await askAccess(app, 'hooks:read', { response_type: type })
    await expectShown(url, error)
    await expectShown(`${url}&response_mode=query`, asQuery)
  })

  test.each([['fragment'], ['form_post'], ['web_message'], ['jwt'], ['query.jwt'], ['QUERY']])(
    'response mode %s',
    async (mode) => {
      const { url } = await askAccess(app, 'hooks:read', { response_mode: mode })
      await expectShown(url, 'unsupported_response_mode')
    },
  )

  test.each([
    ['password'],
    ['client_credentials'],
    ['implicit'],
    ['urn:ietf:params:oauth:grant-type:device_code'],
    ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
    ['urn:ietf:params:oauth:grant-type:token-exchange'],
  ])('grant type %s', async (type) => {
    const form = { grant_type: type, username: customer.alias, password: customer.password, scope: 'hooks' }
    const before = await issued()
    await expectRefused(await post(world, 'token', form, app), 400, 'unsupported_grant_type')
    expect(await issued()).toEqual(before)
  })

  test('a script of another origin', async () => {
    const headers = { origin: 'https://app.example' }
    const tokens = await connect(browser, app)
    const answer = await post(
      world,
      'token',
      { grant_type: 'refresh_token', refresh_token: tokens.refresh },
      app,
      headers,
    )
    await expectRefused(answer, 400, 'invalid_request')
    for (const one of [answer, await post(world, 'introspect', { token: 'x' }, app)])
      expect([...one.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect((await refresh(world, app, tokens.refresh)).status).toBe(200)
  })
})

describe('RFC 8252, 8.6 and RFC 9700, 4.15: apps that look like others', () => {
  test.each([
    ['our name', 'Hookline'],
    ['in another case', 'hookLINE'],
    ['within another', 'Hookline Support'],
    ['with digits', 'H00kl1ne'],
    ['with a capital i', 'HookIine'],
    ['spaced', 'H o o k l i n e'],
    ['with signs between', 'Hook-line'],
    ['accented', 'Höòklîné'],
    ['full width', 'Ｈｏｏｋｌｉｎｅ'],
    ['mathematical', '𝐇𝐨𝐨𝐤𝐥𝐢𝐧𝐞'],
    ['small capitals', 'ʜᴏᴏᴋʟɪɴᴇ'],
    ['in Cyrillic alone', 'Нооқӏіпе'],
    ['with a Cyrillic o', 'Hооkline'],
    ['with a Greek o', 'Hοokline'],
    ['another name in two scripts', 'Раypal'],
    ['a reversed direction', 'Acme\u202Eecivres'],
    ['zero width', 'Ac\u200Bme'],
    ['a soft hyphen', 'Ac\u00ADme'],
    ['a filler', 'Acme\u3164'],
    ['a line break', 'Acme\nverified'],
    ['a wide space', 'Acme\u2003verified'],
    ['a tag character', 'Acme\u{E0041}'],
    ['nothing', '   '],
    ['too long', 'a'.repeat(61)],
  ])('%s', async (_what, name) => {
    const answer = await publisher.call('/api/apps', {
      method: 'POST',
      json: { name, is_public: true, redirect_uris: ['https://a.example/'] },
    })
    expect([name, answer.status, answer.json.code]).toEqual([name, 400, 1012])
  })

  test('nor can an app become one', async () => {
    const changed = await publisher.call(`/api/apps/${app.id}`, {
      method: 'POST',
      json: { name: 'Hookline' },
    })
    expect([changed.status, changed.json.code]).toEqual([400, 1012])
  })
})

test('requests for access that nobody answers do not pile up without end, and slow down nobody elsewhere', async () => {
  const strict = await world.startAnother({ PORT: '0', LOGIN_ATTEMPTS: '1' }, 'api')
  const { url } = await askAccess(app)
  const plain = url.replace(world.url, strict.url)
  const slashed = plain.replace('/authorize?', '/authorize/?')
  const bring = (ip: string, address = plain) => call(address, { headers: { 'x-forwarded-for': ip } })
  const before = await issued()
  for (let count = 0; count < 25; count++)
    for (const address of [plain, slashed]) expect((await bring('203.0.113.50', address)).status).toBe(303)
  for (const address of [plain, slashed]) {
    const refused = await bring('203.0.113.50', address)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.text).toContain('Too many requests for access came from here')
  }
  expect((await bring('203.0.113.51')).status).toBe(303)
  const now = await issued()
  expect((now.Interaction ?? 0) - (before.Interaction ?? 0)).toBe(51)
})

describe('access that must not outlive what it stands on', () => {
  test('a suspended account: nothing works until it is let work again', async () => {
    const holder = await world.account()
    const own = openBrowser(world)
    await own.signIn(holder)
    const tokens = await connect(own, app)
    await setSuspended(world.db, 'operator', holder.accountId, true)
    const refused = await call(`${world.url}/api/hooks`, {
      headers: { authorization: `Bearer ${tokens.access}` },
    })
    expect([refused.status, refused.json.code]).toEqual([403, 904])
    await expectRefused(await refresh(world, app, tokens.refresh), 400, 'invalid_grant')
    expect((await post(world, 'introspect', { token: tokens.access }, app)).json).toEqual({ active: false })
    await setSuspended(world.db, 'operator', holder.accountId, false)
    expect(await apiStatus(world.url, tokens.access)).toBe(200)
    expect((await refresh(world, app, tokens.refresh)).status).toBe(200)
  })

  test('a suspended publisher: its apps reach nobody and ask nobody', async () => {
    const account = await world.account()
    const owner = await openBrowser(world).signIn(account)
    const theirs = await registerApp(world, owner, { name: 'Theirs' })
    const tokens = await connect(browser, theirs)
    const { url } = await askAccess(theirs)
    await setSuspended(world.db, 'operator', account.accountId, true)
    expect(await apiStatus(world.url, tokens.access)).toBe(401)
    await expectRefused(await refresh(world, theirs, tokens.refresh), 401, 'invalid_client')
    await expectShown(url, 'invalid_client')
  })

  test('a login that is gone', async () => {
    const holder = await world.account()
    const own = openBrowser(world)
    await own.signIn(holder)
    const tokens = await connect(own, app)
    await world.database.query('DELETE FROM sessions WHERE login_id = $1', [holder.loginId])
    await world.database.query('DELETE FROM logins WHERE id = $1', [holder.loginId])
    await expectEnded(app, tokens)
  })

  test('what was agreed to, after its ninety days', async () => {
    const tokens = await connect(browser, app)
    await age('RefreshToken', tokens.refresh, 90 * 86_400 + 1)
    await expectRefused(await refresh(world, app, tokens.refresh), 400, 'invalid_grant')
  })
})

/** Going back without an answer leads to the question again. */
async function expectUnanswered(id: string): Promise<void> {
  const back = await browser.open(`/oauth/authorize/${id}`)
  expect(back.headers.get('location')).toMatch(/^\/connect\//)
}

async function expectMayNotWrite(token: string): Promise<void> {
  const write = await call(`${world.url}/api/hooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    form: { target_url: 'https://example.com/grown', event_type: 'all' },
  })
  expect([write.status, write.json.code]).toEqual([403, 902])
  expect(write.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
}

/** Makes a record older: its times are sealed with it, so they are changed as only this installation's keys can. */
async function age(model: string, id: string, seconds: number): Promise<void> {
  const digest = digestOf(world.vault, model, id)
  const [row] = await world.database.query<{ payload: Buffer }>(
    'SELECT payload FROM oauth_records WHERE digest = $1',
    [digest],
  )
  if (row === undefined) throw new Error('there is no such record')
  const payload = openPayload(world.vault, model, id, row.payload)
  const older = { ...payload, iat: (payload.iat ?? 0) - seconds, exp: (payload.exp ?? 0) - seconds }
  await world.database.query('UPDATE oauth_records SET payload = $2 WHERE digest = $1', [
    digest,
    sealPayload(world.vault, model, id, older),
  ])
}
