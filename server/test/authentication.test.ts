/**
 * Who is calling: every kind of credential, in every place, right and wrong in every way we could think of. What each
 * call must answer is written down in two tables of literals; the calls go over a raw socket, so that header names,
 * repeated lines and odd bytes arrive as they stand here.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { createAccount, setSuspended } from '../src/identity/accounts/accounts.ts'
import { createPasswords } from '../src/identity/accounts/passwords.ts'
import { revokeKey } from '../src/identity/keys/revoke-key.ts'
import { makeToken } from '../src/identity/keys/token.ts'
import { call, type CallAnswer } from './call.ts'
import { endAccessToken, makeAccessToken } from './oauth-client.ts'
import { rawRequest } from './raw-socket.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Processes are started in these tests, and the machine decides how long that takes.
vi.setConfig({ testTimeout: 120_000 })

type Verb = 'GET' | 'POST' | 'DELETE'

type Cast = Record<string, string>

let world: TestWorld
beforeAll(async () => {
  // The throttle has its own tests below; here it would only get in the way.
  world = await startWorld({ LOGIN_ATTEMPTS: '0' })
})
afterAll(() => world.close())

describe('one credential', () => {
  // A dash: the kind has no such state. Passwords do not expire, are not scoped and work from everywhere.
  const situations = [
    'valid',
    'valid by e-mail',
    'unknown',
    'malformed or wrong',
    'revoked',
    'expired',
    'of a suspended account',
    'for another IP address',
    'that may only read',
  ] as const
  const readOnly = 'GET 200, POST 403/902, DELETE 403/902'
  const key = ['200', '-', '401/900', '401/900', '401/900', '401/900', '403/904', '403/903', readOnly]
  const login = ['200', '200', '401/900', '401/900', '-', '-', '403/904', '-', '-']
  const token = ['200', '-', '401/900', '401/900', '401/900', '401/900', '403/904', '-', readOnly]
  // An API key is no token, whatever its state.
  const noToken = ['-', '-', '401/900', '401/900', '401/900', '401/900', '401/900', '401/900', '401/900']
  const matrix: Array<[sent: string, outcomes: string[]]> = [
    ['Authorization: basic {key}', key],
    ['X-Api-Key: {key}', key],
    ['?p={key}', key],
    ['form p={key}', key],
    ['json "p":"{key}"', key],
    ['?u={login}&p={password}', login],
    ['form u={login}&p={password}', login],
    ['json "u":"{login}","p":"{password}"', login],
    ['Authorization: Bearer {token}', token],
    ['Authorization: Bearer {key}', noToken],
  ]

  const casts = new Map<string, Cast>()
  const ownerKeys = new Map<string, string>()
  const suspendedUrl = 'https://example.com/suspended'
  let suspendedId: string

  beforeAll(async () => {
    for (const situation of situations) {
      const account = await world.account()
      ownerKeys.set(situation, account.key)
      const { keyId, key: own } = await world.key(account.accountId, {
        ...(situation === 'for another IP address' && { allowedIps: ['203.0.113.0/24', '2001:db8::/32'] }),
        ...(situation === 'that may only read' && { scopes: ['hooks:read'] }),
        ...(situation === 'expired' && { expiresAt: new Date(Date.now() - 1_000) }),
      })
      const ownToken = await makeAccessToken(
        world,
        account,
        situation === 'that may only read' ? 'hooks:read' : 'hooks',
      )
      if (situation === 'revoked') await revokeKey(world.db, 'operator', keyId)
      if (situation === 'revoked' || situation === 'expired') await endAccessToken(world, ownToken, situation)
      if (situation === 'of a suspended account') {
        suspendedId = await registerHook(account.key, suspendedUrl)
        await setSuspended(world.db, 'operator', account.accountId, true)
      }
      casts.set(situation, {
        key: own,
        token: ownToken,
        login: situation === 'valid by e-mail' ? account.email : account.alias,
        password: account.password,
        ...(situation === 'unknown' && {
          key: makeToken('hlk'),
          token: randomBytes(32).toString('base64url'),
          login: 'nobody-here',
        }),
        ...(situation === 'malformed or wrong' && {
          key: `hlk_${'x'.repeat(36)}`,
          token: `${ownToken}x`,
          password: 'not this one',
        }),
      })
    }
  })

  const cells = matrix.flatMap(([sent, outcomes]) => {
    const verbs: Verb[] = /^(form|json) /.test(sent) ? ['POST', 'DELETE'] : ['GET', 'POST', 'DELETE']
    return situations.flatMap((situation, column) =>
      verbs
        .map((verb) => ({ sent, situation, verb, expected: outcomeOf(outcomes[column] ?? '', verb) }))
        .filter(({ expected }) => expected !== '-'),
    )
  })

  test('the table has all its cells', () => {
    expect(cells).toHaveLength(181)
  })

  test.each(cells)('$sent, $situation: $verb is $expected', async ({ sent, situation, verb, expected }) => {
    const isSuspended = situation === 'of a suspended account'
    const target =
      isSuspended && verb === 'DELETE'
        ? suspendedUrl
        : `https://example.com/${randomBytes(8).toString('hex')}`
    const toDelete = async () =>
      isSuspended ? suspendedId : await registerHook(ownerKeys.get(situation) ?? '', target)
    const own = {
      GET: async () => ({}),
      POST: async () => ({ target_url: target, event_type: 'all' }),
      DELETE: async () => ({ id: await toDelete() }),
    }
    const answer = await send(world.url, verb, sent, casts.get(situation) ?? {}, await own[verb]())
    expectOutcome(answer, expected, situation)

    const found = await world.database.query('SELECT id FROM hooks WHERE target_url = $1', [target])
    const isFine = expected === '200'
    const left = { GET: 0, POST: isFine ? 1 : 0, DELETE: isFine ? 0 : 1 }
    expect(found, 'webhooks with this address afterwards').toHaveLength(left[verb])
  })
})

describe('oddities', () => {
  let cast: Cast
  beforeAll(async () => {
    const account = await world.account()
    const another = await world.account()
    const strange = {
      alias: `strange-${randomBytes(4).toString('hex')}`,
      email: `Jürgen.${randomBytes(4).toString('hex')}@exämple.com`,
      password: 'Pässwörd &=+% ﬁ 漢字 "quoted" \\ 😀',
    }
    await createAccount(world.db, await createPasswords(), 'operator', { name: 'strange', login: strange })
    cast = {
      key: account.key,
      keyOtherCase: `hlk_${account.key.slice(4).toUpperCase()}`,
      keyBase64: base64(account.key),
      keyColonBase64: base64(`${account.key}:`),
      colonKeyBase64: base64(`:${account.key}`),
      loginBase64: base64(`${account.alias}:${account.password}`),
      sameAccount: (await world.key(account.accountId)).key,
      another: another.key,
      unknown: makeToken('hlk'),
      producer: makeToken('hlp'),
      token: await makeAccessToken(world, account),
      sameToken: await makeAccessToken(world, account),
      alias: account.alias,
      aliasUpper: account.alias.toUpperCase(),
      email: account.email,
      emailUpper: account.email.toUpperCase(),
      password: account.password,
      passwordUpper: account.password.toUpperCase(),
      anotherAlias: another.alias,
      strangeAlias: strange.alias,
      strangeEmail: strange.email,
      strangeEmailUpper: strange.email.toUpperCase(),
      strangePassword: strange.password,
      strangePasswordDecomposed: strange.password.normalize('NFD'),
      long: 'x'.repeat(5_000),
    }
  })

  // Verb, outcome and what is sent, in the notation of `send`.
  const table = String.raw`
    # Case of schemes and names
    GET    200      Authorization: Basic {key}
    GET    200      Authorization: BASIC {key}
    POST   400/1010 Authorization: bAsIc {key}
    GET    200      AUTHORIZATION: basic {key}
    GET    200      authorization: basic {key}
    GET    200      x-api-key: {key}
    GET    200      X-API-KEY: {key}
    GET    401/900  Authorization: bearer abc.def
    GET    401/900  Authorization: BEARER abc.def
    GET    401/900  ?P={key}
    GET    401/900  X-Api-Key: {keyOtherCase}
    GET    200      ?u={aliasUpper}&p={password}
    GET    200      ?u={emailUpper}&p={password}
    GET    401/900  ?u={alias}&p={passwordUpper}

    # White space; · is a space
    GET    200      Authorization: basic···{key}
    GET    200      X-Api-Key:···{key}··
    GET    200      X-Api-Key:{key}
    GET    401/900  Authorization: basic{key}
    GET    401/900  Authorization: basic {key} x

    # Encoding
    GET    200      ?p={key%}
    DELETE 400/1010 form p={key%}
    DELETE 400/1010 json "p":"{key%}"
    GET    200      ?%70={key}
    GET    401/900  X-Api-Key: {key%}
    GET    401/900  Authorization: Basic {keyBase64}
    GET    401/900  Authorization: Basic {keyColonBase64}
    GET    401/900  Authorization: Basic {colonKeyBase64}
    GET    401/900  Authorization: Basic {loginBase64}
    GET    401/900  X-Api-Key: {keyBase64}
    GET    401/900  ?p={keyBase64}
    GET    401/900  X-Api-Key: {key}é
    GET    401/900  Authorization: basic é{key}
    GET    401/900  Authorization: Bearer ÿþ
    GET    401/900  ?p=%E6%BC%A2%E5%AD%97
    GET    401/900  X-Api-Key: {long}
    DELETE 401/900  form u={alias}&p={long}
    DELETE 401/900  form u={long}&p={password}
    GET    400/1000 ?u={alias}&p=%E4bc
    GET    400/1000 ?u={alias}&p=%zz
    GET    400/1012 ?u={alias}&p=a%00b
    GET    400/1012 ?u=a%00b&p={password}
    DELETE 400/1012 json "u":"{alias}","p":"\ud800"
    GET    200      ?u={strangeAlias}&p={strangePassword}
    DELETE 400/1010 form u={strangeAlias}&p={strangePassword}
    DELETE 400/1010 json "u":"{strangeAlias}","p":"{strangePassword}"
    DELETE 400/1010 json "u":"{strangeAlias%}","p":"{strangePassword%}"
    GET    200      ?u={strangeAlias}&p={strangePasswordDecomposed}
    GET    200      ?u={strangeEmail}&p={strangePassword}
    GET    200      ?u={strangeEmailUpper}&p={strangePassword}

    # The same header twice
    GET    200      X-Api-Key: {key} + X-Api-Key: {key}
    GET    200      X-Api-Key: {key} + x-api-key: {key}
    GET    400/905  X-Api-Key: {key} + X-Api-Key: {another}
    GET    400/905  X-Api-Key: {key} + X-Api-Key: {sameAccount}
    POST   400/905  X-Api-Key: {key} + X-Api-Key: {unknown}
    DELETE 400/905  X-Api-Key: {unknown} + X-Api-Key: {key}
    GET    200      Authorization: basic {key} + Authorization: Basic {key}
    GET    400/905  Authorization: basic {key} + Authorization: basic {another}
    GET    400/905  Authorization: basic {key} + Authorization: Bearer abc
    GET    401/900  Authorization: basic {key} + Authorization: Bearer {key}
    GET    400/905  Authorization: Bearer a + Authorization: Bearer b

    # The same parameter twice
    GET    200      ?p={key}&p={key}
    GET    400/1011 ?p={key}&p={another}
    DELETE 400/1010 ?p={key} + form p={key}
    DELETE 400/1011 ?p={key} + form p={another}
    DELETE 400/1010 ?p={key} + json "p":"{key}"
    DELETE 400/1011 ?p={key} + json "p":"{another}"
    DELETE 400/1011 json "p":"{key}","p":"{another}"
    DELETE 400/1010 ?u={alias} + form p={password}
    GET    400/1011 ?u={alias}&u={anotherAlias}&p={password}

    # Two kinds at once
    GET    200      Authorization: basic {key} + X-Api-Key: {key}
    GET    400/905  Authorization: basic {key} + X-Api-Key: {another}
    GET    200      Authorization: basic {key} + ?p={key}
    POST   400/905  Authorization: basic {key} + form p={another}
    GET    200      X-Api-Key: {key} + ?p={key}
    GET    400/905  X-Api-Key: {key} + ?p={another}
    GET    400/905  X-Api-Key: {key} + ?p={unknown}
    GET    400/905  X-Api-Key: {unknown} + ?p={key}
    DELETE 400/905  X-Api-Key: {key} + json "p":"x"
    GET    200      X-Api-Key: {key} + ?u={alias}&p={key}
    GET    400/905  X-Api-Key: {key} + ?u={alias}&p={password}
    DELETE 400/905  Authorization: basic {key} + form u={alias}&p={password}
    GET    400/905  Authorization: Bearer abc + ?u={alias}&p={password}
    GET    400/905  Authorization: Bearer abc + X-Api-Key: {key}
    GET    401/900  Authorization: Bearer {key} + X-Api-Key: {key}
    GET    400/905  Authorization: Bearer abc + ?p={key}
    GET    200      Authorization: basic {key} + X-Api-Key: {key} + ?p={key}
    GET    401/900  Authorization: Digest x + X-Api-Key: {key}

    # u is optional in general, but not with a password
    GET    200      ?u={alias}&p={key}
    GET    200      ?u=whoever&p={key}
    GET    200      ?u={anotherAlias}&p={key}
    GET    200      ?u=&p={key}
    GET    401/900  ?u={alias}&p={unknown}
    GET    401/900  ?p={password}
    GET    401/900  ?u={anotherAlias}&p={password}
    GET    401/900  ?u={alias}
    GET    401/900  ?u={alias}&p=
    GET    401/900  ?u={alias}&p=null
    DELETE 401/900  json "u":"{alias}","p":null

    # Nothing, or something else
    GET    401/900
    POST   401/900
    DELETE 401/900
    GET    401/900  X-Api-Key:
    GET    401/900  Authorization:
    GET    401/900  Authorization: basic
    GET    401/900  Authorization: basic·
    GET    401/900  Authorization: Bearer
    GET    401/900  ?p=
    GET    401/900  ?p
    GET    401/900  ?p=null
    DELETE 401/900  json "p":null
    DELETE 401/900  json "p":""
    DELETE 400/1012  json "p":true
    DELETE 400/1012 json "p":["{key}"]
    DELETE 400/1012 json "p":{"p":"{key}"}
    GET    401/900  Authorization: Digest username="{alias}"
    GET    401/900  Authorization: Token {key}
    GET    401/900  Authorization: ApiKey {key}
    GET    401/900  Authorization: {key}
    GET    401/900  X-Api-Key: {producer}
    GET    401/900  Authorization: Bearer {producer}

    # Access tokens stand in one place
    GET    200      Authorization: bearer {token}
    GET    200      Authorization: Bearer {token} + Authorization: BEARER {token}
    GET    400/905  Authorization: Bearer {token} + Authorization: Bearer {sameToken}
    GET    400/905  Authorization: Bearer {token} + X-Api-Key: {key}
    GET    401/900  Authorization: basic {token}
    GET    401/900  X-Api-Key: {token}
    GET    401/900  ?p={token}
    GET    401/900  ?access_token={token}
    POST   401/900  form access_token={token}
    POST   401/900  json "access_token":"{token}"

    # Not credentials in this version
    GET    401/900  Cookie: __Host-session=abc
    GET    200      Cookie: p=abc + X-Api-Key: {key}
    GET    200      X-Signature: abc + X-Timestamp: 1 + X-Nonce: x + X-Api-Key: {key}

    # In the action dialect an authentication failure keeps its status
    GET    401/900  ?action=read&p={unknown}
    POST   401/900  form action=subscribe&p={unknown}
    GET    400/905  X-Api-Key: {key} + ?action=read&p={another}
    POST   200      form action=read&p={key}

    # Paths and verbs that do not exist, after authentication
    GET    401/900  /api/sms
    POST   401/900  /api/sms + form p={unknown}
    GET    404/1110 /api/sms + X-Api-Key: {key}
    GET    401/900  /api
    PUT    401/900
    PUT    405/1111 X-Api-Key: {key}
  `
    .split('\n')
    .map((row) => /^ *([A-Z]+) +(\S+) *(.*)$/.exec(row)?.slice(1) ?? [])
    .filter((row) => row.length > 0) as Array<[verb: string, outcome: string, sent: string]>

  test.each(table)('%s %s %s', async (verb, outcome, sent) => {
    expectOutcome(await send(world.url, verb, sent, cast), outcome, sent)
  })

  test('the table was read, and no row stands twice', () => {
    expect(table).toHaveLength(143)
    expect(new Set(table.map(String)).size).toBe(table.length)
  })
})

describe('what a refusal says', () => {
  test('an API key sent as a bearer token is told where it belongs', async () => {
    const { key } = await world.account()
    const answer = await send(world.url, 'GET', 'Authorization: Bearer {key}', { key })
    expect(answer).toMatchObject({ status: 401, json: { code: 900 } })
    expect(answer.json.error_message).toContain('X-Api-Key')
    expect(answer.json.error_message).not.toContain(key)
  })

  test('a wrong token is named so in WWW-Authenticate (RFC 6750)', async () => {
    const answer = await send(world.url, 'GET', 'Authorization: Bearer abc.def', {})
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="hookline", error="invalid_token"')
  })

  test('a call without credentials gets the challenge alone (RFC 6750)', async () => {
    const answer = await send(world.url, 'GET', '', {})
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="hookline"')
  })

  test('revoked and expired keys are told apart from unknown ones', async () => {
    const { accountId, key, keyId } = await world.account()
    const expired = await world.key(accountId, { expiresAt: new Date(Date.now() - 1_000) })
    await revokeKey(world.db, 'operator', keyId)
    const hooks = `${world.url}/api/hooks`
    expect((await call(hooks, { key })).json.error_message).toMatch(/revoked/)
    expect((await call(hooks, { key: expired.key })).json.error_message).toMatch(/expired/)
    expect((await call(hooks, { key: makeToken('hlk') })).json.error_message).toMatch(/not known/)
  })

  test('a key stops at the second it expires', async () => {
    const { accountId } = await world.account()
    const expiresAt = Date.now() + 5_000
    const { key } = await world.key(accountId, { expiresAt: new Date(expiresAt) })
    const answeredBefore: number[] = []
    const sentAfter: number[] = []
    while (sentAfter.length === 0) {
      const sentAt = Date.now()
      const { status } = await call(`${world.url}/api/hooks`, { key })
      if (Date.now() < expiresAt) answeredBefore.push(status)
      // The last millisecond is neither.
      if (sentAt > expiresAt) sentAfter.push(status)
      await sleep(50)
    }
    expect(new Set(answeredBefore)).toEqual(new Set([200]))
    expect(sentAfter).toEqual([401])
  })
})

describe('deprecated kinds', () => {
  let account: TestAccount
  let cast: Cast
  beforeAll(async () => {
    account = await world.account()
    cast = { key: account.key, alias: account.alias, password: account.password }
  })

  test.each([
    ['Authorization: basic {key}', false],
    ['X-Api-Key: {key}', false],
    ['Authorization: basic {key} + X-Api-Key: {key}', false],
    ['?p={key}', true],
    ['?u={alias}&p={key}', true],
    ['?u={alias}&p={password}', true],
    ['X-Api-Key: {key} + ?p={key}', true],
  ] as Array<[string, boolean]>)('%s is told to be deprecated: %s', async (sent, isDeprecated) => {
    const fine = await send(world.url, 'GET', sent, cast)
    const refused = await send(world.url, 'POST', sent, cast, { target_url: 'nonsense', event_type: 'all' })
    expect([fine.status, refused.status]).toEqual([200, 400])
    for (const { headers } of [fine, refused]) {
      // RFC 9745: a date in seconds since 1970, here that of the first version.
      expect(headers.get('deprecation')).toBe(isDeprecated ? '@1794700800' : null)
      if (!isDeprecated) expect(headers.get('link')).toBeNull()
      else expect(headers.get('link')).toMatch(/^<http:\/\/localhost:8080\/docs[^>]*>; rel="deprecation"/)
    }
  })

  test.each([
    ['?p={key}', 200],
    ['?p=hlk_x', 401],
    ['?u={alias}&p=wrong', 401],
    ['X-Api-Key: x + ?p={key}', 400],
    ['/api/sms + ?p={key}', 404],
    ['?p=%zz', 400],
    ['/api/%zz + ?p={key}', 400],
  ] as Array<[string, number]>)('no answer may be kept: %s is %s', async (sent, status) => {
    const answer = await send(world.url, 'GET', sent, cast)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('their uses are counted for each account and kind, those of others are not', async () => {
    const { accountId, key, alias, password } = await world.account()
    const other = await world.account()
    const hooks = `${world.url}/api/hooks`
    const [{ today } = {}] = await world.database.query<{ today: string }>(
      'SELECT current_date::text AS today',
    )
    await call(hooks, { key })
    await call(hooks, { headers: { authorization: `basic ${key}` } })
    for (let use = 0; use < 5; use++) await call(`${hooks}?p=${key}`)
    await call(hooks, { method: 'DELETE', form: { p: key } })
    for (let use = 0; use < 3; use++) await call(`${hooks}?u=${alias}&p=${password}`)
    await call(`${hooks}?u=${alias}&p=wrong`)
    await call(`${hooks}?p=${other.key}`)

    const counts = () =>
      world.database.query(
        // At midnight the uses are those of two days.
        `SELECT kind, sum(uses)::integer AS uses, min(day) >= $2 AND max(day) <= current_date AS today
         FROM deprecated_uses WHERE account_id = $1 GROUP BY kind ORDER BY kind`,
        [accountId, today],
      )
    await expect.poll(counts, { timeout: 30_000, interval: 200 }).toEqual([
      { kind: 'login-password', uses: 3, today: true },
      { kind: 'parameter-key', uses: 6, today: true },
    ])

    await call(`${hooks}?p=${key}`)
    await expect
      .poll(counts, { timeout: 30_000, interval: 200 })
      .toContainEqual({ kind: 'parameter-key', uses: 7, today: true })
  })
})

describe('last use', () => {
  test.each([
    ['header-key', 'X-Api-Key: {key}'],
    ['basic-key', 'Authorization: basic {key}'],
    ['parameter-key', '?p={key}'],
  ] as Array<[string, string]>)('of a key is recorded with its time and as %s', async (method, sent) => {
    const { accountId, key, keyId } = await world.account()
    const unused = await world.key(accountId)
    const before = Date.now()
    await send(world.url, 'GET', sent, { key })
    const after = Date.now()
    const lastUse = (id: number) =>
      world.database.query<{ at: Date | null; method: string | null }>(
        'SELECT last_used_at AS at, last_used_method AS method FROM keys WHERE id = $1',
        [id],
      )
    await expect
      .poll(async () => (await lastUse(keyId))[0]?.method, { timeout: 30_000, interval: 200 })
      .toBe(method)
    const at = (await lastUse(keyId))[0]?.at?.getTime()
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(after)
    expect(await lastUse(unused.keyId)).toEqual([{ at: null, method: null }])
  })
})

describe('kinds the operator has switched off', () => {
  const sentAs: Record<string, string> = {
    'basic-key': 'Authorization: basic {key}',
    'header-key': 'X-Api-Key: {key}',
    'parameter-key': '?p={key}',
    'login-password': '?u={alias}&p={password}',
    bearer: 'Authorization: Bearer {token}',
  }
  const whenOn: Record<string, string> = {
    'basic-key': '200',
    'header-key': '200',
    'parameter-key': '200',
    'login-password': '200',
    bearer: '200',
  }

  test.each(Object.keys(sentAs))('%s', async (off) => {
    const account = await world.account()
    const { key, alias, password } = account
    const token = await makeAccessToken(world, account)
    const cast = { key, alias, password, token, unknown: makeToken('hlk') }
    const service = await world.startAnother({ CREDENTIALS_OFF: off, LOGIN_ATTEMPTS: '0' })
    for (const [kind, sent] of Object.entries(sentAs)) {
      const answer = await send(service.url, 'GET', sent, cast)
      expectOutcome(answer, kind === off ? '401/906' : (whenOn[kind] ?? ''), `${kind} with ${off} off`)
    }
    if (off === 'parameter-key') {
      const alsoOff = ['?u={alias}&p={key}', '?p={unknown}', 'X-Api-Key: {key} + ?p={key}']
      for (const sent of alsoOff) expectOutcome(await send(service.url, 'GET', sent, cast), '401/906', sent)
    }
    await service.stop()
  })

  test('several at once', async () => {
    const account = await world.account()
    const { key, alias, password } = account
    const cast = { key, alias, password, token: await makeAccessToken(world, account) }
    const service = await world.startAnother({ CREDENTIALS_OFF: 'parameter-key, login-password' })
    const answers = await Promise.all(
      Object.values(sentAs).map((sent) => send(service.url, 'GET', sent, cast)),
    )
    expect(answers.map(({ status, json }) => `${status}/${json.code}`)).toEqual([
      '200/null',
      '200/null',
      '401/906',
      '401/906',
      '200/null',
    ])
    await service.stop()
  })

  test('a kind that does not exist keeps the service from starting', async () => {
    await expect(world.startAnother({ CREDENTIALS_OFF: 'passwords' })).rejects.toThrow(
      /CREDENTIALS_OFF has "passwords"/,
    )
  })
})

describe("the caller's address behind a proxy", () => {
  let trusting: ServiceProcess
  let restricted: string
  let open: string
  let login: string
  beforeAll(async () => {
    trusting = await world.startAnother({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8', LOGIN_ATTEMPTS: '0' })
    const account = await world.account()
    open = account.key
    login = `u=${account.alias}&p=${account.password}`
    restricted = (await world.key(account.accountId, { allowedIps: ['203.0.113.0/24', '2001:db8::/32'] })).key
  })

  test.each([
    [[], '403/903'],
    [['203.0.113.9'], '200'],
    [['203.0.114.9'], '403/903'],
    [['2001:db8::1'], '200'],
    [['2001:db9::1'], '403/903'],
    [['2001:0DB8:0:0:0:0:0:1'], '200'],
    [['::ffff:203.0.113.9'], '200'],
    [['::ffff:203.0.114.9'], '403/903'],
    // The last address that is no proxy of ours counts: what stands before it, anybody can write.
    [['203.0.113.9, 198.51.100.1'], '403/903'],
    [['198.51.100.1, 203.0.113.9'], '200'],
    [['203.0.113.9, 10.1.2.3'], '200'],
    [['nonsense, 203.0.113.9'], '200'],
    [['203.0.113.9, nonsense'], '403/903'],
    [['203.0.113.9', '198.51.100.1'], '403/903'],
    [['198.51.100.1', '203.0.113.9'], '200'],
  ] as Array<[string[], string]>)(
    'X-Forwarded-For %j from a trusted proxy: %s',
    async (forwarded, outcome) => {
      expectOutcome(await callFrom(trusting.url, forwarded, restricted), outcome, forwarded.join(' | '))
    },
  )

  test('is not believed from anybody else', async () => {
    expectOutcome(await callFrom(world.url, ['203.0.113.9'], restricted), '403/903', 'no proxy is trusted')
    const other = await world.startAnother({ TRUSTED_PROXIES: '10.0.0.0/8' })
    expectOutcome(
      await callFrom(other.url, ['203.0.113.9'], restricted),
      '403/903',
      'another proxy is trusted',
    )
    await other.stop()
  })

  test.each(['X-Real-IP', 'Forwarded', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP'])(
    'is not taken from %s',
    async (name) => {
      const value = name === 'Forwarded' ? 'for=203.0.113.9' : '203.0.113.9'
      const sent = `X-Api-Key: {key} + ${name}: ${value}`
      expectOutcome(await send(trusting.url, 'GET', sent, { key: restricted }), '403/903', name)
    },
  )

  test.each(['[2001:db8::1]', '[2001:db8::1]:1234', '203.0.113.9:1234'])(
    'is understood in brackets and with a port, as some proxies write it: %s',
    async (address) => {
      expectOutcome(await callFrom(trusting.url, [address], restricted), '200', address)
    },
  )

  test.each([
    '',
    ' ',
    ',',
    ',,,',
    '-',
    'unknown',
    '_hidden',
    '203.0.113.9/24',
    'fe80::1%eth0',
    '2001:db9::1%1',
    '2001:db8::1::2',
    '999.1.1.1',
    '0x7f.1',
    '2130706433',
    "' OR 1=1 --",
    '%00',
    'ÿ',
    'x'.repeat(4_000),
    Array.from({ length: 500 }, () => '10.0.0.1').join(','),
  ])('nonsense is harmless: %j', async (nonsense) => {
    const title = nonsense.slice(0, 40)
    expectOutcome(await callFrom(trusting.url, [nonsense], restricted), '403/903', `restricted key, ${title}`)
    expectOutcome(await callFrom(trusting.url, [nonsense], open), '200', `open key, ${title}`)
    const sent = `X-Forwarded-For: ${nonsense} + ?${login}`
    expectOutcome(await send(trusting.url, 'GET', sent, {}), '200', `login, ${title}`)
  })

  const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ family }) => family === 'IPv6'),
  )
  test.skipIf(!hasIpv6)('an IPv4 caller is one on a listener for both families too', async () => {
    const { accountId } = await world.account()
    const { key } = await world.key(accountId, { allowedIps: ['127.0.0.1'] })
    const both = await world.startAnother({ HOST: '::' })
    const url = `http://127.0.0.1:${new URL(both.url).port}`
    expectOutcome(await callFrom(url, [], key), '200', 'listening on ::')
    await both.stop()
  })
})

describe('on another process', () => {
  let second: ServiceProcess
  beforeAll(async () => {
    second = await world.startAnother({ LOGIN_ATTEMPTS: '0' })
  })

  test('a revoked key is refused at once, in every way of sending it', async () => {
    const { key, keyId } = await world.account()
    const sent: string[] = ['X-Api-Key: {key}', 'Authorization: basic {key}', '?p={key}']
    for (const one of sent) expect((await send(second.url, 'GET', one, { key })).status).toBe(200)
    await revokeKey(world.db, 'operator', keyId)
    for (const one of sent) expectOutcome(await send(second.url, 'GET', one, { key }), '401/900', one)
    const later = await Promise.all(
      [...sent, ...sent, ...sent].map((one) => send(second.url, 'GET', one, { key })),
    )
    expect(later.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 401))
  })

  test('a suspended account is refused at once, and works again as soon as it may', async () => {
    const { accountId, key, alias, password } = await world.account()
    const cast = { key, alias, password }
    const sent: string[] = ['X-Api-Key: {key}', '?u={alias}&p={password}']
    for (const one of sent) expect((await send(second.url, 'GET', one, cast)).status).toBe(200)
    await setSuspended(world.db, 'operator', accountId, true)
    for (const one of sent) expectOutcome(await send(second.url, 'GET', one, cast), '403/904', 'suspended')
    await setSuspended(world.db, 'operator', accountId, false)
    for (const one of sent) expect((await send(second.url, 'GET', one, cast)).status).toBe(200)
  })

  test('a wrong password does not tell that the account is suspended', async () => {
    const { accountId, alias } = await world.account()
    await setSuspended(world.db, 'operator', accountId, true)
    const answer = await call(`${world.url}/api/hooks?u=${alias}&p=wrong-password`)
    expect([answer.status, answer.json.code]).toEqual([401, 900])
  })
})

describe('wrong passwords', () => {
  let first: ServiceProcess
  let second: ServiceProcess
  beforeAll(async () => {
    // Each test calls from an address of its own.
    const env = { LOGIN_ATTEMPTS: '3', TRUSTED_PROXIES: '127.0.0.1' }
    first = await world.startAnother(env)
    second = await world.startAnother(env)
  })

  const signIn = (login: string, password: string, ip: string, service: ServiceProcess = first) =>
    call(`${service.url}/api/hooks?${new URLSearchParams({ u: login, p: password }).toString()}`, {
      headers: { 'x-forwarded-for': ip },
    })

  test('the fourth is answered 429 and Retry-After', async () => {
    const { alias, password } = await world.account()
    for (let attempt = 1; attempt <= 3; attempt++)
      expectOutcome(await signIn(alias, 'wrong-password', '198.18.0.1'), '401/900', `attempt ${attempt}`)
    const fourth = await signIn(alias, 'wrong-password', '198.18.0.1')
    expectOutcome(fourth, '429/907', 'attempt 4')
    const retryAfter = Number(fourth.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThan(15 * 60 - 30)
    expect(retryAfter).toBeLessThanOrEqual(15 * 60)
    expectOutcome(await signIn(alias, password, '198.18.0.1'), '429/907', 'the right password now')
  })

  test('unknown logins are answered in the very same way', async () => {
    const { alias } = await world.account()
    const nobody = `nobody-${randomBytes(4).toString('hex')}`
    const known: CallAnswer[] = []
    const unknown: CallAnswer[] = []
    for (let attempt = 1; attempt <= 5; attempt++) {
      known.push(await signIn(alias, 'wrong-password', '198.18.0.2'))
      unknown.push(await signIn(nobody, 'wrong-password', '198.18.0.3'))
    }
    expect(unknown.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429])
    expect(known.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429])
    expect(unknown.map(({ text }) => text)).toEqual(known.map(({ text }) => text))
  })

  test('the login is the same in any case', async () => {
    const { alias } = await world.account()
    const names = [alias, alias.toUpperCase(), alias.replace('user', 'User')]
    for (const name of names) expectOutcome(await signIn(name, 'wrong', '198.18.0.4'), '401/900', name)
    expectOutcome(await signIn(alias, 'wrong', '198.18.0.4'), '429/907', alias)
  })

  test('a right password gives its attempt back', async () => {
    const { alias, password } = await world.account()
    const ip = '198.18.0.5'
    for (let attempt = 1; attempt <= 2; attempt++)
      expectOutcome(await signIn(alias, 'wrong-password', ip), '401/900', `wrong ${attempt}`)
    for (let attempt = 1; attempt <= 6; attempt++)
      expectOutcome(await signIn(alias, password, ip), '200', `right ${attempt}`)
    expectOutcome(await signIn(alias, 'wrong-password', ip), '401/900', 'wrong 3')
    expectOutcome(await signIn(alias, 'wrong-password', ip), '429/907', 'wrong 4')
  })

  test('fifty at once, over two processes, do not get more than three through', async () => {
    const { alias } = await world.account()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => signIn(alias, `wrong-${n}`, '198.18.0.6', n % 2 ? first : second)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(3)
    expect(statuses.filter((status) => status === 429)).toHaveLength(47)
  })

  test('a refused attempt is not hashed: two hundred at once are told to wait, and none waits in the queue', async () => {
    const { alias } = await world.account()
    for (let attempt = 1; attempt <= 4; attempt++) await signIn(alias, 'wrong-password', '198.18.0.7')
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => signIn(alias, 'wrong-password', '198.18.0.7')),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]))
  })

  test('one address can try many logins only five times as often', async () => {
    const statuses: number[] = []
    for (let attempt = 1; attempt <= 17; attempt++)
      statuses.push((await signIn(`nobody-${attempt}-ip`, 'wrong-password', '198.18.0.8')).status)
    expect(statuses).toEqual([...Array.from({ length: 15 }, () => 401), 429, 429])
  })

  test('one login can be tried from many addresses only ten times as often', async () => {
    const { alias } = await world.account()
    const statuses: number[] = []
    for (let attempt = 1; attempt <= 32; attempt++)
      statuses.push((await signIn(alias, 'wrong-password', `198.18.1.${attempt}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429, 429])
  })

  test('a stranger who goes on and on does not lock the owner out', async () => {
    const { alias, password } = await world.account()
    for (let attempt = 1; attempt <= 40; attempt++) await signIn(alias, 'wrong-password', '198.18.0.9')
    expectOutcome(await signIn(alias, password, '198.18.0.10'), '200', 'the owner, from elsewhere')
  })

  test('a client that goes on and on does not lock its neighbours at the same address out', async () => {
    const { alias } = await world.account()
    const neighbour = await world.account()
    for (let attempt = 1; attempt <= 20; attempt++) await signIn(alias, 'wrong-password', '198.18.0.11')
    expectOutcome(await signIn(neighbour.alias, neighbour.password, '198.18.0.11'), '200', 'the neighbour')
  })

  test(
    'a right password that was turned away as too many waited does not count as wrong',
    { timeout: 120_000 },
    async () => {
      const ip = '198.18.0.12'
      let account = await world.account()
      let turnedAway = 0
      for (let round = 0; round < 30 && turnedAway < 3; round++) {
        // Strangers from 250 networks: a hundred of them can wait.
        const flood = Array.from({ length: 250 }, (_, n) =>
          signIn(`nobody-${round}-${n}`, 'wrong-password', `198.19.${n}.${round}`),
        )
        const own = await signIn(account.alias, account.password, ip)
        await Promise.all(flood)
        if (own.status === 503) turnedAway++
        else {
          // Signed in, its network is known and waits in another queue.
          account = await world.account()
          turnedAway = 0
        }
      }
      const { alias, password } = account
      expect(turnedAway, 'times the queue was full').toBe(3)
      expectOutcome(await signIn(alias, password, ip), '200', 'the right password, afterwards')
    },
  )

  test('API keys work on from an address that is throttled', async () => {
    const { alias, key } = await world.account()
    for (let attempt = 1; attempt <= 4; attempt++) await signIn(alias, 'wrong-password', '198.18.0.13')
    const answer = await call(`${first.url}/api/hooks`, {
      key,
      headers: { 'x-forwarded-for': '198.18.0.13' },
    })
    expectOutcome(answer, '200', 'X-Api-Key')
  })

  test('the address cannot be changed by X-Forwarded-For from somebody who is no proxy', async () => {
    const { alias } = await world.account()
    const service = await world.startAnother({ LOGIN_ATTEMPTS: '3' })
    const statuses: number[] = []
    for (let attempt = 1; attempt <= 5; attempt++)
      statuses.push((await signIn(alias, 'wrong-password', `198.18.2.${attempt}`, service)).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    await service.stop()
  })
})

describe('a flood of passwords', () => {
  test(
    'is bounded: some are tried, the rest are told at once to come back, and keys stay fast',
    { timeout: 120_000 },
    async () => {
      const { alias, key } = await world.account()
      await call(`${world.url}/api/hooks`, { key })
      const flooding = startFlood(300, alias)
      const keyCalls: number[] = []
      while (!flooding.isOver) keyCalls.push((await call(`${world.url}/api/hooks`, { key })).status)
      const answers = await flooding.answers

      const tried = answers.filter(({ status }) => status === 401)
      const away = answers.filter(({ status }) => status === 503)
      expect(tried.length + away.length).toBe(300)
      expect(tried.length).toBeGreaterThanOrEqual(42)
      expect(away.length).toBeGreaterThan(100)
      for (const answer of away) {
        expect(answer.json).toEqual({ success: false, code: 1301, error_message: expect.any(String) })
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
      }
      // How fast a hash is depends on the machine, but not what comes first: who is turned away has not waited for one.
      const lastOf = (some: typeof answers): number => Math.max(...some.map(({ at }) => at))
      expect(lastOf(away)).toBeLessThan(lastOf(tried))

      // One after the other, so each took less than a tenth of what the flood did.
      expect(keyCalls.length).toBeGreaterThan(10)
      expect(new Set(keyCalls)).toEqual(new Set([200]))
    },
  )

  // Hashes run in threads of a lower priority, which the kernel tells apart from all others.
  test.skipIf(process.platform !== 'linux')(
    'is hashed on half of the cores, and gives way to everything else',
    { timeout: 120_000 },
    async () => {
      const { alias } = await world.account()
      const tasks = `/proc/${world.service.child.pid}/task`
      const flooding = startFlood(42, alias)
      const hashing = new Set<string>()
      let othersBusy = 0
      let samples = 0
      while (!flooding.isOver) {
        for (const id of readdirSync(tasks)) {
          // The name of a thread may hold anything; what follows it does not.
          const [state, ...fields] =
            readFileSync(`${tasks}/${id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
          const isPool = readFileSync(`${tasks}/${id}/comm`, 'utf8').startsWith('libuv-worker')
          if (fields[15] === '10') hashing.add(id)
          else if (isPool && state === 'R') othersBusy++
        }
        samples++
        await sleep(1)
      }
      await flooding.answers
      expect(hashing.size).toBe(Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2))))
      // Hashing on libuv's pool would keep it busy all the time.
      expect(othersBusy / samples).toBeLessThan(0.2)
    },
  )
})

/** The outcome for a verb, where the table names verbs (`GET 200, POST 403/902`), else the one for all. */
function outcomeOf(outcome: string, verb: Verb): string {
  const own = outcome.split(', ').find((part) => part.startsWith(`${verb} `))
  return own?.slice(verb.length + 1) ?? outcome
}

