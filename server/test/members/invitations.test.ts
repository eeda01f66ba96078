/** Invitations: who may invite whom, the link, and the ways to accept. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { barrier } from '../support/barrier.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { addMember } from '../support/members.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let mailServer: MailServer
let hookline: TestService
let account: TestAccount
let owner: SignedIn

beforeAll(async () => {
  mailServer = await startMailServer()
  hookline = await startDashboardService({
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Hookline <hookline@mail.example>',
    LOGIN_ATTEMPTS: '0',
  })
})
afterAll(async () => {
  await hookline.close()
  await mailServer.close()
})
beforeEach(async () => {
  account = await hookline.account()
  owner = await signIn(hookline.url, account)
})

const password = 'a good password'
const everything = { canReveal: true, canExport: true }

function newEmail(): string {
  return `new-${randomBytes(6).toString('hex')}@example.com`
}

function invite(user: SignedIn, email: string, role: string, rights: object = {}): Promise<CallResponse> {
  return user.call('/api/invitations', { method: 'POST', json: { email, role, ...rights } })
}

function post(path: string, json: object): Promise<CallResponse> {
  return call(`${hookline.url}${path}`, { method: 'POST', json, headers: { origin: hookline.url } })
}

/** Waits for the next invitation and returns the token of its link. */
async function tokenTo(email: string, count = 1): Promise<string> {
  await expect.poll(() => mailServer.mailsTo(email).length, { timeout: 15_000 }).toBe(count)
  return /\/join#token=([\w-]{43})\s/.exec(mailServer.mailsTo(email).at(-1)?.text ?? '')?.[1] ?? ''
}

async function inviteTo(email: string, role = 'developer'): Promise<string> {
  expect((await invite(owner, email, role)).status).toBe(200)
  return tokenTo(email)
}

function register(token: string): Promise<CallResponse> {
  return post('/api/invitations/register', {
    token,
    alias: `joined-${randomBytes(6).toString('hex')}`,
    password,
  })
}

async function rolesOf({ accountId }: TestAccount): Promise<string[]> {
  const rows = await hookline.database.query<{ role: string }>(
    'SELECT role FROM memberships WHERE account_id = $1 ORDER BY joined_at',
    [accountId],
  )
  return rows.map(({ role }) => role)
}

