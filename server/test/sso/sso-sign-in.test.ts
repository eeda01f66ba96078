/** Signing in through a real identity provider: links, joining, and who is rejected. */
import { describe, expect, test } from 'vitest'
import { barrier } from '../support/barrier.ts'
import { signIn } from '../support/browser-session.ts'
import { addMember, joinAccount } from '../support/members.ts'
import { openBrowser } from '../support/oauth-client.ts'
import { startIdentityProvider } from '../support/servers/identity-provider.ts'
import {
  addMemberOf,
  addUser,
  arriveAs,
  auditOf,
  changeSettings,
  failureOf,
  hookline,
  provider,
  saveProvider,
  sessionOf,
  setUp,
  signedIn,
  startSso,
  useSsoSetup,
} from '../support/sso.ts'

useSsoSetup()

describe('a sign-in', () => {
  test('of a member with the same verified email in a verified domain links the login and starts a session of 12 hours', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    const sub = addUser(member.email.toUpperCase())
    const browser = openBrowser(hookline)
    const json = { connection: setup.connection.id, return_path: '/events?type=sms#x' }
    const arrived = await arriveAs(browser, json, sub)
    expect([arrived.status, arrived.headers.get('location')]).toEqual([303, '/events?type=sms#x'])
    const session = (await sessionOf(browser)).json
    expect(session.login.id).toBe(member.loginId)
    expect(session.account.id).toBe(member.accountId)
    expect(session.sso).toEqual({ name: 'Provider', confirmed_until: null })
    const { created_at: createdAt, expires_at: expiresAt } = session.session
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(12 * 3_600_000)
    const { identities } = (await setup.connection.owner.call('/api/sso/identities')).json
    expect(identities).toMatchObject([{ login_id: member.loginId, subject: sub, is_self: false }])
    expect(await auditOf(setup.account, 'sso.link')).toMatchObject([
      { actor: 'service', subject: `login:${member.loginId}`, detail: { by: 'email' } },
    ])
    expect((await auditOf(setup.account, 'session.start')).at(-1)?.detail).toMatchObject({ sso: true })
  })

  test('by email uses the account that has verified the domain, and no login is needed to start it', async () => {
    const { domain, connection } = await setUp()
    const url = await startSso(openBrowser(hookline), { email: `nobody@${domain.toUpperCase()}` })
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(connection.redirectUri)
  })

  test('by email is rejected for a domain that is only added', async () => {
    const { connection } = await setUp()
    await connection.owner.call('/api/sso/domains', { method: 'POST', json: { domain: 'added.example' } })
    const response = await openBrowser(hookline).call('/api/session/sso', {
      method: 'POST',
      json: { email: 'a@added.example' },
    })
    expect([response.status, response.json.code]).toEqual([404, 1102])
  })

  test.each([
    ['email', 'a@unknown.example', 'No single sign-on for this email.'],
    ['connection', 'unknown', 'This sign-in link does not work.'],
  ])('by an unknown %s is rejected', async (field, value, reason) => {
    const json = { [field]: value }
    const response = await openBrowser(hookline).call('/api/session/sso', { method: 'POST', json })
    expect([response.status, response.json.error_message]).toEqual([404, expect.stringContaining(reason)])
  })

  test.each([
    ['an email that is not verified', false],
    ['no statement about its email', null],
    ['a statement that is not the value true', 'true' as const],
  ])('with %s links no login', async (_what, isVerified) => {
    const setup = await setUp({ default_role: 'viewer' })
    const member = await addMemberOf(setup)
    for (const email of [member.email, `new@${setup.domain}`]) {
      const browser = openBrowser(hookline)
      const sub = addUser(email, isVerified)
      const arrived = await arriveAs(browser, { connection: setup.connection.id }, sub)
      expect([arrived.status, failureOf(arrived)]).toEqual([
        400,
        expect.stringContaining('is not linked to a login. The provider does not call your email verified.'),
      ])
      expect((await sessionOf(browser)).status).toBe(401)
    }
    expect(await auditOf(setup.account, 'sso.link')).toEqual([])
  })

  test('with an email of a domain that the account has not verified links no login', async () => {
    const setup = await setUp({ default_role: 'viewer' })
    const member = await addMember(hookline, setup.account, {
      role: 'viewer',
      canReveal: false,
      canExport: false,
    })
    const browser = openBrowser(hookline)
    const arrived = await arriveAs(browser, { connection: setup.connection.id }, addUser(member.email))
    expect([arrived.status, (await sessionOf(browser)).status]).toEqual([400, 401])
  })

  test('works with a provider that tells emails only at its userinfo endpoint', async () => {
    const { account, connection, domain } = await setUp({ default_role: 'viewer' })
    const strict = await startIdentityProvider(() => [connection.redirectUri], true)
    await saveProvider(connection.owner, account, strict)
    const email = `strict@${domain}`
    strict.users.set('strict', { sub: 'strict', email, email_verified: true })
    const browser = openBrowser(hookline)
    const url = await startSso(browser, { connection: connection.id })
    const arrived = await browser.open(await strict.signIn(url, 'strict'))
    expect([arrived.status, (await sessionOf(browser)).json.login?.email]).toEqual([303, email])
    await strict.close()
  })

  test('with another subject for a linked email is rejected', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    await signedIn(setup, addUser(member.email))
    const arrived = await arriveAs(
      openBrowser(hookline),
      { connection: setup.connection.id },
      addUser(member.email),
    )
    expect([arrived.status, failureOf(arrived)]).toEqual([
      400,
      expect.stringContaining('linked to another user of the identity provider'),
    ])
  })

  test('makes neither the browser nor the network known, so it gives no attempts to guess the password', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    const { browser } = await signedIn(setup, addUser(member.email))
    expect(browser.cookies().filter((cookie) => cookie.includes('device'))).toEqual([])
    const rows = await hookline.database.query('SELECT 1 FROM known_networks WHERE login_id = $1', [
      member.loginId,
    ])
    expect(rows).toEqual([])
  })

  test('of an account that is suspended cannot start', async () => {
    const { account, connection } = await setUp()
    await hookline.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [
      account.accountId,
    ])
    const json = { connection: connection.id }
    const response = await openBrowser(hookline).call('/api/session/sso', { method: 'POST', json })
    expect(response.status).toBe(404)
  })
})

