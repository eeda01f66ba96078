/** Passkeys: registration, sign-in, second factor, confirmation, removal. Attacks are in passkey-security.test.ts. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openReset } from '../../src/identity/accounts/password-resets.ts'
import { createInvitation } from '../../src/identity/members/invitations.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { appCode } from '../support/authenticator.ts'
import { barrier } from '../support/barrier.ts'
import { signedInBy, signIn, type SignedIn } from '../support/browser-session.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { createAuthenticator, type Passkey } from '../support/passkey-authenticator.ts'
import { addMember } from '../support/members.ts'
import { addPasskey } from '../support/passkeys.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
beforeAll(async () => {
  hookline = await startDashboardService()
})
afterAll(() => hookline.close())

interface AuditEntry {
  actor: string
  action: string
  detail: Record<string, unknown>
}

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

const rightPassword = () => ({ login: account.alias, password: account.password })

const add = (name?: string) => addPasskey(user, authenticator, { password: account.password, name })

async function signInWith(
  passkey: Passkey,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<CallResponse> {
  const { options } = (await postSignedOut('/api/session/passkey/options')).json
  const json = { passkey: authenticator.get(options, passkey), ...more }
  return postSignedOut('/api/session/passkey', json, headers)
}

function cookiesOf(response: CallResponse): { cookie: string } {
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return { cookie: cookies.join('; ') }
}

/** A confirmation for the next call of the user. */
async function confirmWith(passkey: Passkey): Promise<object> {
  const { options } = (await post('/api/session/confirm/options')).json
  return authenticator.get(options, passkey)
}

async function auditEntries(action: string): Promise<AuditEntry[]> {
  const { entries } = (await user.call('/api/audit')).json
  return entries.filter((entry: AuditEntry) => entry.action === action)
}

async function noticedActions(): Promise<string[]> {
  const rows = await hookline.database.query<{ action: string }>(
    `SELECT detail ->> 'action' AS action FROM notices WHERE login_id = $1 AND kind = 'login_changed' ORDER BY id`,
    [account.loginId],
  )
  return rows.map(({ action }) => action)
}

async function countBlocked(): Promise<number> {
  const { rows } = await sql`
    SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`.execute(
    hookline.db,
  )
  return rows.length
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
    expect(outcome(await postSignedOut('/api/session', { ...rightPassword(), code }))).toEqual([200, null])
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
    expect(outcome(rejected)).toEqual([409, 1213])
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

  test('an unknown browser is reported to the user, and a known one is not', async () => {
    const { passkey } = await add()
    const signedIn = await signInWith(passkey)
    await signInWith(passkey, {}, cookiesOf(signedIn))
    const entries = await auditEntries('session.start')
    expect(entries.map(({ detail }) => detail.new_browser)).toEqual([undefined, true, undefined])
  })

  test('the earlier session of the browser ends', async () => {
    const { passkey } = await add()
    const first = await signInWith(passkey)
    await signInWith(passkey, {}, cookiesOf(first))
    expect((await call(`${hookline.url}/api/session`, { headers: cookiesOf(first) })).status).toBe(401)
  })

  test('a suspended account, and a login without membership, are rejected like with a password', async () => {
    const { passkey } = await add()
    await hookline.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [
      account.accountId,
    ])
    expect(outcome(await signInWith(passkey))).toEqual([403, 904])
    await hookline.database.query('DELETE FROM memberships WHERE login_id = $1', [account.loginId])
    expect(outcome(await signInWith(passkey))).toEqual([403, 914])
  })

  test('an invitation is accepted with a passkey', async () => {
    const { passkey } = await add()
    const inviter = await hookline.account()
    const { token } = await createInvitation(hookline.db, hookline.vault, inviter, {
      email: account.email,
      member: { role: 'viewer', canReveal: false, canExport: false },
    })
    const joined = await signInWith(passkey, { invitation: token })
    expect([joined.status, joined.json.account?.id]).toEqual([200, inviter.accountId])
  })

  test('an authenticator that counts signatures, and one that does not, can sign in again and again', async () => {
    const silent = (await add()).passkey
    const counting = (await add()).passkey
    for (const counter of [1, 2, 7]) {
      expect(outcome(await signInWith(silent))).toEqual([200, null])
      counting.counter = counter
      expect(outcome(await signInWith(counting))).toEqual([200, null])
    }
  })
})