interface Answer {
  status: number
  headers: Headers
  json: any // eslint-disable-line typescript/no-explicit-any -- the wire is untyped on purpose
}

/**
 * `200`, or status and code of a failure. Every failure is the envelope, and every 401 has its challenge. Of those that
 * may do too little only tokens have one (RFC 6750, 3.1).
 */
function expectOutcome(answer: Answer, outcome: string, what: string): void {
  const [status, code] = outcome.split('/').map(Number)
  expect(`${answer.status}/${answer.json?.code}`, what).toBe(`${status}/${code ?? null}`)
  if (code === undefined) expect(answer.json, what).toMatchObject({ success: true })
  else
    expect(answer.json, what).toEqual({
      success: false,
      code,
      error_message: expect.stringMatching(/^[A-Z]/),
    })
  const challenge = answer.headers.get('www-authenticate')
  if (status === 401) expect(challenge, what).toMatch(/^Bearer realm="hookline"/)
  else if (answer.json?.error_message?.startsWith('This access token lacks'))
    expect(challenge, what).toBe('Bearer realm="hookline", error="insufficient_scope", scope="hooks"')
  else expect(challenge, what).toBeNull()
}

/**
 * Sends one call on a connection of its own, its credentials as they are written: header lines, `?query`, `form …`,
 * `json …` (members of the object) and `/path`, joined by ` + `. `{name}` stands for a value of the cast.
 */
