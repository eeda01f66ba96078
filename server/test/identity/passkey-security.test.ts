/**
 * Attacks on passkeys with responses that a browser and an authenticator would not make, and with true ones in the wrong
 * place. The authenticator is in software, so that every part can be wrong.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import {
  type ChallengePurpose,
  createChallenge,
  pruneChallenges,
} from '../../src/identity/passkeys/challenges.ts'
import { barrier } from '../support/barrier.ts'
import { signedInBy, signIn, type SignedIn } from '../support/browser-session.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { addMember } from '../support/members.ts'
import { createAuthenticator, type Forgery, type Passkey } from '../support/passkey-authenticator.ts'
import { addPasskey } from '../support/passkeys.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let second: ServiceProcess
let authenticator: ReturnType<typeof createAuthenticator>
beforeAll(async () => {
  hookline = await startDashboardService({ LOGIN_ATTEMPTS: '1000' })
  // Uses the same BASE_URL, as behind a load balancer.
  second = await hookline.startAnother({ PORT: '0' }, 'api')
  authenticator = createAuthenticator(hookline.url)
  attacker = await createUser()
})
afterAll(() => hookline.close())

/** A user with a passkey. */
interface Victim {
  account: TestAccount
  user: SignedIn
  sessionId: number
  passkey: Passkey
}

let victim: Victim
let attacker: Victim
beforeEach(async () => {
  victim = await createUser()
})

async function createUser(): Promise<Victim> {
  const account = await hookline.account()
  const user = await signIn(hookline.url, account)
  const { passkey } = await addPasskey(user, authenticator, account)
  return { account, user, sessionId: (await user.call('/api/session')).json.session.id, passkey }
}

const rejectedPasskey = [401, 915]

function outcome({ status, json }: CallResponse): [number, number | null] {
  return [status, json.code]
}

function postSignedOut(path: string, json: object, url = hookline.url): Promise<CallResponse> {
  return call(`${url}${path}`, { method: 'POST', json, headers: { origin: hookline.url } })
}

type Options = Parameters<typeof authenticator.get>[0]

interface Use {
  what: string
  options: (of: Victim) => Promise<Options>
  /** Sends a response of an authenticator in place of a true one. */
  send: (as: Victim, passkey: object, url?: string) => Promise<CallResponse>
  purpose: (of: Victim) => ChallengePurpose
}

const uses: [signIn: Use, secondFactor: Use, confirmation: Use] = [
  {
    what: 'sign-in',
    options: async () => (await postSignedOut('/api/session/passkey/options', {})).json.options,
    send: (_as, passkey, url) => postSignedOut('/api/session/passkey', { passkey }, url),
    purpose: () => ({ kind: 'sign-in' }),
  },
  {
    what: 'second factor',
    async options({ account: { alias: login, password } }) {
      return (await postSignedOut('/api/session', { login, password })).json.details.passkey_options
    },
    send: ({ account: { alias: login, password } }, passkey, url) =>
      postSignedOut('/api/session', { login, password, passkey }, url),
    purpose: ({ account }) => ({ kind: 'second-factor', loginId: account.loginId }),
  },
  {
    what: 'confirmation',
    async options({ user }) {
      return (await user.call('/api/session/confirm/options', { method: 'POST', json: {} })).json.options
    },
    send: ({ account, user }, passkey, url = hookline.url) =>
      call(`${url}/api/keys/${account.keyId}/view`, {
        method: 'POST',
        json: { passkey },
        headers: { cookie: user.cookie, origin: hookline.url, 'x-csrf-token': user.csrfToken },
      }),
    purpose: ({ sessionId }) => ({ kind: 'confirm', sessionId }),
  },
]

