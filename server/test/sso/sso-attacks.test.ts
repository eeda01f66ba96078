/** Attacks on single sign-on: by other sites, other users, other accounts, and by identity providers themselves. */
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { barrier } from '../support/barrier.ts'
import { signIn } from '../support/browser-session.ts'
import type { CallResponse } from '../support/http-call.ts'
import { type Browser, openBrowser } from '../support/oauth-client.ts'
import { type HostileProvider, startHostileProvider } from '../support/servers/hostile-provider.ts'
import {
  addMemberOf,
  addUser,
  changeSettings,
  configureSso,
  failureOf,
  hookline,
  provider,
  saveProvider,
  sessionOf,
  type Setup,
  setUp,
  startSso,
  useSsoSetup,
  verifyDomain,
} from '../support/sso.ts'
import type { TestService } from '../support/test-service.ts'

useSsoSetup({ LOGIN_ATTEMPTS: '100' })

let hostile: HostileProvider
let second: ServiceProcess
beforeAll(async () => {
  hostile = await startHostileProvider()
  second = await hookline.startAnother({ PORT: '0' }, 'api')
})
beforeEach(() => hostile.reset())
afterAll(() => hostile.close())

/** An account whose provider is hostile, with a user who joins at the first sign-in. */
async function setUpHostile(settings: Record<string, unknown> = {}): Promise<Setup> {
  const account = await hookline.account()
  const connection = await configureSso(account, hostile, settings)
  const domain = `${randomBytes(6).toString('hex')}.example`
  await verifyDomain(account, domain)
  hostile.claims = { sub: randomBytes(8).toString('hex'), email: `user@${domain}`, email_verified: true }
  return { account, connection, domain }
}

async function arrive(browser: Browser, { connection }: Setup, extra = {}): Promise<CallResponse> {
  return browser.open(hostile.authorize(await startSso(browser, { connection: connection.id }), extra))
}

/** Expects a page that says why, and no session. */
async function expectRejected(arrived: CallResponse, browser: Browser, reason: string): Promise<void> {
  expect([arrived.status, failureOf(arrived)]).toEqual([400, expect.stringContaining(reason)])
  expect((await sessionOf(browser)).status).toBe(401)
}

const otherBrowser = 'was started in another browser or session, has expired, or was already used'

/** The same service, reached through another process. */
function via(url: string): TestService {
  return { ...hookline, url }
}