describe('joining by a sign-in', () => {
  test('creates a login without a usable password and with the default role', async () => {
    const setup = await setUp({ default_role: 'support', can_reveal: true })
    const email = `jane.doe@${setup.domain}`
    const { session } = await signedIn(setup, addUser(email))
    expect(session.login).toMatchObject({
      email,
      alias: expect.stringMatching(/^jane\.doe-[0-9a-f]{8}$/),
    })
    expect(session.member).toEqual({ role: 'support', can_reveal: true, can_export: false })
    for (const password of ['', '!'])
      await expect(signIn(hookline.url, { alias: session.login.alias, password })).rejects.toThrow('900')
    expect((await auditOf(setup.account, 'member.add')).at(-1)).toMatchObject({
      actor: 'service',
      detail: { role: 'support' },
    })
  })

  test.each(['a,b', 'a<b', 'a;b', 'x'.repeat(65)])(
    'is rejected for the email %s@…, which could have several recipients in a header',
    async (local) => {
      const setup = await setUp({ default_role: 'viewer' })
      const browser = openBrowser(hookline)
      const sub = addUser(`${local}@${setup.domain}`)
      const arrived = await arriveAs(browser, { connection: setup.connection.id }, sub)
      expect([arrived.status, failureOf(arrived)]).toEqual([400, 'The email is not valid.'])
    },
  )

  test('of one user in two browsers at once starts two sessions of one login', async () => {
    const setup = await setUp({ default_role: 'viewer' })
    const sub = addUser(`twice@${setup.domain}`)
    const browsers = [openBrowser(hookline), openBrowser(hookline)]
    const json = { connection: setup.connection.id }
    const lock = `SELECT FROM accounts WHERE id = ${setup.account.accountId} FOR NO KEY UPDATE`
    const arrived = await barrier(hookline, lock, 2, () =>
      Promise.all(browsers.map((browser) => arriveAs(browser, json, sub))),
    )
    expect(arrived.map(({ status }) => status)).toEqual([303, 303])
    const sessions = await Promise.all(browsers.map(sessionOf))
    const logins = new Set(sessions.map((session) => session.json.login.id))
    expect([...logins]).toEqual([expect.any(Number)])
  })

  test('is off without a default role', async () => {
    const setup = await setUp()
    const arrived = await arriveAs(
      openBrowser(hookline),
      { connection: setup.connection.id },
      addUser(`new@${setup.domain}`),
    )
    expect([arrived.status, failureOf(arrived)]).toEqual([
      403,
      'You are not a member of the account. Ask for an invitation.',
    ])
  })

  test.each(['admin', 'owner', 'god'])('cannot give the role %s', async (role) => {
    const { account, connection } = await setUp()
    const response = await changeSettings(connection.owner, account, { default_role: role })
    expect([response.status, response.json.field]).toEqual([400, 'default_role'])
  })

  test('takes over no login that exists elsewhere with the email', async () => {
    const setup = await setUp({ default_role: 'viewer' })
    const victim = await hookline.account()
    const email = `victim@${setup.domain}`
    await hookline.database.query('UPDATE logins SET email = $2 WHERE id = $1', [victim.loginId, email])
    const browser = openBrowser(hookline)
    const arrived = await arriveAs(browser, { connection: setup.connection.id }, addUser(email))
    expect([arrived.status, (await sessionOf(browser)).status]).toEqual([400, 401])
    const rows = await hookline.database.query('SELECT 1 FROM memberships WHERE login_id = $1', [
      victim.loginId,
    ])
    expect(rows).toHaveLength(1)
  })

  test('does not bring back a removed member, and an invitation does', async () => {
    const setup = await setUp({ default_role: 'viewer' })
    const sub = addUser(`gone@${setup.domain}`)
    const { browser, session } = await signedIn(setup, sub)
    const removed = await setup.connection.owner.call(`/api/members/${session.login.id}`, {
      method: 'DELETE',
    })
    expect(removed.status).toBe(200)
    expect((await sessionOf(browser)).status).toBe(401)
    const json = { connection: setup.connection.id }
    const arrived = await arriveAs(browser, json, sub)
    expect([arrived.status, failureOf(arrived)]).toEqual([
      403,
      'You are no longer a member of the account. Ask for an invitation.',
    ])
    // The same person with another user of the provider.
    const other = await arriveAs(browser, json, addUser(`gone@${setup.domain}`))
    expect(other.status).toBe(400)
    await joinAccount(hookline, { loginId: session.login.id }, setup.account, {
      role: 'viewer',
      canReveal: false,
      canExport: false,
    })
    expect((await arriveAs(browser, json, sub)).status).toBe(303)
  })

  test('is limited to 20 users per minute', async () => {
    const setup = await setUp({ default_role: 'viewer' })
    await hookline.database.query(
      `INSERT INTO change_counts (account_id, kind, minute, in_minute, day, in_day)
       VALUES ($1, 'invitations', date_trunc('minute', now(), 'UTC'), 20, (now() AT TIME ZONE 'UTC')::date, 200)`,
      [setup.account.accountId],
    )
    const arrived = await arriveAs(
      openBrowser(hookline),
      { connection: setup.connection.id },
      addUser(`new@${setup.domain}`),
    )
    expect(arrived.status).toBe(429)
  })
})