const forgeries: Array<[what: string, forge: (attack: { own: Passkey }) => Forgery]> = [
  ['of a page of another origin', () => ({ origin: 'https://evil.example' })],
  ['of a page on another port', () => ({ origin: 'http://127.0.0.1:1' })],
  ['of the same host with another scheme', () => ({ origin: hookline.url.replace('http:', 'https:') })],
  ['for another relying party', () => ({ rpId: 'evil.example' })],
  ['of the type of a registration', () => ({ type: 'webauthn.create' })],
  ['without user verification', () => ({ userVerified: false })],
  ['without user presence', () => ({ userPresent: false })],
  ['signed with another key', () => ({ privateKey: newKey() })],
  ['of an unknown passkey', () => ({ credentialId: randomBytes(32) })],
  ['with the user handle of another login', ({ own }) => ({ userHandle: own.userHandle })],
  ['with a challenge that nobody gave', () => ({ challenge: randomBytes(70).toString('base64url') })],
  ['with an empty challenge', () => ({ challenge: '' })],
]

describe.each(uses)('$what', ({ what, options, send, purpose }) => {
  test('a true response is accepted once', async () => {
    const response = authenticator.get(await options(victim), victim.passkey)
    expect(outcome(await send(victim, response))).toEqual([200, null])
    expect(outcome(await send(victim, response))).toEqual(rejectedPasskey)
    expect(outcome(await send(victim, response, second.url))).toEqual(rejectedPasskey)
  })

  test('a true response without the optional user handle is accepted', async () => {
    const response = authenticator.get(await options(victim), victim.passkey, { userHandle: undefined })
    expect(outcome(await send(victim, response))).toEqual([200, null])
  })

  test.each(forgeries)('a response %s is rejected', async (_what, forge) => {
    const given = await options(victim)
    const forged = authenticator.get(given, victim.passkey, forge({ own: attacker.passkey }))
    const rejected = await send(victim, forged)
    expect(outcome(rejected)).toEqual(rejectedPasskey)
    expect(rejected.headers.getSetCookie()).toEqual([])
    // The challenge is not used up.
    expect(outcome(await send(victim, authenticator.get(given, victim.passkey)))).toEqual([200, null])
  })

  test('of two parallel calls on two processes with one response, one succeeds', async () => {
    const response = authenticator.get(await options(victim), victim.passkey)
    const responses = await barrier(hookline, 'LOCK TABLE used_challenges IN SHARE MODE', 2, () =>
      Promise.all([send(victim, response), send(victim, response, second.url)]),
    )
    expect(new Set(responses.map(({ json }) => json.code))).toEqual(new Set([915, null]))
  })

  test('a challenge is valid for five minutes', async () => {
    const at = (seconds: number) => ({
      challenge: createChallenge(hookline.vault, purpose(victim), Date.now() - seconds * 1_000),
    })
    expect(outcome(await send(victim, authenticator.get(at(301), victim.passkey)))).toEqual(rejectedPasskey)
    expect(outcome(await send(victim, authenticator.get(at(290), victim.passkey)))).toEqual([200, null])
  })

  test('a challenge with a changed expiry is rejected', async () => {
    const bytes = Buffer.from((await options(victim)).challenge, 'base64url')
    bytes.writeUIntBE(bytes.readUIntBE(0, 6) + 60_000, 0, 6)
    const later = { challenge: bytes.toString('base64url') }
    expect(outcome(await send(victim, authenticator.get(later, victim.passkey)))).toEqual(rejectedPasskey)
  })

  test('challenges of the other purposes are rejected', async () => {
    const others = uses.filter((other) => other.what !== what)
    expect(others).toHaveLength(2)
    for (const other of others) {
      const response = authenticator.get(await other.options(victim), victim.passkey)
      expect(outcome(await send(victim, response)), other.what).toEqual(rejectedPasskey)
    }
    const registration = await startRegistration(victim)
    const response = authenticator.get(registration, victim.passkey)
    expect(outcome(await send(victim, response)), 'registration').toEqual(rejectedPasskey)
  })

  test('a counter that goes back or stands still is rejected, recorded and reported', async () => {
    victim.passkey.counter = 7
    expect(outcome(await send(victim, authenticator.get(await options(victim), victim.passkey)))).toEqual([
      200,
      null,
    ])
    for (const counter of [6, 7, 0]) {
      const copied = authenticator.get(await options(victim), victim.passkey, { counter })
      expect(outcome(await send(victim, copied)), String(counter)).toEqual(rejectedPasskey)
    }
    const entries = await rows<{ actor: string; detail: object }>(
      `SELECT actor, detail FROM audit WHERE account_id = $1 AND action = 'passkey.reject'`,
      victim.account.accountId,
    )
    expect(entries).toHaveLength(3)
    expect(entries[0]).toEqual({
      actor: 'visitor',
      detail: { passkey: expect.any(Number), name: 'Passkey' },
    })
    const notices = await rows(
      `SELECT 1 FROM notices WHERE login_id = $1 AND kind = 'login_changed' AND detail ->> 'action' = 'passkey.reject'`,
      victim.account.loginId,
    )
    expect(notices).toHaveLength(3)
  })

  test('a response that arrives again is no sign of a copied passkey', async () => {
    victim.passkey.counter = 7
    const response = authenticator.get(await options(victim), victim.passkey)
    expect(outcome(await send(victim, response))).toEqual([200, null])
    expect(outcome(await send(victim, response))).toEqual(rejectedPasskey)
    const entries = await rows(
      `SELECT 1 FROM audit WHERE account_id = $1 AND action = 'passkey.reject'`,
      victim.account.accountId,
    )
    expect(entries).toEqual([])
  })

  test('of two parallel responses with the same counter, one is accepted', async () => {
    const [one, two] = [await options(victim), await options(victim)].map((given) =>
      authenticator.get(given, victim.passkey, { counter: 3 }),
    )
    const responses = await barrier(hookline, 'LOCK TABLE passkeys IN SHARE MODE', 2, () =>
      Promise.all([send(victim, one ?? {}), send(victim, two ?? {}, second.url)]),
    )
    expect(new Set(responses.map(({ json }) => json.code))).toEqual(new Set([915, null]))
  })

  test('a passkey that is removed meanwhile is rejected', async () => {
    const response = authenticator.get(await options(victim), victim.passkey)
    // The removal is not committed yet, so the check still reads the passkey.
    const removal = `DELETE FROM passkeys WHERE login_id = ${victim.account.loginId}`
    expect(outcome(await barrier(hookline, removal, 1, () => send(victim, response)))).toEqual(
      rejectedPasskey,
    )
  })

  test('rejected responses are recorded as failed sign-ins of the login', async () => {
    await send(victim, authenticator.get(await options(victim), victim.passkey, { privateKey: newKey() }))
    const fails = () =>
      rows(`SELECT 1 FROM audit WHERE account_id = $1 AND action = 'session.fail'`, victim.account.accountId)
    await expect.poll(fails).toHaveLength(1)
  })
})