describe('the browser', () => {
  test('without the cookie of the sign-in gets no session, so an attacker cannot sign in a victim as somebody else', async () => {
    const setup = await setUp({ default_role: 'viewer' })
    const attacker = openBrowser(hookline)
    const url = await startSso(attacker, { connection: setup.connection.id })
    const arriving = await provider.signIn(url, addUser(`attacker@${setup.domain}`))
    const victim = openBrowser(hookline)
    await expectRejected(await victim.open(arriving), victim, otherBrowser)
    // With a sign-in of its own in progress.
    await startSso(victim, { connection: setup.connection.id })
    await expectRejected(await victim.open(arriving), victim, otherBrowser)
    // The response still counts in the browser that started the sign-in.
    expect((await attacker.open(arriving)).status).toBe(303)
  })

  test('keeps its session if a response for another browser arrives', async () => {
    const setup = await setUp({ default_role: 'viewer' })
    const url = await startSso(openBrowser(hookline), { connection: setup.connection.id })
    const arriving = await provider.signIn(url, addUser(`attacker@${setup.domain}`))
    const victim = openBrowser(hookline)
    await victim.signIn(setup.account)
    await victim.open(arriving)
    expect((await sessionOf(victim)).json.login.id).toBe(setup.account.loginId)
  })

  test('cannot use a response twice, also with the cookie of the sign-in', async () => {
    const setup = await setUpHostile({ default_role: 'viewer' })
    const browser = openBrowser(hookline)
    const url = await startSso(browser, { connection: setup.connection.id })
    const cookie = browser.cookies().join('; ')
    const arriving = hostile.authorize(url)
    const first = await openBrowser(hookline).open(arriving, { headers: { cookie } })
    expect(first.status).toBe(303)
    const again = openBrowser(hookline)
    await expectRejected(await again.open(arriving, { headers: { cookie } }), again, otherBrowser)
    // A new code for the same state.
    const other = openBrowser(hookline)
    await expectRejected(
      await other.open(hostile.authorize(url), { headers: { cookie } }),
      other,
      otherBrowser,
    )
  })

  test('gets one session if a response arrives at two processes at once', async () => {
    const setup = await setUpHostile({ default_role: 'viewer' })
    const browser = openBrowser(hookline)
    const url = await startSso(browser, { connection: setup.connection.id })
    const headers = { cookie: browser.cookies().join('; ') }
    const arriving = new URL(hostile.authorize(url))
    const path = arriving.pathname + arriving.search
    const responses = await barrier(hookline, 'LOCK TABLE sso_used_states IN EXCLUSIVE MODE', 2, () =>
      Promise.all([
        openBrowser(hookline).open(path, { headers }),
        openBrowser(via(second.url)).open(path, { headers }),
      ]),
    )
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([303, 400])
    const sessions = await hookline.database.query(
      'SELECT 1 FROM sessions WHERE account_id = $1 AND sso_issuer IS NOT NULL',
      [setup.account.accountId],
    )
    expect(sessions).toHaveLength(1)
  })

  test('cannot use a cookie after ten minutes, or one that it has changed', async () => {
    const setup = await setUpHostile({ default_role: 'viewer' })
    const browser = openBrowser(hookline)
    const url = await startSso(browser, { connection: setup.connection.id })
    const [cookie = ''] = browser.cookies()
    for (const changed of [
      `${cookie.slice(0, -2)}AA`,
      'hookline-sso=',
      'hookline-sso=AAAA',
      `${cookie}; ${cookie}`,
    ]) {
      const other = openBrowser(hookline)
      await expectRejected(
        await other.open(hostile.authorize(url), { headers: { cookie: changed } }),
        other,
        otherBrowser,
      )
    }
    const sealed = Buffer.from(cookie.replace('hookline-sso=', ''), 'base64url')
    const flow = JSON.parse(hookline.vault.open(sealed, 'sso-flow'))
    const withAge = (seconds: number): string => {
      const text = JSON.stringify({ ...flow, startedAt: flow.startedAt - seconds })
      return `hookline-sso=${hookline.vault.seal(text, 'sso-flow').toString('base64url')}`
    }
    const late = openBrowser(hookline)
    await expectRejected(
      await late.open(hostile.authorize(url), { headers: { cookie: withAge(11 * 60) } }),
      late,
      otherBrowser,
    )
    const inTime = await openBrowser(hookline).open(hostile.authorize(url), {
      headers: { cookie: withAge(9 * 60) },
    })
    expect(inTime.status).toBe(303)
  })

  test('gets a cookie that scripts cannot read, for ten minutes, and loses it when it returns', async () => {
    const setup = await setUpHostile()
    const started = await openBrowser(hookline).call('/api/session/sso', {
      method: 'POST',
      json: { connection: setup.connection.id },
    })
    expect(started.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^hookline-sso=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    const returned = await openBrowser(hookline).open(`/sso/callback/${setup.connection.id}?code=x&state=y`)
    expect(returned.headers.getSetCookie()).toEqual([
      'hookline-sso=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ])
  })

  test('continues at paths of this service only', async () => {
    const setup = await setUpHostile()
    const start = (returnPath: string) =>
      openBrowser(hookline).call('/api/session/sso', {
        method: 'POST',
        json: { connection: setup.connection.id, return_path: returnPath },
      })
    for (const path of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '\\\\evil.example/',
      '/\t/evil.example/',
      '/\n/evil.example',
      'javascript:alert(1)',
      'events',
      '',
      `/${'x'.repeat(500)}`,
    ]) {
      const { status, json } = await start(path)
      expect([status, json.field], JSON.stringify(path)).toEqual([400, 'return_path'])
    }
    expect((await start('/events?type=sms&x=//y#z')).status).toBe(200)
  })

  test('sees text of a provider or an attacker as text', async () => {
    const setup = await setUpHostile()
    const arrived = await arrive(openBrowser(hookline), setup, {
      error: '<script>alert(1)</script>',
      error_description: '<b>Call 555-1234</b>',
    })
    expect(arrived.status).toBe(400)
    expect(arrived.text).not.toContain('script')
    expect(arrived.text).not.toContain('555')
    expect(arrived.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('the response of a provider', () => {
  test('at the callback of another account is rejected', async () => {
    const setup = await setUpHostile({ default_role: 'viewer' })
    const other = await setUp({ default_role: 'viewer' })
    const browser = openBrowser(hookline)
    const url = await startSso(browser, { connection: setup.connection.id })
    const arriving = hostile.authorize(url).replace(setup.connection.id, other.connection.id)
    await expectRejected(await browser.open(arriving), browser, 'was changed in the meantime')
  })

  test('with the issuer of another provider is rejected before the code is sent anywhere', async () => {
    const setup = await setUpHostile({ default_role: 'viewer' })
    const browser = openBrowser(hookline)
    const arrived = await arrive(browser, setup, { iss: provider.issuer })
    await expectRejected(arrived, browser, 'not valid')
    expect(hostile.requests).not.toContain('/token')
    const other = openBrowser(hookline)
    expect((await arrive(other, setup, { iss: hostile.issuer })).status).toBe(303)
  })

  test('without an issuer is rejected if the provider announces one', async () => {
    hostile.metadata = { authorization_response_iss_parameter_supported: true }
    const setup = await setUpHostile({ default_role: 'viewer' })
    const browser = openBrowser(hookline)
    await expectRejected(await arrive(browser, setup), browser, 'not valid')
  })

  test('is rejected after the owner has changed the provider', async () => {
    const setup = await setUpHostile({ default_role: 'viewer' })
    const browser = openBrowser(hookline)
    const url = await startSso(browser, { connection: setup.connection.id })
    await saveProvider(setup.connection.owner, setup.account, provider)
    await expectRejected(await browser.open(hostile.authorize(url)), browser, 'was changed in the meantime')
  })

  test('with a code of another sign-in is rejected', async () => {
    const setup = await setUp({ default_role: 'viewer' })
    const json = { connection: setup.connection.id }
    const attacker = openBrowser(hookline)
    const stolen = new URL(
      await provider.signIn(await startSso(attacker, json), addUser(`victim@${setup.domain}`)),
    ).searchParams.get('code')
    const browser = openBrowser(hookline)
    const own = new URL(await provider.signIn(await startSso(browser, json), addUser(`a@${setup.domain}`)))
    own.searchParams.set('code', stolen ?? '')
    await expectRejected(
      await browser.open(own.href),
      browser,
      'rejected the client or the code (invalid_grant)',
    )
  })

  test.each([
    ['names an error', { 'www-authenticate': 'Basic realm="x", error="invalid_client"' }],
    ['only asks for a password', { 'www-authenticate': 'Basic realm="x"' }],
  ])('with a client secret that the provider rejects says so, if it %s', async (_what, headers) => {
    const setup = await setUpHostile({ default_role: 'viewer' })
    hostile.handlers.set('/token', (_request, response) =>
      response.writeHead(401, { 'content-type': 'application/json', ...headers }).end('{}'),
    )
    const browser = openBrowser(hookline)
    await expectRejected(await arrive(browser, setup), browser, 'rejected the client ID or the client secret')
  })

  test.each([
    ['of another issuer', { iss: 'https://other.example' }, 'another issuer'],
    ['for another client', { aud: 'other' }, 'another client'],
    ['for several clients, authorized for another', { aud: ['hookline', 'x'], azp: 'x' }, 'another client'],
    ['for several clients without saying which', { aud: ['hookline', 'x'] }, 'another client'],
    ['of another sign-in', { nonce: 'other' }, 'another sign-in'],
    ['without a nonce', { nonce: undefined }, 'not valid'],
    ['that has expired', { exp: Math.floor(Date.now() / 1_000) - 3_600 }, 'expired'],
    ['without an expiry', { exp: undefined }, 'not valid'],
    ['without the time of its issue', { iat: undefined }, 'not valid'],
    ['that is not valid yet', { nbf: Math.floor(Date.now() / 1_000) + 3_600 }, 'not valid yet'],
    ['without a subject', { sub: undefined }, 'not valid'],
    ['with an empty subject', { sub: '' }, 'no valid subject'],
    ['with a subject of 256 characters', { sub: 'x'.repeat(256) }, 'no valid subject'],
    ['with NUL in its subject', { sub: 'a\0b' }, 'no valid subject'],
  ])('with an ID token %s is rejected', async (_what, claims, reason) => {
    const setup = await setUpHostile({ default_role: 'viewer' })
    hostile.claims = { ...hostile.claims, ...claims }
    const browser = openBrowser(hookline)
    await expectRejected(await arrive(browser, setup), browser, reason)
  })

  test.each([
    ['with alg none', 'none'],
    ['signed with the client secret', 'secret'],
    ['signed with another key', 'other-key'],
    ['whose signature is for other content', 'broken'],
  ] as const)('with an ID token %s is rejected', async (_what, signature) => {
    const setup = await setUpHostile({ default_role: 'viewer' })
    hostile.signature = signature
    const browser = openBrowser(hookline)
    await expectRejected(await arrive(browser, setup), browser, 'not valid')
  })

  test('that is right is accepted, so the tests above reject for their reason only', async () => {
    const setup = await setUpHostile({ default_role: 'viewer' })
    const browser = openBrowser(hookline)
    expect((await arrive(browser, setup)).status).toBe(303)
    expect((await sessionOf(browser)).json.login.email).toBe(`user@${setup.domain}`)
  })
})

const userinfo = (body: Record<string, unknown>) => {
  hostile.metadata = { userinfo_endpoint: `${hostile.issuer}/userinfo` }
  hostile.handlers.set('/userinfo', (request, response) => {
    const isAuthorized = request.headers.authorization === 'Bearer token'
    response.writeHead(isAuthorized ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
}

describe('the email of a user', () => {
  test('comes from the userinfo endpoint if the ID token has none', async () => {
    userinfo({})
    const setup = await setUpHostile({ default_role: 'viewer' })
    userinfo(hostile.claims)
    const { sub } = hostile.claims
    hostile.claims = { sub }
    const browser = openBrowser(hookline)
    expect((await arrive(browser, setup)).status).toBe(303)
    expect((await sessionOf(browser)).json.login.email).toBe(`user@${setup.domain}`)
  })

  test.each([
    ['about another user', { sub: 'other' }],
    ['without a subject', { sub: undefined }],
    ['that does not call it verified', { email_verified: 'true' }],
  ])('does not come from a response %s', async (_what, change) => {
    userinfo({})
    const setup = await setUpHostile({ default_role: 'viewer' })
    userinfo({ ...hostile.claims, ...change })
    const { sub } = hostile.claims
    hostile.claims = { sub }
    const browser = openBrowser(hookline)
    await expectRejected(await arrive(browser, setup), browser, 'is not linked to a login')
  })
})

/** The owner changes single sign-on while the provider waits with its last response. */
async function arriveDuring(setup: Setup, change: () => Promise<unknown>): Promise<CallResponse> {
  const { sub, ...email } = hostile.claims
  hostile.claims = { sub }
  const asked = Promise.withResolvers<ServerResponse>()
  hostile.handlers.set('/userinfo', (_request, response) => asked.resolve(response))
  const arriving = arrive(openBrowser(hookline), setup)
  const response = await asked.promise
  await change()
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ sub, ...email }))
  return arriving
}

async function setUpLate(): Promise<Setup> {
  hostile.metadata = { userinfo_endpoint: `${hostile.issuer}/userinfo` }
  return setUpHostile({ default_role: 'developer' })
}
const rolesOf = ({ domain }: Setup) =>
  hookline.database.query(
    'SELECT role FROM memberships JOIN logins ON logins.id = login_id WHERE email = $1',
    [`user@${domain}`],
  )

describe('a provider that responds late', () => {
  test('lets nobody join after its connection was removed', async () => {
    const setup = await setUpLate()
    const { account, connection } = setup
    const json = { password: account.password }
    const arrived = await arriveDuring(setup, () =>
      connection.owner.call('/api/sso', { method: 'DELETE', json }),
    )
    expect([arrived.status, failureOf(arrived)]).toEqual([400, expect.stringContaining('was changed')])
    expect(await rolesOf(setup)).toEqual([])
  })

  test('gives the role that the owner has chosen meanwhile', async () => {
    const setup = await setUpLate()
    const { account, connection } = setup
    const arrived = await arriveDuring(setup, () =>
      changeSettings(connection.owner, account, { default_role: 'viewer' }),
    )
    expect(arrived.status).toBe(303)
    expect(await rolesOf(setup)).toEqual([{ role: 'viewer' }])
  })

  test('links no login after its connection was removed', async () => {
    const setup = await setUpLate()
    const { account, connection } = setup
    const member = await addMemberOf(setup)
    const browser = openBrowser(hookline)
    await browser.signIn(member)
    const json = { password: member.password }
    const started = await browser.call('/api/sso/link', { method: 'POST', json })
    const { sub } = hostile.claims
    hostile.claims = { sub }
    const asked = Promise.withResolvers<ServerResponse>()
    hostile.handlers.set('/userinfo', (_request, response) => asked.resolve(response))
    const arriving = browser.open(hostile.authorize(started.json.url))
    const response = await asked.promise
    await connection.owner.call('/api/sso', { method: 'DELETE', json: { password: account.password } })
    response.writeHead(500).end()
    expect((await arriving).status).toBe(400)
    const identities = await hookline.database.query('SELECT 1 FROM sso_identities WHERE account_id = $1', [
      account.accountId,
    ])
    expect(identities).toEqual([])
  })
})

describe('a confirmation', () => {
  test.each([
    ['without the time of the sign-in', undefined],
    ['with a sign-in an hour ago', Math.floor(Date.now() / 1_000) - 3_600],
  ])('%s is rejected', async (_what, signedInAt) => {
    const setup = await setUpHostile({ default_role: 'viewer' })
    const browser = openBrowser(hookline)
    await arrive(browser, setup)
    hostile.claims = { ...hostile.claims, auth_time: signedInAt }
    const { csrf_token: token } = (await sessionOf(browser)).json
    const headers = { origin: hookline.url, 'x-csrf-token': token }
    const started = await browser.open('/api/sso/confirm', { method: 'POST', json: {}, headers })
    const { searchParams } = new URL(started.json.url)
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0'])
    const arrived = await browser.open(hostile.authorize(started.json.url))
    expect([arrived.status, failureOf(arrived)]).toEqual([400, expect.stringContaining('auth_time')])
    expect((await sessionOf(browser)).json.sso.confirmed_until).toBeNull()
  })
})

describe('a provider of another account', () => {
  test('with the same issuer and subject reaches the logins of its own account only', async () => {
    const victim = await setUpHostile()
    const member = await addMemberOf(victim)
    hostile.claims = { sub: 'shared', email: member.email, email_verified: true }
    expect((await arrive(openBrowser(hookline), victim)).status).toBe(303)
    const attacker = await setUpHostile({ default_role: 'viewer' })
    hostile.claims = { sub: 'shared', email: member.email, email_verified: true }
    const browser = openBrowser(hookline)
    await expectRejected(await arrive(browser, attacker), browser, 'is not linked to a login')
  })

  test.each(['/', '?', '#', '\\', '%2f', '/@'])(
    'that adds %j to its verified domain creates no login',
    async (added) => {
      const setup = await setUpHostile({ default_role: 'viewer' })
      hostile.claims = {
        sub: 'sub',
        email: `user@${setup.domain}${added}victim.example`,
        email_verified: true,
      }
      const browser = openBrowser(hookline)
      await expectRejected(await arrive(browser, setup), browser, 'is not linked to a login')
    },
  )

  test('that claims the verified email of a victim reaches no login', async () => {
    const victim = await hookline.account()
    const attacker = await setUpHostile({ default_role: 'viewer' })
    hostile.claims = { sub: 'victim', email: victim.email, email_verified: true }
    const browser = openBrowser(hookline)
    await expectRejected(await arrive(browser, attacker), browser, 'is not linked to a login')
  })
})

async function save(metadata: Record<string, unknown>): Promise<CallResponse> {
  const account = await hookline.account()
  const owner = await signIn(hookline.url, account)
  hostile.metadata = metadata
  return saveProvider(owner, account, hostile)
}

describe('the configuration of a provider', () => {
  test.each([
    ['another issuer', { issuer: 'https://other.example' }, 'names the issuer "https://other.example", not'],
    ['another text as issuer', { issuer: 'https://other.example/Call us' }, 'names another issuer, not'],
    ['no authorization endpoint', { authorization_endpoint: undefined }, 'authorization_endpoint'],
    [
      'a script as authorization endpoint',
      { authorization_endpoint: 'javascript:alert(1)' },
      'authorization_endpoint',
    ],
    [
      'data as authorization endpoint',
      { authorization_endpoint: 'data:text/html,x' },
      'authorization_endpoint',
    ],
    [
      'an authorization endpoint with a password',
      { authorization_endpoint: 'https://a:b@x.example/' },
      'authorization_endpoint',
    ],
    ['no token endpoint', { token_endpoint: undefined }, 'token_endpoint'],
    ['a file as token endpoint', { token_endpoint: 'file:///etc/passwd' }, 'token_endpoint'],
    ['no keys', { jwks_uri: undefined }, 'jwks_uri'],
    ['PKCE without S256', { code_challenge_methods_supported: ['plain'] }, 'PKCE'],
    [
      'only signatures with the client secret',
      { id_token_signing_alg_values_supported: ['HS256', 'none'] },
      'sign ID tokens',
    ],
  ])('with %s is not saved', async (_what, metadata, reason) => {
    const { status, json } = await save(metadata)
    expect([status, json.code, json.error_message]).toEqual([400, 1015, expect.stringContaining(reason)])
  })

  test.each([
    [
      'is larger than 64 KiB',
      (_: unknown, response: ServerResponse) => response.end(`{"x":"${'x'.repeat(70_000)}"}`),
      'too large',
    ],
    ['is not JSON', (_: unknown, response: ServerResponse) => response.end('<html>'), 'not valid'],
    [
      'redirects',
      (_: unknown, response: ServerResponse) =>
        response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'redirect',
    ],
    ['is an error', (_: unknown, response: ServerResponse) => response.writeHead(500).end(), 'not valid'],
    ['closes the connection', (_: unknown, response: ServerResponse) => response.destroy(), 'closed'],
  ] as const)('that %s is not saved', async (_what, handler, reason) => {
    hostile.handlers.set('/.well-known/openid-configuration', handler)
    const { status, json } = await save({})
    expect([status, json.code, json.error_message]).toEqual([400, 1015, expect.stringContaining(reason)])
  })

  test('that arrives byte by byte is given up after ten seconds', { timeout: 30_000 }, async () => {
    hostile.handlers.set('/.well-known/openid-configuration', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      void (async () => {
        while (!response.destroyed) {
          response.write(' ')
          await sleep(500)
        }
      })()
    })
    const startedAt = performance.now()
    const { status, json } = await save({})
    expect([status, json.code]).toEqual([400, 1015])
    expect(performance.now() - startedAt).toBeGreaterThan(9_000)
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })

  test('with an issuer that differs by a slash is not saved', async () => {
    const { status, json } = await save({ issuer: `${hostile.issuer}/` })
    expect([status, json.code, json.error_message]).toEqual([
      400,
      1015,
      expect.stringContaining(`names the issuer "${hostile.issuer}/", not`),
    ])
  })

  test.each([
    'ftp://example.com',
    'https://user:password@example.com',
    'https://example.com?x=1',
    'https://example.com#x',
    'https://login.example.com/{tenantid}/v2.0',
    'example.com',
    `https://example.com/${'x'.repeat(500)}`,
  ])('with the issuer %s is not fetched', async (issuer) => {
    const account = await hookline.account()
    const owner = await signIn(hookline.url, account)
    const { status, json } = await saveProvider(owner, account, { ...hostile, issuer })
    expect([status, json.code, json.field]).toEqual([400, 1012, 'issuer'])
    expect(hostile.requests).toEqual([])
  })
})
