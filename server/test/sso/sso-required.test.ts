/** Accounts that require single sign-on: who gets in without, and that one owner always can. */
import { expect, test } from 'vitest'
import { createInvitation } from '../../src/identity/members/invitations.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { appCode } from '../support/authenticator.ts'
import { barrier } from '../support/barrier.ts'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { addMember, joinAccount } from '../support/members.ts'
import { openBrowser, registerApp, requestAccess, startInteraction } from '../support/oauth-client.ts'
import { createAuthenticator, type Passkey } from '../support/passkey-authenticator.ts'
import { addPasskey } from '../support/passkeys.ts'
import {
  addMemberOf,
  addUser,
  changeSettings,
  hookline,
  provider,
  saveProvider,
  sessionOf,
  type Setup,
  setUp,
  signedIn,
  useSsoSetup,
} from '../support/sso.ts'
import type { TestAccount } from '../support/test-service.ts'

useSsoSetup({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'hookline@mail.example' })

const all = { role: 'owner', canReveal: true, canExport: true } as const

/** Turns on two-factor authentication. Returns the secret. */
async function addSecondFactor(user: SignedIn, { password }: { password: string }): Promise<string> {
  const { secret } = (await user.call('/api/second-factor', { method: 'POST', json: { password } })).json
  const json = { code: appCode(secret) }
  const confirmed = await user.call('/api/second-factor/confirm', { method: 'POST', json })
  if (confirmed.status !== 200) throw new Error(confirmed.text)
  return secret
}

interface Required extends Setup {
  secret: string
}

/** An account that requires single sign-on, with its first owner as break-glass user. */
async function setUpRequired(): Promise<Required> {
  const setup = await setUp()
  const { account, connection } = setup
  const secret = await addSecondFactor(connection.owner, account)
  const changed = await changeSettings(connection.owner, account, {
    is_required: true,
    break_glass_login_ids: [account.loginId],
  })
  if (changed.status !== 200) throw new Error(changed.text)
  return { ...setup, secret }
}

function startSession(json: Record<string, unknown>, path = ''): Promise<CallResponse> {
  return call(`${hookline.url}/api/session${path}`, {
    method: 'POST',
    json,
    headers: { origin: hookline.url },
  })
}

const codeOf = ({ status, json }: CallResponse): [number, number | null] => [status, json.code]

test('single sign-on cannot be required without a break-glass owner with two-factor authentication', async () => {
  const { account, connection } = await setUp()
  const { owner } = connection
  const require = (loginIds: number[]) =>
    changeSettings(owner, account, { is_required: true, break_glass_login_ids: loginIds })
  expect(codeOf(await require([]))).toEqual([409, 1143])
  const withoutFactor = await require([account.loginId])
  expect([...codeOf(withoutFactor), withoutFactor.json.field]).toEqual([400, 1012, 'break_glass_login_ids'])
  const admin = await addMember(hookline, account, { ...all, role: 'admin' })
  await addSecondFactor(await signIn(hookline.url, admin), admin)
  expect(codeOf(await require([admin.loginId]))).toEqual([400, 1012])
  const stranger = await hookline.account()
  expect(codeOf(await require([stranger.loginId]))).toEqual([400, 1012])
  await addSecondFactor(owner, account)
  expect((await require([account.loginId])).json).toMatchObject({
    connection: { is_required: true },
    break_glass_login_ids: [account.loginId],
  })
})

test('sessions that started with a password end at once, and those of single sign-on continue', async () => {
  const setup = await setUp()
  const { account, connection } = setup
  const member = await addMemberOf(setup)
  const withPassword = await signIn(hookline.url, member)
  const { browser } = await signedIn(setup, addUser(member.email))
  await addSecondFactor(connection.owner, account)
  await changeSettings(connection.owner, account, {
    is_required: true,
    break_glass_login_ids: [account.loginId],
  })
  expect((await withPassword.call('/api/session')).status).toBe(401)
  expect((await sessionOf(browser)).status).toBe(200)
  expect((await connection.owner.call('/api/session')).status).toBe(200)
})

test('a sign-in with the password is rejected with the connection to use, and a wrong password reveals nothing', async () => {
  const setup = await setUpRequired()
  const member = await addMemberOf(setup)
  const rejected = await startSession({ login: member.alias, password: member.password })
  expect([...codeOf(rejected), rejected.json.details]).toEqual([
    403,
    920,
    { connection: setup.connection.id },
  ])
  expect(rejected.headers.getSetCookie()).toEqual([])
  expect(codeOf(await startSession({ login: member.alias, password: 'wrong password' }))).toEqual([401, 900])
})