describe('a malformed response', () => {
  const [{ options, send }] = uses

  test.each([
    ['no object', 'x'],
    ['an empty object', {}],
    ['a list', []],
    ['numbers', { id: 1, rawId: 1, type: 'public-key', response: {} }],
    ['another type', { type: 'password' }],
    ['an id of 1,365 characters', { id: 'A'.repeat(1_365), rawId: 'A'.repeat(1_365) }],
    ['an id that is not base64url', { id: "' OR 1=1 --", rawId: "' OR 1=1 --" }],
    ['a NUL', { id: 'A\0', rawId: 'A\0' }],
  ])('%s in place of a response is rejected as a parameter', async (_what, wrong) => {
    const response = authenticator.get(await options(victim), victim.passkey)
    const json = typeof wrong === 'string' || Array.isArray(wrong) ? wrong : { ...response, ...wrong }
    const isEmpty = typeof wrong === 'object' && Object.keys(wrong).length === 0 && !Array.isArray(wrong)
    const rejected = await send(victim, isEmpty ? {} : (json as object))
    expect([rejected.status, rejected.json.code, rejected.json.field]).toEqual([400, 1012, 'passkey'])
  })

  /** Node.js makes an object with a length into as many bytes, one after the other: seconds, or more memory than there is. */
  const expensive = { length: 100_000_000 }

  test('whose challenge is no text is rejected at once', async () => {
    const asserted = authenticator.get(await options(victim), victim.passkey, { challenge: expensive })
    const { registration } = authenticator.create(await startRegistration(victim), { challenge: expensive })
    const startedAt = performance.now()
    expect(outcome(await send(victim, asserted))).toEqual(rejectedPasskey)
    expect(outcome(await register(registration, victim))).toEqual(rejectedPasskey)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  test.each([
    ['clientDataJSON', Buffer.from('{')],
    ['clientDataJSON', Buffer.from('null')],
    ['clientDataJSON', Buffer.from('{"challenge":{"toString":1}}')],
    ['authenticatorData', Buffer.alloc(10)],
    ['authenticatorData', Buffer.alloc(1_500, 0xff)],
    ['signature', Buffer.from('30', 'hex')],
    ['signature', Buffer.alloc(1_500, 0x30)],
  ])('garbage in %s is rejected', async (field, bytes) => {
    const response = authenticator.get(await options(victim), victim.passkey)
    const garbage = { ...response, response: { ...response.response, [field]: bytes.toString('base64url') } }
    expect(outcome(await send(victim, garbage))).toEqual(rejectedPasskey)
  })
})

describe('passkeys and challenges of another user', () => {
  const [atSignIn, secondFactor, confirmation] = uses

  test('at sign-in, the passkey decides which login it is', async () => {
    const response = authenticator.get(await atSignIn.options(victim), attacker.passkey)
    expect((await atSignIn.send(victim, response)).json.login?.id).toBe(attacker.account.loginId)
  })

  test.each([secondFactor, confirmation])('as $what, a passkey of another login is rejected', async (use) => {
    const given = await use.options(victim)
    expect(outcome(await use.send(victim, authenticator.get(given, attacker.passkey)))).toEqual(
      rejectedPasskey,
    )
    // With the identity of the victim, but the key of the attacker.
    const forged = authenticator.get(given, victim.passkey, { privateKey: attacker.passkey.privateKey })
    expect(outcome(await use.send(victim, forged))).toEqual(rejectedPasskey)
  })

  test.each([secondFactor, confirmation])(
    'as $what, a challenge of another login is rejected',
    async (use) => {
      const given = await use.options(attacker)
      expect(outcome(await use.send(victim, authenticator.get(given, victim.passkey)))).toEqual(
        rejectedPasskey,
      )
    },
  )

  test('a confirmation is valid only in the session that requested it', async () => {
    const response = authenticator.get(await confirmation.options(victim), victim.passkey)
    const sibling = { ...victim, user: await signInAgain(victim) }
    expect(outcome(await confirmation.send(sibling, response))).toEqual(rejectedPasskey)
    expect(outcome(await confirmation.send(victim, response))).toEqual([200, null])
  })

  test('the passkey is no way around the password of another step', async () => {
    const { alias: login } = victim.account
    const passkey = authenticator.get(await secondFactor.options(victim), victim.passkey)
    const wrong = await postSignedOut('/api/session', { login, password: 'not the password', passkey })
    expect(outcome(wrong)).toEqual([401, 900])
  })

  test('renaming and removing get the same response as for an unknown id', async () => {
    const colleagueLogin = await addMember(hookline, attacker.account, {
      role: 'owner',
      canReveal: true,
      canExport: true,
    })
    const colleague = await signIn(hookline.url, colleagueLogin)
    const { response } = await addPasskey(colleague, authenticator, colleagueLogin)
    const victimId = (await victim.user.call('/api/passkeys')).json.passkeys[0].id
    const { password } = attacker.account
    for (const id of [victimId, response.json.passkey.id])
      for (const [method, json] of [
        ['POST', { name: 'x' }],
        ['DELETE', { password }],
      ] as const) {
        const foreign = await attacker.user.call(`/api/passkeys/${id}`, { method, json })
        const unknown = await attacker.user.call('/api/passkeys/2000000000', { method, json })
        expect(outcome(foreign)).toEqual([404, 1102])
        expect(foreign.text.replace(String(id), 'N')).toBe(unknown.text.replace('2000000000', 'N'))
      }
    expect((await victim.user.call('/api/passkeys')).json.passkeys).toEqual([
      expect.objectContaining({ id: victimId, name: 'Passkey' }),
    ])
  })

  test('lists contain no passkeys of another login', async () => {
    const { passkeys } = (await attacker.user.call('/api/passkeys')).json
    expect(passkeys).toHaveLength(1)
    const { options } = (
      await attacker.user.call('/api/session/confirm/options', { method: 'POST', json: {} })
    ).json
    expect(options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([
      attacker.passkey.credentialId.toString('base64url'),
    ])
  })
})

describe('registration', () => {
  test.each(
    forgeries.filter(
      ([what]) => !/another key|unknown passkey|user handle|type of a registration/.test(what),
    ),
  )('a response %s is rejected', async (_what, forge) => {
    const { registration } = authenticator.create(
      await startRegistration(victim),
      forge({ own: attacker.passkey }),
    )
    expect(outcome(await register(registration, victim))).toEqual(rejectedPasskey)
    expect(await passkeysOf(victim)).toHaveLength(1)
  })

  test('a response of the type of a sign-in is rejected', async () => {
    const options = await startRegistration(victim)
    const { registration } = authenticator.create(options, { type: 'webauthn.get' })
    expect(outcome(await register(registration, victim))).toEqual(rejectedPasskey)
  })

  test('challenges of sign-in, second factor and confirmation are rejected', async () => {
    const { user } = await startRegistration(victim)
    for (const { what, options } of uses) {
      const { registration } = authenticator.create({ ...(await options(victim)), user })
      expect(outcome(await register(registration, victim)), what).toEqual(rejectedPasskey)
    }
  })

  test('a challenge of another session, of this login or another, is rejected', async () => {
    const sibling = { ...victim, user: await signInAgain(victim) }
    for (const starter of [sibling, attacker]) {
      const { registration } = authenticator.create(await startRegistration(starter))
      expect(outcome(await register(registration, victim))).toEqual(rejectedPasskey)
    }
  })

  test('a challenge is valid for five minutes', async () => {
    const options = await startRegistration(victim)
    const createdAt = Date.now() - 301_000
    const purpose = { kind: 'register', sessionId: victim.sessionId } as const
    const challenge = createChallenge(hookline.vault, purpose, createdAt)
    const { registration } = authenticator.create({ ...options, challenge })
    expect(outcome(await register(registration, victim))).toEqual(rejectedPasskey)
  })

  test('of two parallel calls on two processes with one challenge, one succeeds', async () => {
    const options = await startRegistration(victim)
    const [one, two] = [authenticator.create(options), authenticator.create(options)]
    const responses = await barrier(hookline, 'LOCK TABLE used_challenges IN SHARE MODE', 2, () =>
      Promise.all([register(one.registration, victim), register(two.registration, victim, second.url)]),
    )
    expect(new Set(responses.map(({ json }) => json.code))).toEqual(new Set([915, null]))
    expect(await passkeysOf(victim)).toHaveLength(2)
  })

  test('a credential of another login is rejected, and still signs in its owner', async () => {
    const { credentialId } = victim.passkey
    const { registration } = authenticator.create(await startRegistration(attacker), { credentialId })
    expect(outcome(await register(registration, attacker))).toEqual(rejectedPasskey)
    const [atSignIn] = uses
    const response = authenticator.get(await atSignIn.options(victim), victim.passkey)
    expect((await atSignIn.send(victim, response)).json.login?.id).toBe(victim.account.loginId)
  })

  test('attestation statements are ignored: no certificate in them is read', async () => {
    // The library parses these certificates, and looks up their revocation lists.
    const attestation = {
      format: 'packed',
      statement: [
        ['alg', -7],
        ['sig', randomBytes(70)],
        ['x5c', [randomBytes(500)]],
      ] as Array<[string, number | Buffer | Buffer[]]>,
    }
    const { registration } = authenticator.create(await startRegistration(victim), { attestation })
    expect(outcome(await register(registration, victim))).toEqual([200, null])
  })

  const exponent = Buffer.from('010001', 'hex')

  test.each([
    ['accepted up to 4,096 bits', 512, [200, null]],
    ['rejected above, because it would be slow to verify', 1_024, rejectedPasskey],
  ])('an RSA key is %s', async (_what, bytes, expected) => {
    const publicKey = new Map<number, number | Buffer>([
      [1, 3],
      [3, -257],
      [-1, randomBytes(bytes)],
      [-2, exponent],
    ])
    const { registration } = authenticator.create(await startRegistration(victim), { publicKey })
    expect(outcome(await register(registration, victim))).toEqual(expected)
  })

  test('a key of an algorithm that was not offered is rejected', async () => {
    const publicKey = new Map<number, number | Buffer>([
      [1, 3],
      // RS1, with SHA-1.
      [3, -65_535],
      [-1, randomBytes(256)],
      [-2, exponent],
    ])
    const { registration } = authenticator.create(await startRegistration(victim), { publicKey })
    expect(outcome(await register(registration, victim))).toEqual(rejectedPasskey)
  })

  test.each([
    ['nothing', Buffer.from('a0', 'hex')],
    ['text', Buffer.from('not CBOR')],
    ['a list that claims 2^32 items', Buffer.from('9affffffff', 'hex')],
    ['12,000 nested lists', Buffer.alloc(12_000, 0x81)],
    ['a statement without authenticator data', Buffer.from('a163666d74646e6f6e65', 'hex')],
  ])('an attestation object with %s is rejected', async (_what, bytes) => {
    const { registration } = authenticator.create(await startRegistration(victim))
    const response = { ...registration.response, attestationObject: bytes.toString('base64url') }
    expect(outcome(await register({ ...registration, response }, victim))).toEqual(rejectedPasskey)
    expect((await call(`${hookline.url}/health/live`)).status).toBeLessThan(500)
  })

  test.each([
    ['an attestation object of 20 kB', { attestationObject: 'A'.repeat(20_000) }],
    ['client data of 5 kB', { clientDataJSON: 'A'.repeat(5_000) }],
    ['17 transports', { transports: Array.from({ length: 17 }, () => 'usb') }],
  ])('%s is rejected as a parameter', async (_what, change) => {
    const { registration } = authenticator.create(await startRegistration(victim))
    const response = { ...registration.response, ...change }
    const rejected = await register({ ...registration, response }, victim)
    expect([rejected.json.code, rejected.json.field]).toEqual([1012, 'registration'])
  })

  test('a credential id other than that of the response, also a huge one, is rejected', async () => {
    for (const length of [32, 1_023, 3_000]) {
      const options = await startRegistration(victim)
      const { registration } = authenticator.create(options, { credentialId: randomBytes(length) })
      const other = { ...registration, id: 'AAAA', rawId: 'AAAA' }
      expect(outcome(await register(other, victim)), String(length)).toEqual(rejectedPasskey)
    }
    const options = await startRegistration(victim)
    const longest = authenticator.create(options, { credentialId: randomBytes(1_023) })
    expect(outcome(await register(longest.registration, victim))).toEqual([200, null])
  })

  test('unknown transports are ignored', async () => {
    const { registration, passkey } = authenticator.create(await startRegistration(victim))
    const response = { ...registration.response, transports: ['usb', 'telepathy'] }
    expect(outcome(await register({ ...registration, response }, victim))).toEqual([200, null])
    const [row] = await rows('SELECT transports FROM passkeys WHERE credential_id = $1', passkey.credentialId)
    expect(row).toEqual({ transports: ['usb'] })
  })
})

describe('limits', () => {
  test('options for anyone store nothing and reveal nothing', async () => {
    const before = await rows('SELECT * FROM used_challenges')
    const options: object[] = []
    for (let count = 0; count < 20; count++)
      options.push((await postSignedOut('/api/session/passkey/options', {})).json.options)
    expect(await rows('SELECT * FROM used_challenges')).toEqual(before)
    for (const given of options)
      expect(given).toEqual({
        challenge: expect.stringMatching(/^[\w-]{72}$/),
        rpId: '127.0.0.1',
        timeout: 300_000,
        userVerification: 'required',
        allowCredentials: [],
      })
    expect(new Set(options.map((given) => JSON.stringify(given))).size).toBe(20)
  })

  test('used challenges are stored until they have expired', async () => {
    const [{ options, send }] = uses
    const response = authenticator.get(await options(victim), victim.passkey)
    await send(victim, response)
    await pruneChallenges(hookline.db)
    expect(outcome(await send(victim, response))).toEqual(rejectedPasskey)
    await hookline.database.query("UPDATE used_challenges SET expires_at = now() - interval '61 minutes'")
    await pruneChallenges(hookline.db)
    expect(await rows('SELECT * FROM used_challenges')).toEqual([])
  })

  test('rejected passkeys are throttled by network, except in a known browser', async () => {
    const narrow = await hookline.startAnother({ PORT: '0', LOGIN_ATTEMPTS: '1' }, 'api')
    await hookline.database.query('DELETE FROM login_attempts')
    const [use] = uses
    const wrong = async () =>
      authenticator.get(await use.options(victim), victim.passkey, { privateKey: newKey() })
    const codes: number[] = []
    for (let attempt = 0; attempt < 6; attempt++)
      codes.push((await use.send(victim, await wrong(), narrow.url)).json.code)
    expect(codes).toEqual([915, 915, 915, 915, 915, 907])
    const right = async () => ({ passkey: authenticator.get(await use.options(victim), victim.passkey) })
    expect((await use.send(victim, (await right()).passkey, narrow.url)).json.code).toBe(907)
    const device = await deviceCookieOf(victim)
    const known = await call(`${narrow.url}/api/session/passkey`, {
      method: 'POST',
      json: await right(),
      headers: { origin: hookline.url, cookie: device },
    })
    expect(outcome(known)).toEqual([200, null])
    await hookline.database.query('DELETE FROM login_attempts')
  })

  test.each(uses.slice(1))('rejected passkeys as $what are throttled by login', async ({ options, send }) => {
    const narrow = await hookline.startAnother({ PORT: '0', LOGIN_ATTEMPTS: '2' }, 'api')
    await hookline.database.query('DELETE FROM login_attempts')
    const codes: number[] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      const wrong = authenticator.get(await options(victim), victim.passkey, { privateKey: newKey() })
      codes.push((await send(victim, wrong, narrow.url)).json.code)
    }
    expect(codes).toEqual([915, 915, 907])
    await hookline.database.query('DELETE FROM login_attempts')
  })
})

test('an API key can manage no passkeys', async () => {
  const { key } = victim.account
  for (const [method, path] of [
    ['GET', '/api/passkeys'],
    ['POST', '/api/passkeys'],
    ['POST', '/api/passkeys/options'],
    ['POST', '/api/passkeys/1'],
    ['DELETE', '/api/passkeys/1'],
    ['POST', '/api/session/confirm/options'],
  ] as const) {
    const rejected = await call(`${hookline.url}${path}`, {
      method,
      key,
      ...(method !== 'GET' && { json: {} }),
    })
    expect(outcome(rejected), `${method} ${path}`).toEqual([403, 908])
  }
})

function register(registration: object, { user }: Victim, url = hookline.url): Promise<CallResponse> {
  return call(`${url}/api/passkeys`, {
    method: 'POST',
    json: { name: 'x', registration },
    headers: { cookie: user.cookie, origin: hookline.url, 'x-csrf-token': user.csrfToken },
  })
}

async function passkeysOf({ user }: Victim): Promise<object[]> {
  return (await user.call('/api/passkeys')).json.passkeys
}

async function startRegistration({ user, account: { password } }: Victim) {
  const json = { password }
  return (await user.call('/api/passkeys/options', { method: 'POST', json })).json.options
}

/** Signs in with another browser. */
async function signInAgain({ passkey }: Victim): Promise<SignedIn> {
  const { options } = (await postSignedOut('/api/session/passkey/options', {})).json
  const json = { passkey: authenticator.get(options, passkey) }
  return signedInBy(hookline.url, await postSignedOut('/api/session/passkey', json))
}

async function deviceCookieOf({ passkey }: Victim): Promise<string> {
  const { options } = (await postSignedOut('/api/session/passkey/options', {})).json
  const json = { passkey: authenticator.get(options, passkey) }
  const cookies = (await postSignedOut('/api/session/passkey', json)).headers.getSetCookie()
  return cookies.find((cookie) => cookie.startsWith('hookline-device='))?.split(';')[0] ?? ''
}

function newKey() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

function rows<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return hookline.database.query<Row>(text, values)
}
