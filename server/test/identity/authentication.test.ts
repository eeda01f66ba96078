/**
 * Authentication: every kind of credential in every location, valid and invalid. Two tables of literals define the
 * expected responses. Calls use a raw socket, so that header names, repeated lines and unusual bytes arrive unmodified.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createAccount, setSuspended } from '../../src/identity/accounts/accounts.ts'
import { createPasswords } from '../../src/identity/accounts/passwords.ts'
import { revokeKey } from '../../src/identity/keys/revoke-key.ts'
import { createToken } from '../../src/identity/keys/token.ts'
import { call } from '../support/http-call.ts'
import { invalidateAccessToken, createAccessToken } from '../support/oauth-client.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { type Values, expectOutcome, send } from '../support/credential-call.ts'

type Verb = 'GET' | 'POST' | 'DELETE'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
beforeAll(async () => {
  // The login throttle has separate tests in password-throttle.test.ts.
  hookline = await startTestService({ LOGIN_ATTEMPTS: '0' })
})
afterAll(() => hookline.close())

describe('a single credential', () => {
  // A dash marks a state that the kind does not have. Passwords have no expiry, scopes or allowed IP addresses.
  const situations = [
    'valid',
    'valid by email',
    'unknown',
    'malformed or wrong',
    'revoked',
    'expired',
    'of a suspended account',
    'for another IP address',
    'with read scope only',
  ] as const
  const readOnly = 'GET 200, POST 403/902, DELETE 403/902'
  const key = ['200', '-', '401/900', '401/900', '401/900', '401/900', '403/904', '403/903', readOnly]
  const login = ['200', '200', '401/900', '401/900', '-', '-', '403/904', '-', '-']
  const token = ['200', '-', '401/900', '401/900', '401/900', '401/900', '403/904', '-', readOnly]
  // An API key is never a valid bearer token.
  const keyAsToken = ['-', '-', '401/900', '401/900', '401/900', '401/900', '401/900', '401/900', '401/900']
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
    ['Authorization: Bearer {key}', keyAsToken],
  ]

  const valuesBySituation = new Map<string, Values>()
  const accountKeys = new Map<string, string>()
  const suspendedUrl = 'https://example.com/suspended'
  let suspendedId: string

  beforeAll(async () => {
    for (const situation of situations) {
      const account = await hookline.account()
      accountKeys.set(situation, account.key)
      const { keyId, key: params } = await hookline.key(account.accountId, {
        ...(situation === 'for another IP address' && { allowedIps: ['203.0.113.0/24', '2001:db8::/32'] }),
        ...(situation === 'with read scope only' && { scopes: ['hooks:read'] }),
        ...(situation === 'expired' && { expiresAt: new Date(Date.now() - 1_000) }),
      })
      const accessToken = await createAccessToken(
        hookline,
        account,
        situation === 'with read scope only' ? 'hooks:read' : 'hooks',
      )
      if (situation === 'revoked') await revokeKey(hookline.db, 'operator', keyId)
      if (situation === 'revoked' || situation === 'expired')
        await invalidateAccessToken(hookline, accessToken, situation)
      if (situation === 'of a suspended account') {
        suspendedId = await registerHook(account.key, suspendedUrl)
        await setSuspended(hookline.db, 'operator', account.accountId, true)
      }
      valuesBySituation.set(situation, {
        key: params,
        token: accessToken,
        login: situation === 'valid by email' ? account.email : account.alias,
        password: account.password,
        ...(situation === 'unknown' && {
          key: createToken('hlk'),
          token: randomBytes(32).toString('base64url'),
          login: 'nobody-here',
        }),
        ...(situation === 'malformed or wrong' && {
          key: `hlk_${'x'.repeat(36)}`,
          token: `${accessToken}x`,
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

  test('the table is complete', () => {
    expect(cells).toHaveLength(181)
  })

  test.each(cells)('$sent, $situation: $verb is $expected', async ({ sent, situation, verb, expected }) => {
    const isSuspended = situation === 'of a suspended account'
    const target =
      isSuspended && verb === 'DELETE'
        ? suspendedUrl
        : `https://example.com/${randomBytes(8).toString('hex')}`
    const hookToDelete = async () =>
      isSuspended ? suspendedId : await registerHook(accountKeys.get(situation) ?? '', target)
    const params = {
      GET: async () => ({}),
      POST: async () => ({ target_url: target, event_type: 'all' }),
      DELETE: async () => ({ id: await hookToDelete() }),
    }
    const response = await send(
      hookline.url,
      verb,
      sent,
      valuesBySituation.get(situation) ?? {},
      await params[verb](),
    )
    expectOutcome(response, expected, situation)

    const found = await hookline.database.query('SELECT id FROM hooks WHERE target_url = $1', [target])
    const isFine = expected === '200'
    const expectedCount = { GET: 0, POST: isFine ? 1 : 0, DELETE: isFine ? 0 : 1 }
    expect(found, 'webhooks with this target_url after the call').toHaveLength(expectedCount[verb])
  })
})

describe('unusual credentials', () => {
  let values: Values
  beforeAll(async () => {
    const account = await hookline.account()
    const otherAccount = await hookline.account()
    const strange = {
      alias: `strange-${randomBytes(4).toString('hex')}`,
      email: `Jürgen.${randomBytes(4).toString('hex')}@exämple.com`,
      password: 'Pässwörd &=+% ﬁ 漢字 "quoted" \\ 😀',
    }
    await createAccount({ ...hookline, passwords: createPasswords() }, 'operator', {
      name: 'strange',
      login: strange,
    })
    values = {
      key: account.key,
      keyOtherCase: `hlk_${account.key.slice(4).toUpperCase()}`,
      keyBase64: base64(account.key),
      keyColonBase64: base64(`${account.key}:`),
      colonKeyBase64: base64(`:${account.key}`),
      loginBase64: base64(`${account.alias}:${account.password}`),
      sameAccount: (await hookline.key(account.accountId)).key,
      another: otherAccount.key,
      unknown: createToken('hlk'),
      producer: createToken('hlp'),
      token: await createAccessToken(hookline, account),
      sameToken: await createAccessToken(hookline, account),
      alias: account.alias,
      aliasUpper: account.alias.toUpperCase(),
      email: account.email,
      emailUpper: account.email.toUpperCase(),
      password: account.password,
      passwordUpper: account.password.toUpperCase(),
      anotherAlias: otherAccount.alias,
      strangeAlias: strange.alias,
      strangeEmail: strange.email,
      strangeEmailUpper: strange.email.toUpperCase(),
      strangePassword: strange.password,
      strangePasswordDecomposed: strange.password.normalize('NFD'),
      long: 'x'.repeat(5_000),
    }
  })

  // Verb, outcome and request, in the notation of `send`.
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

    # Whitespace; · is a space
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

    # Two kinds combined
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

    # u is optional with a key and required with a password
    GET    200      ?u={alias}&p={key}
    GET    200      ?u=anything&p={key}
    GET    200      ?u={anotherAlias}&p={key}
    GET    200      ?u=&p={key}
    GET    401/900  ?u={alias}&p={unknown}
    GET    401/900  ?p={password}
    GET    401/900  ?u={anotherAlias}&p={password}
    GET    401/900  ?u={alias}
    GET    401/900  ?u={alias}&p=
    GET    401/900  ?u={alias}&p=null
    DELETE 401/900  json "u":"{alias}","p":null

    # Empty, missing or unsupported credentials
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

    # Access tokens are accepted only as bearer tokens
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

    # A signature is no credential, but an invalid one is rejected
    GET    401/900  X-Signature: abc + X-Timestamp: 1 + X-Nonce: x
    GET    401/901  X-Signature: abc + X-Timestamp: 1 + X-Nonce: x + X-Api-Key: {key}

    # In the action dialect an authentication error keeps its status
    GET    401/900  ?action=read&p={unknown}
    POST   401/900  form action=subscribe&p={unknown}
    GET    400/905  X-Api-Key: {key} + ?action=read&p={another}
    POST   200      form action=read&p={key}

    # Unknown paths and verbs are checked after authentication
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
    expectOutcome(await send(hookline.url, verb, sent, values), outcome, sent)
  })

  test('the table is parsed and has no duplicate rows', () => {
    expect(table).toHaveLength(144)
    expect(new Set(table.map(String)).size).toBe(table.length)
  })
})

/** Returns the outcome for a verb if the table has one (`GET 200, POST 403/902`), else the outcome for all verbs. */
function outcomeOf(outcome: string, verb: Verb): string {
  const params = outcome.split(', ').find((part) => part.startsWith(`${verb} `))
  return params?.slice(verb.length + 1) ?? outcome
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

async function registerHook(key: string, target: string): Promise<string> {
  const form = { target_url: target, event_type: 'all' }
  const created = await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })
  if (created.status !== 200) throw new Error(`registration failed: ${created.text}`)
  return String(created.json.id)
}