test('a passkey does not get a member in, and gets a break-glass owner in', async () => {
  const setup = await setUp()
  const { account, connection } = setup
  const authenticator = createAuthenticator(hookline.url)
  const member = await addMemberOf(setup)
  const ofMember = await addPasskey(await signIn(hookline.url, member), authenticator, member)
  const ofOwner = await addPasskey(connection.owner, authenticator, account)
  const changed = await changeSettings(connection.owner, account, {
    is_required: true,
    break_glass_login_ids: [account.loginId],
  })
  expect(changed.status).toBe(200)
  const signInWith = async (passkey: Passkey) => {
    const { options } = (await startSession({}, '/passkey/options')).json
    return startSession({ passkey: authenticator.get(options, passkey) }, '/passkey')
  }
  expect(codeOf(await signInWith(ofMember.passkey))).toEqual([403, 920])
  expect(codeOf(await signInWith(ofOwner.passkey))).toEqual([200, null])
  const removed = await connection.owner.call(`/api/passkeys/${ofOwner.response.json.passkey.id}`, {
    method: 'DELETE',
    json: { password: account.password },
  })
  expect(codeOf(removed)).toEqual([409, 1143])
})

test('the credential u and p is rejected, and API keys continue', async () => {
  const setup = await setUpRequired()
  const member = await addMemberOf(setup)
  const query = `u=${member.alias}&p=${member.password}`
  expect(codeOf(await call(`${hookline.url}/api/hooks?${query}`))).toEqual([403, 920])
  expect((await call(`${hookline.url}/api/hooks`, { key: setup.account.key })).status).toBe(200)
})

test('a session that may no longer enter the account completes no authorization of an app', async () => {
  const setup = await setUp()
  const { account, connection } = setup
  const member = await addMemberOf(setup)
  const browser = openBrowser(hookline)
  await browser.signIn(member)
  const request = await requestAccess(await registerApp(hookline, connection.owner))
  const id = await startInteraction(browser, request.url)
  const allowed = await browser.call(`/api/interactions/${id}/allow`, { method: 'POST' })
  await addSecondFactor(connection.owner, account)
  const required = await changeSettings(connection.owner, account, {
    is_required: true,
    break_glass_login_ids: [account.loginId],
  })
  expect([allowed.status, required.status]).toEqual([200, 200])
  const { headers } = await browser.open(allowed.json.return_to)
  expect(headers.get('location')).toContain('error=access_denied')
})

test('a break-glass owner signs in with password and code', async () => {
  const { account, secret } = await setUpRequired()
  const login = { login: account.alias, password: account.password }
  expect(codeOf(await startSession(login))).toEqual([401, 911])
  const started = await startSession({ ...login, code: appCode(secret, 1) })
  expect([started.status, started.json.sso]).toEqual([200, null])
})

test('a user of several accounts continues in one that can be entered, and cannot switch', async () => {
  const setup = await setUpRequired()
  const other: TestAccount = await hookline.account()
  await joinAccount(hookline, other, setup.account, { ...all, role: 'viewer' })
  await hookline.database.query(
    "UPDATE memberships SET used_at = now() + interval '1 minute' WHERE account_id = $1",
    [setup.account.accountId],
  )
  const user = await signIn(hookline.url, other)
  expect((await user.call('/api/session')).json.account.id).toBe(other.accountId)
  const json = { account_id: setup.account.accountId }
  expect(codeOf(await user.call('/api/session/account', { method: 'POST', json }))).toEqual([403, 920])
  expect((await user.call('/api/session')).status).toBe(200)
})

test('an invited user joins, and continues with single sign-on', async () => {
  const setup = await setUpRequired()
  const invited = await hookline.account()
  const user = await signIn(hookline.url, invited)
  const { token } = await createInvitation(hookline.db, hookline.vault, setup.account, {
    email: 'somebody@example.com',
    member: { role: 'viewer', canReveal: false, canExport: false },
  })
  const accepted = await user.call('/api/invitations/accept', { method: 'POST', json: { token } })
  expect(codeOf(accepted)).toEqual([403, 920])
  const rows = await hookline.database.query(
    'SELECT role FROM memberships WHERE account_id = $1 AND login_id = $2',
    [setup.account.accountId, invited.loginId],
  )
  expect(rows).toEqual([{ role: 'viewer' }])
  expect((await user.call('/api/session')).json.account.id).toBe(invited.accountId)
})

