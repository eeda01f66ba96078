/** Passkeys: registration, sign-in, second factor, confirmation, removal. Attacks are in passkey-security.test.ts. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runAdmin } from '../support/admin-tool.ts'
import { appCode } from '../support/authenticator.ts'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { createAuthenticator, type Passkey } from '../support/passkey-authenticator.ts'
import { addPasskey } from '../support/passkeys.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
beforeAll(async () => {
  hookline = await startDashboardService()
})
afterAll(() => hookline.close())

let account: TestAccount
let user: SignedIn
let authenticator: ReturnType<typeof createAuthenticator>
beforeEach(async () => {
  account = await hookline.account()
  user = await signIn(hookline.url, account)
  authenticator = createAuthenticator(hookline.url)
})

function post(path: string, json: object = {}): Promise<CallResponse> {
  return user.call(path, { method: 'POST', json })
}

/** A call of a browser without a session. */
function postSignedOut(path: string, json: object = {}, headers: Record<string, string> = {}) {
  return call(`${hookline.url}${path}`, {
    method: 'POST',
    json,
    headers: { origin: hookline.url, ...headers },
  })
}

function outcome({ status, json }: CallResponse): [number, number | null] {
  return [status, json.code]
}

const add = (name?: string) => addPasskey(user, authenticator, { password: account.password, name })

async function signInWith(passkey: Passkey, more: object = {}): Promise<CallResponse> {
  const { options } = (await postSignedOut('/api/session/passkey/options')).json
  return postSignedOut('/api/session/passkey', { passkey: authenticator.get(options, passkey), ...more })
}

/** A confirmation for the next call of the user. */
async function confirmWith(passkey: Passkey): Promise<object> {
  const { options } = (await post('/api/session/confirm/options')).json
  return authenticator.get(options, passkey)
}

async function auditEntries(action: string): Promise<object[]> {
  const { entries } = (await user.call('/api/audit')).json
  return entries.filter((entry: { action: string }) => entry.action === action)
}

async function noticedActions(): Promise<string[]> {
  const rows = await hookline.database.query<{ action: string }>(
    `SELECT detail ->> 'action' AS action FROM notices WHERE login_id = $1 AND kind = 'login_changed' ORDER BY id`,
    [account.loginId],
  )
  return rows.map(({ action }) => action)
}

describe('adding a passkey', () => {
  test('the first passkey turns on two-factor authentication and returns ten recovery codes', async () => {
    const { response } = await add('Work laptop')
    expect(response.json).toEqual({
      success: true,
      code: null,
      passkey: {
        id: expect.any(Number),
        name: 'Work laptop',
        is_synced: true,
        created_at: expect.any(String),
        last_used_at: null,
      },
      recovery_codes: expect.any(Array),
    })
    expect(new Set(response.json.recovery_codes).size).toBe(10)
    expect((await user.call('/api/passkeys')).json.passkeys).toEqual([response.json.passkey])
    expect((await user.call('/api/session')).json.login).toMatchObject({
      second_factor: true,
      authenticator_app: false,
      passkeys: 1,
      recovery_codes_left: 10,
    })
    expect((await user.call('/api/members')).json.members[0].second_factor).toBe(true)
    expect(await auditEntries('passkey.add')).toEqual([
      expect.objectContaining({
        actor: `login:${account.loginId}`,
        subject: `login:${account.loginId}`,
        detail: { passkey: response.json.passkey.id, name: 'Work laptop' },
      }),
    ])
    expect(await noticedActions()).toEqual(['passkey.add'])
  })

  test('further passkeys, and an app beside a passkey, keep the recovery codes', async () => {
    const { response } = await add()
    const [code] = response.json.recovery_codes
    expect((await add()).response.json.recovery_codes).toEqual([])
    const { secret } = (await post('/api/second-factor', { password: account.password })).json
    const confirmed = await post('/api/second-factor/confirm', { code: appCode(secret) })
    expect(confirmed.json.recovery_codes).toEqual([])
    const json = { login: account.alias, password: account.password, code }
    expect(outcome(await postSignedOut('/api/session', json))).toEqual([200, null])
  })

  test('the options name the service and the user, and exclude the existing passkeys', async () => {
    const { passkey } = await add()
    const { options } = (await post('/api/passkeys/options', { password: account.password })).json
    expect(options).toMatchObject({
      rp: { id: '127.0.0.1', name: 'Hookline 127.0.0.1' },
      user: { id: expect.stringMatching(/^[\w-]{43}$/), name: account.alias, displayName: account.alias },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [
        {
          id: passkey.credentialId.toString('base64url'),
          type: 'public-key',
          transports: ['hybrid', 'internal'],
        },
      ],
    })
    expect(options.user.id).toBe(passkey.userHandle)
  })

  test('the start requires the password or another passkey', async () => {
    expect(outcome(await post('/api/passkeys/options'))).toEqual([400, 1010])
    expect(outcome(await post('/api/passkeys/options', { password: 'not the password' }))).toEqual([403, 910])
    const { passkey } = await add()
    const confirmed = await post('/api/passkeys/options', { passkey: await confirmWith(passkey) })
    expect(outcome(confirmed)).toEqual([200, null])
  })

  test('a login can have 20 passkeys', async () => {
    await hookline.database.query(
      `INSERT INTO passkeys (login_id, credential_id, public_key, counter, transports, name, is_synced)
       SELECT $1::integer, sha256(($1::text || '/' || n)::bytea), '', 0, '{}', 'x', false FROM generate_series(1, 19) AS n`,
      [account.loginId],
    )
    expect(outcome((await add()).response)).toEqual([200, null])
    const rejected = (await add()).response
    expect(outcome(rejected)).toEqual([409, 1214])
    expect(rejected.json.details).toEqual({ limit: 20 })
  })
})

describe('sign-in', () => {
  test('a passkey starts a session without login, password and code', async () => {
    const { passkey } = await add()
    const signedIn = await signInWith(passkey)
    expect(outcome(signedIn)).toEqual([200, null])
    expect(signedIn.json.login.id).toBe(account.loginId)
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await call(`${hookline.url}/api/session`, { headers: { cookie } })).json.login.id).toBe(
      account.loginId,
    )
    const [entry] = await auditEntries('session.start')
    expect(entry).toMatchObject({ actor: `login:${account.loginId}`, detail: { by: 'passkey' } })
    const [listed] = (await user.call('/api/passkeys')).json.passkeys
    expect(Date.parse(listed.last_used_at)).toBeGreaterThan(Date.now() - 60_000)
  })
})