describe('second factor', () => {
  test('the password alone is not enough, and the error offers passkey and recovery code', async () => {
    const { passkey } = await add()
    const rejected = await postSignedOut('/api/session', rightPassword())
    expect(outcome(rejected)).toEqual([401, 911])
    expect(rejected.headers.getSetCookie()).toEqual([])
    expect(rejected.json.details).toEqual({
      allowed: ['recovery_code', 'passkey'],
      passkey_options: {
        challenge: expect.any(String),
        rpId: '127.0.0.1',
        timeout: 300_000,
        userVerification: 'required',
        allowCredentials: [
          {
            id: passkey.credentialId.toString('base64url'),
            type: 'public-key',
            transports: ['hybrid', 'internal'],
          },
        ],
      },
    })
    const wrong = await postSignedOut('/api/session', { ...rightPassword(), password: 'not the password' })
    expect([wrong.json.code, wrong.json.details]).toEqual([900, undefined])
  })

  test('a passkey completes the sign-in with the password', async () => {
    const { passkey } = await add()
    const { details } = (await postSignedOut('/api/session', rightPassword())).json
    const assertion = authenticator.get(details.passkey_options, passkey)
    const signedIn = await postSignedOut('/api/session', { ...rightPassword(), passkey: assertion })
    expect(outcome(signedIn)).toEqual([200, null])
    const [entry] = await auditEntries('session.start')
    expect(entry?.detail.by).toBe('password and passkey')
  })

  test('with an app, its codes are offered and accepted too', async () => {
    await add()
    const { secret } = (await post('/api/second-factor', { password: account.password })).json
    const code = appCode(secret)
    await post('/api/second-factor/confirm', { code })
    const rejected = await postSignedOut('/api/session', rightPassword())
    expect(rejected.json.details.allowed).toEqual(['code', 'recovery_code', 'passkey'])
    await hookline.database.query('UPDATE logins SET totp_last_step = 0 WHERE id = $1', [account.loginId])
    const signedIn = await postSignedOut('/api/session', { ...rightPassword(), code: appCode(secret) })
    expect(outcome(signedIn)).toEqual([200, null])
  })

  test('the API rejects login and password, without the options', async () => {
    const path = `/api/hooks?u=${account.alias}&p=${account.password}`
    expect((await call(`${hookline.url}${path}`)).status).toBe(200)
    await add()
    const rejected = await call(`${hookline.url}${path}`)
    expect(outcome(rejected)).toEqual([401, 911])
    expect(rejected.json.details).toBeUndefined()
  })
})

describe('confirmation', () => {
  test.each([
    ['reveals a key', 'POST', () => `/api/keys/${account.keyId}/view`, {}],
    ['starts the setup of an app', 'POST', () => '/api/second-factor', {}],
    ['sets a password', 'POST', () => '/api/password', { new_password: 'another password' }],
  ])('a passkey %s in place of the password', async (_what, method, path, json) => {
    const { passkey } = await add()
    expect(outcome(await user.call(path(), { method, json }))).toEqual([400, 1010])
    const assertion = await confirmWith(passkey)
    const both = { ...json, password: account.password, current_password: account.password }
    expect(outcome(await user.call(path(), { method, json: { ...both, passkey: assertion } }))).toEqual([
      400, 1011,
    ])
    const confirmed = await user.call(path(), { method, json: { ...json, passkey: assertion } })
    expect(outcome(confirmed)).toEqual([200, null])
  })

  test('a passkey removes the app', async () => {
    const { passkey } = await add()
    const { secret } = (await post('/api/second-factor', { password: account.password })).json
    await post('/api/second-factor/confirm', { code: appCode(secret) })
    const json = { passkey: await confirmWith(passkey) }
    expect(outcome(await user.call('/api/second-factor', { method: 'DELETE', json }))).toEqual([200, null])
    const { login } = (await user.call('/api/session')).json
    expect(login).toMatchObject({ second_factor: true, authenticator_app: false, recovery_codes_left: 10 })
  })

  test('a passkey transfers the ownership', async () => {
    const { passkey } = await add()
    const member = await addMember(hookline, account, { role: 'admin', canReveal: true, canExport: true })
    const path = `/api/members/${member.loginId}/transfer`
    expect(outcome(await post(path, { passkey: await confirmWith(passkey) }))).toEqual([200, null])
  })

  test('without passkeys there are no options', async () => {
    expect(outcome(await post('/api/session/confirm/options'))).toEqual([404, 1102])
  })
})