test('the last break-glass owner cannot lose two-factor authentication, the ownership or the membership', async () => {
  const setup = await setUpRequired()
  const { account, connection } = setup
  const { owner } = connection
  const second = await addMemberOf(setup, 'owner')
  const { call: callAsSecond } = await signedIn(setup, addUser(second.email))
  const json = { password: account.password }
  expect(codeOf(await owner.call('/api/second-factor', { method: 'DELETE', json }))).toEqual([409, 1143])
  const member = `/api/members/${account.loginId}`
  expect(codeOf(await owner.call(member, { method: 'DELETE' }))).toEqual([409, 1143])
  expect(codeOf(await callAsSecond(member, { method: 'DELETE' }))).toEqual([409, 1143])
  const demoted = await callAsSecond(member, { method: 'POST', json: { role: 'admin' } })
  expect(codeOf(demoted)).toEqual([409, 1143])
  const transfer = `/api/members/${second.loginId}/transfer`
  expect(codeOf(await owner.call(transfer, { method: 'POST', json }))).toEqual([409, 1143])
  const none = await changeSettings(owner, account, { break_glass_login_ids: [] })
  expect(codeOf(none)).toEqual([409, 1143])
  expect((await owner.call('/api/session')).json).toMatchObject({
    member: { role: 'owner' },
    login: { second_factor: true },
  })
})

test('of two break-glass owners who turn off two-factor authentication at once, one keeps it', async () => {
  const setup = await setUpRequired()
  const { account, connection } = setup
  const second = await addMember(hookline, account, all)
  const lifted = await changeSettings(connection.owner, account, { is_required: false })
  expect(lifted.status).toBe(200)
  const user = await signIn(hookline.url, second)
  await addSecondFactor(user, second)
  await changeSettings(connection.owner, account, {
    is_required: true,
    break_glass_login_ids: [account.loginId, second.loginId],
  })
  const lock = `SELECT FROM sso_connections WHERE account_id = ${account.accountId} FOR UPDATE`
  const responses = await barrier(hookline, lock, 2, () =>
    Promise.all(
      [
        { by: connection.owner, password: account.password },
        { by: user, password: second.password },
      ].map(({ by, password }) => by.call('/api/second-factor', { method: 'DELETE', json: { password } })),
    ),
  )
  expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
})

test('an owner whose two-factor authentication is being turned off does not count as break-glass user', async () => {
  const { account, connection } = await setUp()
  await addSecondFactor(connection.owner, account)
  await changeSettings(connection.owner, account, { break_glass_login_ids: [account.loginId] })
  const turnOff = `UPDATE logins SET totp_sealed = NULL, totp_confirmed_at = NULL WHERE id = ${account.loginId}`
  const required = await barrier(hookline, turnOff, 1, () =>
    changeSettings(connection.owner, account, { is_required: true }),
  )
  expect(codeOf(required)).toEqual([409, 1143])
})

test('another provider lifts the requirement until an owner requires it again', async () => {
  const { account, connection } = await setUpRequired()
  const same = await saveProvider(connection.owner, account, provider)
  expect(same.json.connection.is_required).toBe(true)
  const other = await saveProvider(connection.owner, account, { ...provider, clientId: 'another' })
  expect(other.json.connection.is_required).toBe(false)
})

test('the operator removes single sign-on of an account that is locked out', async () => {
  const setup = await setUpRequired()
  const member = await addMemberOf(setup)
  const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
  const account = String(setup.account.accountId)
  const shown = await runAdmin(env, ['sso', 'show', '--account', account, '--json'])
  expect(JSON.parse(shown.stdout)).toEqual({
    issuer: provider.issuer,
    client_id: provider.clientId,
    is_required: true,
    domains: [{ domain: setup.domain, is_verified: true }],
    break_glass_login_ids: [setup.account.loginId],
  })
  const { alias } = setup.account
  const show = async () => (await runAdmin(env, ['sso', 'show', '--account', account])).stdout
  expect(await show()).toContain(`Break-glass users: ${alias}.\n`)
  await runAdmin(env, ['login', 'remove-second-factor', alias])
  expect(await show()).toContain(`${alias} (cannot sign in without two-factor authentication).\n`)
  const removed = await runAdmin(env, ['sso', 'remove', '--account', account])
  expect(removed.stdout).toBe(`Removed single sign-on of account ${account}.\n`)
  expect((await signIn(hookline.url, member)).cookie).not.toBe('')
  const again = await runAdmin(env, ['sso', 'remove', '--account', account])
  expect([again.code, again.stderr]).toEqual([1, `Account ${account} has no single sign-on.\n`])
})