describe('a link', () => {
  test('by a signed-in user works with any email, and a notice tells the user', async () => {
    const setup = await setUp()
    const member = await addMember(hookline, setup.account, {
      role: 'viewer',
      canReveal: false,
      canExport: false,
    })
    const browser = openBrowser(hookline)
    await browser.signIn({ ...setup.account, ...member })
    const json = { password: member.password, return_path: '/account' }
    const started = await browser.call('/api/sso/link', { method: 'POST', json })
    const sub = addUser()
    const arrived = await browser.open(await provider.signIn(started.json.url, sub))
    expect([arrived.status, arrived.headers.get('location')]).toEqual([303, '/account'])
    const { identities } = (await browser.call('/api/sso/identities')).json
    expect(identities).toMatchObject([{ is_self: true, subject: sub, email: null }])
    const rows = await hookline.database.query(
      "SELECT detail ->> 'action' AS action FROM notices WHERE login_id = $1",
      [member.loginId],
    )
    expect(rows).toEqual([{ action: 'sso.link' }])
    const { session } = await signedIn(setup, sub)
    expect(session.login.id).toBe(member.loginId)
  })

  test('needs the password', async () => {
    const { connection } = await setUp()
    const response = await connection.owner.call('/api/sso/link', {
      method: 'POST',
      json: { password: 'wrong password' },
    })
    expect([response.status, response.json.code]).toEqual([403, 910])
  })

  test.each(['another session of the same user', 'no session'])('counts not in %s', async (which) => {
    const { account } = await setUp()
    const browser = openBrowser(hookline)
    await browser.signIn(account)
    const json = { password: account.password }
    const started = await browser.call('/api/sso/link', { method: 'POST', json })
    const arriving = await provider.signIn(started.json.url, addUser())
    await browser.signOut()
    if (which !== 'no session') await browser.signIn(account)
    expect((await browser.open(arriving)).status).toBe(400)
    expect(await auditOf(account, 'sso.link')).toEqual([])
  })

  test('of a user who is linked to another login is rejected', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    const sub = addUser(member.email)
    await signedIn(setup, sub)
    const browser = openBrowser(hookline)
    await browser.signIn(setup.account)
    const json = { password: setup.account.password }
    const started = await browser.call('/api/sso/link', { method: 'POST', json })
    const arrived = await browser.open(await provider.signIn(started.json.url, sub))
    expect([arrived.status, failureOf(arrived)]).toEqual([
      400,
      expect.stringContaining('already has another link'),
    ])
  })

  test('is made by a sign-in with the password after single sign-on failed in the same browser', async () => {
    const setup = await setUp()
    const member = await addMember(hookline, setup.account, {
      role: 'viewer',
      canReveal: false,
      canExport: false,
    })
    const sub = addUser('x@unknown.example', null)
    const browser = openBrowser(hookline)
    const arrived = await arriveAs(browser, { connection: setup.connection.id }, sub)
    expect(arrived.text).toContain('href="/sign-in?link_sso=true"')
    const json = { login: member.alias, password: member.password, link_sso: true }
    const elsewhere = await openBrowser(hookline).call('/api/session', { method: 'POST', json })
    expect([elsewhere.status, elsewhere.json.code]).toEqual([400, 1015])
    const linked = await browser.call('/api/session', { method: 'POST', json })
    expect(linked.json.sso).toEqual({ name: 'Provider', confirmed_until: null })
    expect((await sessionOf(browser)).json.login.id).toBe(member.loginId)
    expect((await signedIn(setup, sub)).session.login.id).toBe(member.loginId)
  })

  test('after a failed sign-in reaches members of the same account only', async () => {
    const setup = await setUp()
    const stranger = await hookline.account()
    const browser = openBrowser(hookline)
    await arriveAs(browser, { connection: setup.connection.id }, addUser())
    const json = { login: stranger.alias, password: stranger.password, link_sso: true }
    const response = await browser.call('/api/session', { method: 'POST', json })
    expect([response.status, response.json.code, response.json.error_message]).toEqual([
      403,
      914,
      expect.stringContaining('not a member of this account'),
    ])
    expect(await auditOf(setup.account, 'sso.link')).toEqual([])
  })

  test('is removed by its user or an owner, and its sessions end', async () => {
    const setup = await setUp()
    const [member, other] = [await addMemberOf(setup), await addMemberOf(setup)]
    const { browser } = await signedIn(setup, addUser(member.email))
    const { identities } = (await setup.connection.owner.call('/api/sso/identities')).json
    const path = `/api/sso/identities/${identities[0].id}`
    const stranger = await signIn(hookline.url, other)
    expect((await stranger.call('/api/sso/identities')).json.identities).toEqual([])
    expect((await stranger.call(path, { method: 'DELETE' })).status).toBe(404)
    expect((await sessionOf(browser)).status).toBe(200)
    expect((await setup.connection.owner.call(path, { method: 'DELETE' })).status).toBe(200)
    expect((await sessionOf(browser)).status).toBe(401)
  })
})