describe('renaming and removing', () => {
  test('a passkey is renamed without confirmation', async () => {
    const { response } = await add('Old name')
    const { id } = response.json.passkey
    const renamed = await post(`/api/passkeys/${id}`, { name: '  New name ' })
    expect(renamed.json.passkey).toEqual({ ...response.json.passkey, name: 'New name' })
    expect((await user.call('/api/passkeys')).json.passkeys[0].name).toBe('New name')
    expect(outcome(await post(`/api/passkeys/${id}`, { name: ' ' }))).toEqual([400, 1012])
    expect((await auditEntries('passkey.rename'))[0]?.detail.name).toBe('New name')
  })

  test('a removed passkey does not sign in, and the removal of the last one ends the recovery codes', async () => {
    const { passkey, response } = await add('First')
    const second = await add('Second')
    const remove = (id: number, json: object) => user.call(`/api/passkeys/${id}`, { method: 'DELETE', json })
    const password = { password: account.password }
    const { id } = response.json.passkey
    expect(outcome(await remove(id, {}))).toEqual([400, 1010])
    expect(outcome(await remove(id, { password: 'not the password' }))).toEqual([403, 910])
    expect(outcome(await remove(id, password))).toEqual([200, null])
    expect(outcome(await remove(id, password))).toEqual([404, 1102])
    expect(outcome(await signInWith(passkey))).toEqual([401, 915])
    expect((await user.call('/api/session')).json.login.recovery_codes_left).toBe(10)

    // A passkey confirms its own removal.
    const { id: secondId } = second.response.json.passkey
    expect(outcome(await remove(secondId, { passkey: await confirmWith(second.passkey) }))).toEqual([
      200,
      null,
    ])
    const [code] = response.json.recovery_codes
    expect(outcome(await postSignedOut('/api/session', rightPassword()))).toEqual([200, null])
    expect((await user.call('/api/session')).json.login).toMatchObject({
      second_factor: false,
      recovery_codes_left: 0,
    })
    const { response: next } = await add()
    expect(next.json.recovery_codes).toHaveLength(10)
    expect(outcome(await postSignedOut('/api/session', { ...rightPassword(), code }))).toEqual([401, 912])
    expect(await auditEntries('passkey.remove')).toHaveLength(2)
    expect(await noticedActions()).toEqual([
      'passkey.add',
      'passkey.add',
      'passkey.remove',
      'passkey.remove',
      'passkey.add',
    ])
  })

  test('the operator removes passkeys and app of a locked-out user', async () => {
    const { passkey } = await add()
    await add()
    const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
    const args = ['login', 'remove-second-factor', account.email]
    expect((await runAdmin(env, args)).code).toBe(0)
    expect(outcome(await signInWith(passkey))).toEqual([401, 915])
    expect(outcome(await postSignedOut('/api/session', rightPassword()))).toEqual([200, null])
    expect((await user.call('/api/session')).json.login.recovery_codes_left).toBe(0)
    expect((await auditEntries('passkey.remove')).map(({ actor }) => actor)).toEqual(['operator', 'operator'])
    expect((await runAdmin(env, args)).code).toBe(1)
  })

  test.each([
    ['keeps passkeys and recovery codes', true, 1, 10],
    ['of an email that was never verified removes them', false, 0, 0],
  ])('a password reset by email %s', async (_what, isVerified, passkeys, codes) => {
    await add()
    await hookline.database.query(
      'UPDATE logins SET email_verified_at = CASE WHEN $2 THEN now() END WHERE id = $1',
      [account.loginId, isVerified],
    )
    const reset = await openReset(hookline.db, hookline.vault, {
      login: account.alias,
      ip: '127.0.0.1',
      knownLoginId: undefined,
    })
    const json = { token: reset?.token, new_password: 'from the mail' }
    expect(outcome(await postSignedOut('/api/password-resets/confirm', json))).toEqual([200, null])
    const [row] = await hookline.database.query(
      `SELECT (SELECT count(*)::integer FROM passkeys WHERE login_id = $1) AS passkeys,
              (SELECT count(*)::integer FROM recovery_codes WHERE login_id = $1) AS codes`,
      [account.loginId],
    )
    expect(row).toEqual({ passkeys, codes })
  })

  test('a password reset that removes passkeys ends a sign-in with one at the same time', async () => {
    const { passkey } = await add()
    await hookline.database.query('UPDATE logins SET email_verified_at = NULL WHERE id = $1', [
      account.loginId,
    ])
    const reset = await openReset(hookline.db, hookline.vault, {
      login: account.alias,
      ip: '127.0.0.1',
      knownLoginId: undefined,
    })
    const json = { token: reset?.token, new_password: 'from the mail' }
    const lock = `SELECT FROM passkeys WHERE login_id = ${account.loginId} FOR UPDATE`
    const [signedIn, confirmed] = await barrier(hookline, lock, 2, async () => {
      const signingIn = signInWith(passkey)
      await expect.poll(countBlocked).toBe(1)
      return Promise.all([signingIn, postSignedOut('/api/password-resets/confirm', json)])
    })
    expect([outcome(signedIn), outcome(confirmed)]).toEqual([
      [200, null],
      [200, null],
    ])
    expect((await signedInBy(hookline.url, signedIn).call('/api/session')).status).toBe(401)
  })
})

const recordToday = (actions: number) =>
  hookline.database.query(
    `INSERT INTO change_counts VALUES ($1, 'audit', now(), 0, (now() AT TIME ZONE 'UTC')::date, $2)
     ON CONFLICT (account_id, kind) DO UPDATE SET in_day = excluded.in_day`,
    [account.accountId, actions],
  )

describe('the limit of the audit log of an account', () => {
  test('does not keep users from adding passkeys', async () => {
    await recordToday(10_000)
    const { response } = await add()
    expect(outcome(response)).toEqual([200, null])
  })

  test('is not used up by renaming passkeys', async () => {
    const { response } = await add()
    const path = `/api/passkeys/${response.json.passkey.id}`
    await recordToday(4_999)
    expect(outcome(await post(path, { name: 'Phone' }))).toEqual([200, null])
    expect(outcome(await post(path, { name: 'Laptop' }))).toEqual([429, 1208])
  })
})