describe('an invitation', () => {
  test('names account, role and sender, and its link creates a login with a verified email', async () => {
    const email = newEmail()
    const token = await inviteTo(email)
    const [mail] = mailServer.mailsTo(email)
    expect(mail?.text).toContain(`"${account.alias}" invites you to the account "${account.alias}"`)
    expect(mail?.text).toContain('with the role developer')
    const read = await post('/api/invitations/read', { token })
    expect(read.json.invitation).toMatchObject({
      account_name: account.alias,
      email,
      role: 'developer',
      invited_by: account.alias,
      has_login: false,
    })
    const joined = await register(token)
    expect(joined.json.login).toMatchObject({ email, unconfirmed_email: null })
    expect(joined.json.account.id).toBe(account.accountId)
    expect(joined.json.member).toEqual({ role: 'developer', can_reveal: true, can_export: true })
    expect(await rolesOf(account)).toEqual(['owner', 'developer'])
  })

  test('works once, also with two calls at the same time', async () => {
    const token = await inviteTo(newEmail())
    const lock = `SELECT FROM accounts WHERE id = ${account.accountId} FOR UPDATE`
    const results = await barrier(hookline, lock, 2, () => Promise.all([register(token), register(token)]))
    expect(results.map(({ status, json }) => `${status} ${json.code}`).toSorted()).toEqual([
      '200 null',
      '400 1014',
    ])
    expect((await post('/api/invitations/read', { token })).json.code).toBe(1014)
    expect(await rolesOf(account)).toEqual(['owner', 'developer'])
  })

  test('is either revoked or accepted, with two calls at the same time', async () => {
    const token = await inviteTo(newEmail())
    const [{ id }] = (await owner.call('/api/invitations')).json.invitations
    const lock = `SELECT FROM invitations WHERE account_id = ${account.accountId} FOR UPDATE`
    const [revoked, joined] = await barrier(hookline, lock, 2, () =>
      Promise.all([owner.call(`/api/invitations/${id}`, { method: 'DELETE' }), register(token)]),
    )
    // Passwords are hashed first, so the revocation is earlier.
    expect(revoked.status).toBe(200)
    expect(joined.json.code).toBe(1014)
    expect(await rolesOf(account)).toEqual(['owner'])
  })

  test.each([
    ['has expired', "UPDATE invitations SET expires_at = now() - interval '1 second' WHERE account_id = $1"],
    ['was sent by a former member', 'DELETE FROM memberships WHERE account_id = $1'],
    ['gives more than its sender has now', "UPDATE memberships SET role = 'support' WHERE account_id = $1"],
    ['is for a suspended account', 'UPDATE accounts SET suspended_at = now() WHERE id = $1'],
  ])('that %s is rejected in every way to accept', async (_what, statement) => {
    const token = await inviteTo(newEmail())
    const other = await hookline.account()
    await hookline.database.query(statement, [account.accountId])
    const user = await signIn(hookline.url, other)
    const { alias, password: otherPassword } = other
    for (const { status, json } of [
      await post('/api/invitations/read', { token }),
      await register(token),
      await user.call('/api/invitations/accept', { method: 'POST', json: { token } }),
      await post('/api/session', { login: alias, password: otherPassword, invitation: token }),
    ])
      expect([status, json.code]).toEqual([400, 1014])
  })

  test('that is revoked or resent stops working, and the new link works', async () => {
    const email = newEmail()
    const first = await inviteTo(email)
    const [{ id }] = (await owner.call('/api/invitations')).json.invitations
    expect((await owner.call(`/api/invitations/${id}/resend`, { method: 'POST', json: {} })).status).toBe(200)
    const second = await tokenTo(email, 2)
    expect((await post('/api/invitations/read', { token: first })).json.code).toBe(1014)
    expect((await post('/api/invitations/read', { token: second })).status).toBe(200)
    expect((await owner.call(`/api/invitations/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await register(second)).json.code).toBe(1014)
    expect((await owner.call('/api/invitations')).json.invitations).toEqual([])
  })

  test('of an email that a login has is accepted by signing in', async () => {
    const other = await hookline.account()
    const token = await inviteTo(other.email, 'support')
    expect((await post('/api/invitations/read', { token })).json.invitation.has_login).toBe(true)
    expect((await register(token)).json.code).toBe(1116)
    const { alias, password: otherPassword } = other
    const joined = await post('/api/session', { login: alias, password: otherPassword, invitation: token })
    expect(joined.json.account.id).toBe(account.accountId)
    expect(joined.json.accounts.map(({ role }: { role: string }) => role).toSorted()).toEqual([
      'owner',
      'support',
    ])
  })

  test('is accepted by a signed-in user, who continues in the account', async () => {
    const other = await hookline.account()
    const token = await inviteTo(newEmail(), 'viewer')
    const user = await signIn(hookline.url, other)
    const joined = await user.call('/api/invitations/accept', { method: 'POST', json: { token } })
    expect(joined.json.account.id).toBe(account.accountId)
    expect(joined.json.member).toEqual({ role: 'viewer', can_reveal: false, can_export: false })
    expect((await user.call('/api/session')).status).toBe(401)
  })

  test('of a member is rejected, and a failed sign-in consumes nothing', async () => {
    const other = await hookline.account()
    expect((await invite(owner, account.email.toUpperCase(), 'viewer')).json.code).toBe(1116)
    const token = await inviteTo(newEmail())
    const wrong = { login: other.alias, password: 'wrong password', invitation: token }
    expect((await post('/api/session', wrong)).json.code).toBe(900)
    expect(
      (await post('/api/session', { ...wrong, login: account.alias, password: account.password })).json.code,
    ).toBe(1116)
    expect((await register(token)).status).toBe(200)
  })
})

test('an admin invites up to the own role and rights', async () => {
  const member = await addMember(hookline, account, { role: 'admin', canReveal: false, canExport: true })
  const admin = await signIn(hookline.url, member)
  expect((await invite(admin, newEmail(), 'owner')).json.code).toBe(913)
  expect((await invite(admin, newEmail(), 'viewer', { can_reveal: true })).json.code).toBe(913)
  const email = newEmail()
  expect((await invite(admin, email, 'admin')).status).toBe(200)
  const joined = await register(await tokenTo(email))
  expect(joined.json.member).toEqual({ role: 'admin', can_reveal: false, can_export: true })
})

test('names in the email cannot become links', async () => {
  const name = 'Pay at https://evil.example/x'
  expect((await owner.call('/api/account', { method: 'POST', json: { name } })).status).toBe(200)
  const email = newEmail()
  await inviteTo(email)
  const text = mailServer.mailsTo(email)[0]?.text ?? ''
  expect(text).toContain('Pay at https evil example x')
  expect(text.match(/\w\.example/g)).toBeNull()
})

test('open invitations and emails are limited', async () => {
  await hookline.database.query(
    `INSERT INTO invitations (account_id, email, role, can_reveal, can_export, digest, invited_by, expires_at)
     SELECT $1::integer, n || '@full.example', 'viewer', false, false, sha256(convert_to($1::integer || ' ' || n, 'UTF8')), $2::integer, now() + interval '1 day'
     FROM generate_series(1, 50) AS n`,
    [account.accountId, account.loginId],
  )
  const rejected = await invite(owner, newEmail(), 'viewer')
  expect([rejected.status, rejected.json.code, rejected.json.details.limit]).toEqual([409, 1211, 50])
  const [{ id }] = (await owner.call('/api/invitations')).json.invitations
  // One address gets a few emails, and a user who has proven no mailbox sends none.
  const resend = () => owner.call(`/api/invitations/${id}/resend`, { method: 'POST', json: {} })
  await hookline.database.query('UPDATE logins SET email_verified_at = NULL WHERE id = $1', [account.loginId])
  expect((await resend()).json.code).toBe(1012)
  await hookline.database.query('UPDATE logins SET email_verified_at = now() WHERE id = $1', [
    account.loginId,
  ])
  await hookline.database.query(
    "INSERT INTO change_counts (account_id, kind, minute, in_minute, day, in_day) VALUES ($1, 'invitations', date_trunc('minute', now(), 'UTC'), 0, (now() AT TIME ZONE 'UTC')::date, 200)",
    [account.accountId],
  )
  expect((await resend()).json.code).toBe(1208)
})

test('other accounts see and change none of it', async () => {
  const email = newEmail()
  await inviteTo(email)
  const [{ id }] = (await owner.call('/api/invitations')).json.invitations
  const stranger = await signIn(hookline.url, await hookline.account())
  expect((await stranger.call('/api/invitations')).json.invitations).toEqual([])
  for (const [path, method] of [
    [`/api/invitations/${id}`, 'DELETE'],
    [`/api/invitations/${id}/resend`, 'POST'],
    [`/api/members/${account.loginId}`, 'DELETE'],
    [`/api/members/${account.loginId}/secrets`, 'GET'],
  ] as const)
    expect((await stranger.call(path, { method, ...(method === 'POST' && { json: {} }) })).status).toBe(404)
  expect((await owner.call('/api/invitations')).json.invitations).toHaveLength(1)
})

test('without email, the operator adds members', async () => {
  const silent = await startDashboardService()
  try {
    const other = await silent.account()
    const user = await signIn(silent.url, other)
    expect((await invite(user, newEmail(), 'viewer')).json.code).toBe(1130)
    const member = await addMember(silent, other, { role: 'viewer', ...everything })
    expect((await signIn(silent.url, member)).csrfToken).not.toBe('')
  } finally {
    await silent.close()
  }
})