async function send(
  url: string,
  verb: string,
  sent: string,
  cast: Cast,
  own: Record<string, string> = {},
): Promise<Answer> {
  const pieces = sent.split(' + ').filter((piece) => piece !== '')
  const piece = (start: string) => pieces.find((one) => one.startsWith(start))
  const query = fill(piece('?') ?? '', cast, encodeURIComponent, percentEncode)
  const json = piece('json ')?.slice(5)
  const form = piece('form ')?.slice(5) ?? ''
  const body = json === undefined ? formBody(form, cast, own) : jsonBody(json, cast, own)
  const head = [
    `${verb} ${piece('/') ?? '/api/hooks'}${query} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...(body === ''
      ? []
      : [
          `Content-Type: application/${json === undefined ? 'x-www-form-urlencoded' : 'json'}`,
          `Content-Length: ${Buffer.byteLength(body)}`,
        ]),
    ...pieces
      .filter((one) => !/^(\?|\/|form |json )/.test(one))
      .map((line) => fill(line.replaceAll('·', ' '), cast, String, percentEncode)),
  ]
  // Latin-1: a character of a header line above 127 is one byte on the wire.
  const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)])
  const received = await rawRequest(url, bytes)
  const end = received.indexOf('\r\n\r\n')
  const [statusLine = '', ...answerLines] = received.slice(0, end).split('\r\n')
  const headers = new Headers()
  for (const line of answerLines) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  return { status, headers, json: JSON.parse(received.slice(end + 4)) }
}

/** A call by key, with so many lines of X-Forwarded-For. */
function callFrom(url: string, forwarded: string[], key: string): Promise<Answer> {
  const lines = forwarded.map((value) => `X-Forwarded-For: ${value}`)
  return send(url, 'GET', ['X-Api-Key: {key}', ...lines].join(' + '), { key })
}

interface Flood {
  answers: Promise<Array<CallAnswer & { at: number }>>
  isOver: boolean
}

/** So many wrong passwords at once. */
function startFlood(count: number, login: string): Flood {
  const attempts = Array.from({ length: count }, async (_, n) => {
    const answer = await call(`${world.url}/api/hooks?u=${login}&p=wrong-password-${n}`)
    return { ...answer, at: performance.now() }
  })
  const flood: Flood = { answers: Promise.all(attempts), isOver: false }
  void flood.answers.finally(() => (flood.isOver = true))
  return flood
}

function formBody(form: string, cast: Cast, own: Record<string, string>): string {
  const credentials = fill(form, cast, encodeURIComponent, percentEncode)
  return [new URLSearchParams(own).toString(), credentials].filter((part) => part !== '').join('&')
}

function jsonBody(members: string, cast: Cast, own: Record<string, string>): string {
  const credentials = fill(members, cast, (value) => JSON.stringify(value).slice(1, -1), unicodeEscape)
  const rest = JSON.stringify(own).slice(1, -1)
  return `{${[rest, credentials].filter((part) => part !== '').join(',')}}`
}

/** Puts values in for `{name}`, encoded as the place needs, and for `{name%}`, with every byte encoded. */
function fill(
  text: string,
  cast: Cast,
  encode: (value: string) => string,
  encodeAll: (value: string) => string,
): string {
  return text.replace(/\{(\w+)(%?)\}/g, (_, name: string, all: string) => {
    const value = cast[name]
    if (value === undefined) throw new Error(`there is no ${name}`)
    return all === '' ? encode(value) : encodeAll(value)
  })
}

function percentEncode(value: string): string {
  return Buffer.from(value).toString('hex').replace(/../g, '%$&')
}

function unicodeEscape(value: string): string {
  const units = Array.from({ length: value.length }, (_, place) => value.charCodeAt(place))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

async function registerHook(key: string, target: string): Promise<string> {
  const form = { target_url: target, event_type: 'all' }
  const made = await call(`${world.url}/api/hooks`, { method: 'POST', key, form })
  if (made.status !== 200) throw new Error(`registering failed: ${made.text}`)
  return String(made.json.id)
}
