/** What a session of single sign-on can do, how it confirms operations, and who sets up the provider. */
import { describe, expect, test } from 'vitest'
import { createAuthenticator } from '../support/passkey-authenticator.ts'
import { addPasskey } from '../support/passkeys.ts'
import { apiRoutes } from '../../src/http/api-routes.ts'
import { signIn } from '../support/browser-session.ts'
import { call } from '../support/http-call.ts'
import { addMember, joinAccount, type TestMember } from '../support/members.ts'
import type { Browser } from '../support/oauth-client.ts'
import { startIdentityProvider } from '../support/servers/identity-provider.ts'
import {
  addMemberOf,
  addUser,
  failureOf,
  hookline,
  provider,
  saveProvider,
  sessionOf,
  setUp,
  signedIn,
  useSsoSetup,
} from '../support/sso.ts'

useSsoSetup()

const ownSessionOperations = [
  'acceptInvitation',
  'addPasskey',
  'addSsoDomain',
  'changeEmail',
  'changePassword',
  'changeSsoSettings',
  'configureSso',
  'confirmEmail',
  'confirmSecondFactor',
  'linkSso',
  'listPasskeys',
  'listSessions',
  'removePasskey',
  'removeSecondFactor',
  'removeSso',
  'removeSsoDomain',
  'renamePasskey',
  'resendEmailVerification',
  'revokeOtherSessions',
  'revokeSession',
  'startConfirmation',
  'startPasskey',
  'startSecondFactor',
  'switchAccount',
  'unlinkSsoIdentity',
  'verifySsoDomain',
]

const accountOperations = [
  'allowInteraction',
  'changeApp',
  'changeMember',
  'changeNoticeChannel',
  'changeNoticePreferences',
  'changeOnboarding',
  'confirmSso',
  'countUnreadNotices',
  'createApp',
  'createInvitation',
  'createKey',
  'createNoticeChannel',
  'deleteApp',
  'deleteNoticeChannel',
  'exportAudit',
  'listApps',
  'listAudit',
  'listAuthorizations',
  'listDeprecatedUses',
  'listInvitations',
  'listKeys',
  'listMemberSecrets',
  'listMembers',
  'listNoticeChannels',
  'listNotices',
  'listSsoIdentities',
  'markNoticesSeen',
  'muteWebhook',
  'readNoticePreferences',
  'readSession',
  'readSso',
  'removeMember',
  'renameAccount',
  'requireSignedCalls',
  'resendInvitation',
  'resendNoticeChannel',
  'revokeAuthorization',
  'revokeInvitation',
  'revokeKey',
  'rotateAppSecret',
  'sendTestNotice',
  'setCountry',
  'testNoticeChannel',
  'transferOwnership',
  'unmuteWebhook',
  'viewKey',
]

const kindsSeenBy = async (callIn: Browser['call']): Promise<string[]> =>
  (await callIn('/api/notices')).json.notices.map(({ kind }: { kind: string }) => kind)

const unread = async (callWith: Browser['call']) => (await callWith('/api/notices/unread')).json.unread

describe('a session of single sign-on', () => {
  test('stays in the account of the provider and does not know the others', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    const other = await hookline.account()
    await joinAccount(hookline, member, other, { role: 'owner', canReveal: true, canExport: true })
    const { call: callIn, session, browser } = await signedIn(setup, addUser(member.email))
    expect(session.accounts.map(({ id }: { id: number }) => id)).toEqual([setup.account.accountId])
    const json = { account_id: other.accountId }
    const switched = await callIn('/api/session/account', { method: 'POST', json })
    expect([switched.status, switched.json.code]).toEqual([403, 921])
    expect((await sessionOf(browser)).json.account.id).toBe(setup.account.accountId)
  })

  test('reaches the operations of members, and none on the login or on single sign-on itself', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup, 'owner')
    const { call: callIn } = await signedIn(setup, addUser(member.email))
    const rejected: string[] = []
    const reached: string[] = []
    for (const { verb, path, operation } of apiRoutes) {
      if (operation.access !== 'session' || operation.id === 'signOut') continue
      const url = path.replace(':id', '2147483000')
      const { json } = await callIn(url, { method: verb, ...(verb !== 'GET' && { json: {} }) })
      if (json?.code === 921) rejected.push(operation.id)
      else reached.push(operation.id)
    }
    expect(rejected.toSorted()).toEqual(ownSessionOperations)
    // A new operation belongs here only if it neither shows nor changes anything beyond the account.
    expect(reached.toSorted()).toEqual(accountOperations)
  })

  test('does not show notices about the login', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    // The second sign-in is with another browser, which the user is told.
    await signIn(hookline.url, member)
    const own = await signIn(hookline.url, member)
    const { call: callIn } = await signedIn(setup, addUser(member.email))
    const kinds = await kindsSeenBy(own.call)
    expect(kinds).toContain('sign_in')
    expect(await kindsSeenBy(callIn)).toEqual(
      kinds.filter((kind) => kind !== 'sign_in' && kind !== 'login_changed'),
    )
    expect(await unread(callIn)).toBeLessThan(await unread(own.call))
  })

  test('ends when the connection is removed or gets another issuer', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    const sub = addUser(member.email)
    const first = await signedIn(setup, sub)
    const other = await startIdentityProvider(() => [])
    expect((await saveProvider(setup.connection.owner, setup.account, other)).status).toBe(200)
    expect((await sessionOf(first.browser)).status).toBe(401)
    await other.close()
    expect((await saveProvider(setup.connection.owner, setup.account, provider)).status).toBe(200)
    const second = await signedIn(setup, sub)
    const json = { password: setup.account.password }
    const removed = await setup.connection.owner.call('/api/sso', { method: 'DELETE', json })
    expect(removed.status).toBe(200)
    expect((await sessionOf(second.browser)).status).toBe(401)
  })

  test('does not come back when its provider is configured again', async () => {
    const setup = await setUp()
    const { account, connection } = setup
    const member = await addMemberOf(setup)
    const sub = addUser(member.email)
    const beforeChange = await signedIn(setup, sub)
    const other = await startIdentityProvider(() => [])
    await saveProvider(connection.owner, account, other)
    await other.close()
    await saveProvider(connection.owner, account, provider)
    expect((await sessionOf(beforeChange.browser)).status).toBe(401)
    const beforeRemoval = await signedIn(setup, sub)
    await connection.owner.call('/api/sso', { method: 'DELETE', json: { password: account.password } })
    await saveProvider(connection.owner, account, provider)
    expect((await sessionOf(beforeRemoval.browser)).status).toBe(401)
    expect((await connection.owner.call('/api/session')).status).toBe(200)
  })

  test('is not found by a version that does not know such sessions', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    const { browser } = await signedIn(setup, addUser(member.email))
    const token = browser.cookies()[0]?.split('=')[1] ?? ''
    const rows = await hookline.database.query('SELECT 1 FROM sessions WHERE digest = $1', [
      hookline.vault.digest(token, 'session'),
    ])
    expect(rows).toEqual([])
  })

  test('cannot push out other sessions of the login', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    const own = await signIn(hookline.url, member)
    const sub = addUser(member.email)
    await signedIn(setup, sub)
    await hookline.database.query(
      `INSERT INTO sessions (account_id, login_id, digest, ip, user_agent, sso_issuer, expires_at)
       SELECT $1, $2, sha256(n::text::bytea), '', '', $3, now() + interval '1 hour' FROM generate_series(1, 100) AS n`,
      [member.accountId, member.loginId, provider.issuer],
    )
    const last = await signedIn(setup, sub)
    expect((await own.call('/api/session')).status).toBe(200)
    expect((await sessionOf(last.browser)).status).toBe(200)
    const rows = await hookline.database.query(
      'SELECT count(*)::int FROM sessions WHERE login_id = $1 AND sso_issuer IS NOT NULL',
      [member.loginId],
    )
    expect(rows).toEqual([{ count: 100 }])
  })
})

async function createKey(callIn: Browser['call']): Promise<string> {
  const json = { name: 'Key', scopes: ['hooks:read'] }
  const created = await callIn('/api/keys', { method: 'POST', json })
  return `/api/keys/${created.json.key.id}/view`
}

describe('a confirmation in a session of single sign-on', () => {
  test('is a new sign-in at the provider, within the last five minutes', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    const sub = addUser(member.email)
    const { browser, call: callIn } = await signedIn(setup, sub)
    const path = await createKey(callIn)
    const view = () => callIn(path, { method: 'POST', json: { password: '' } })
    const before = await view()
    expect([before.status, before.json.code]).toEqual([403, 922])
    const json = { return_path: '/api-keys' }
    const started = await callIn('/api/sso/confirm', { method: 'POST', json })
    const arrived = await browser.open(await provider.signIn(started.json.url, sub))
    expect([arrived.status, arrived.headers.get('location')]).toEqual([303, '/api-keys'])
    expect((await view()).status).toBe(200)
    const until = Date.parse((await sessionOf(browser)).json.sso.confirmed_until)
    expect(until - Date.now()).toBeGreaterThan(4.5 * 60_000)
    expect(until - Date.now()).toBeLessThanOrEqual(5 * 60_000)
    await hookline.database.query(
      "UPDATE sessions SET sso_confirmed_at = now() - interval '5 minutes 1 second' WHERE login_id = $1",
      [member.loginId],
    )
    expect((await view()).status).toBe(403)
    expect((await sessionOf(browser)).json.sso.confirmed_until).toBeNull()
  })

  test('by another user of the provider is rejected', async () => {
    const setup = await setUp()
    const [member, other] = [await addMemberOf(setup), await addMemberOf(setup)]
    const { browser, call: callIn } = await signedIn(setup, addUser(member.email))
    const otherSub = addUser(other.email)
    await signedIn(setup, otherSub)
    const started = await callIn('/api/sso/confirm', { method: 'POST', json: {} })
    const arrived = await browser.open(await provider.signIn(started.json.url, otherSub))
    expect([arrived.status, failureOf(arrived)]).toEqual([
      400,
      expect.stringContaining('Another user has signed in'),
    ])
    expect((await sessionOf(browser)).json.sso.confirmed_until).toBeNull()
  })

  test('can be the password, and wrong ones do not lock out the other sessions of the login', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    const { call: callIn } = await signedIn(setup, addUser(member.email))
    const path = await createKey(callIn)
    const view = (password: string) => callIn(path, { method: 'POST', json: { password } })
    expect((await view(member.password)).status).toBe(200)
    for (let attempt = 0; attempt < 5; attempt++) expect((await view('wrong password')).json.code).toBe(910)
    expect((await view('wrong password')).json.code).toBe(907)
    const own = await signIn(hookline.url, member)
    const json = { password: member.password }
    expect((await own.call(path, { method: 'POST', json })).status).toBe(200)
  })

  test('cannot be a passkey, and wrong ones do not lock out the other sessions of the login', async () => {
    const setup = await setUp()
    const member = await addMemberOf(setup)
    const authenticator = createAuthenticator(hookline.url)
    const own = await signIn(hookline.url, member)
    const { passkey } = await addPasskey(own, authenticator, member)
    const readOptions = async () =>
      (await own.call('/api/session/confirm/options', { method: 'POST', json: {} })).json.options
    const { call: callIn } = await signedIn(setup, addUser(member.email))
    const path = await createKey(callIn)
    for (let attempt = 0; attempt < 7; attempt++) {
      const json = { passkey: authenticator.get(await readOptions(), passkey) }
      const viewed = await callIn(path, { method: 'POST', json })
      expect([viewed.status, viewed.json.code]).toEqual([401, 915])
    }
    const json = { passkey: authenticator.get(await readOptions(), passkey) }
    expect((await own.call(path, { method: 'POST', json })).status).toBe(200)
  })

  test('is not asked for in other sessions, and an empty password is wrong there', async () => {
    const { connection } = await setUp()
    const confirm = await connection.owner.call('/api/sso/confirm', { method: 'POST', json: {} })
    expect([confirm.status, confirm.json.code]).toEqual([409, 1140])
    const removed = await connection.owner.call('/api/sso', { method: 'DELETE', json: { password: '' } })
    expect([removed.status, removed.json.code]).toEqual([403, 910])
  })
})

describe('the setup', () => {
  test('is for owners with both rights, because the provider can sign in as any member', async () => {
    const { account, connection } = await setUp()
    const others = [
      await addMember(hookline, account, { role: 'admin', canReveal: true, canExport: true }),
      await addMember(hookline, account, { role: 'owner', canReveal: false, canExport: true }),
      await addMember(hookline, account, { role: 'owner', canReveal: true, canExport: false }),
    ]
    const { domain } = (
      await connection.owner.call('/api/sso/domains', { method: 'POST', json: { domain: 'of.example' } })
    ).json
    for (const other of others) {
      const user = await signIn(hookline.url, other)
      const { password } = other
      const calls: Array<[string, string, object]> = [
        ['POST', '/api/sso', { name: 'X', issuer: provider.issuer, client_id: 'x', password }],
        ['POST', '/api/sso/settings', { default_role: 'viewer', password }],
        ['DELETE', '/api/sso', { password }],
        ['POST', '/api/sso/domains', { domain: 'x.example' }],
        ['POST', `/api/sso/domains/${domain.id}/verify`, {}],
        ['DELETE', `/api/sso/domains/${domain.id}`, {}],
      ]
      for (const [method, path, json] of calls) {
        const response = await user.call(path, { method, json })
        expect([response.status, response.json.code], `${other.alias} ${path}`).toEqual([403, 913])
      }
    }
  })

  test('never shows the secret, keeps it for the same client and drops it for another', async () => {
    const { account, connection } = await setUp()
    const { owner } = connection
    const { clientSecret, issuer } = provider
    const save = (clientId: string, secret?: string | null) =>
      owner.call('/api/sso', {
        method: 'POST',
        json: {
          name: 'X',
          issuer,
          client_id: clientId,
          ...(secret !== undefined && { client_secret: secret }),
          password: account.password,
        },
      })
    const kept = await save(provider.clientId)
    expect(kept.json.connection.has_client_secret).toBe(true)
    expect(kept.text).not.toContain(clientSecret)
    expect((await owner.call('/api/sso')).text).not.toContain(clientSecret)
    const [stored] = await hookline.database.query<{ text: string }>(
      'SELECT row_to_json(stored)::text AS text FROM sso_connections AS stored WHERE account_id = $1',
      [account.accountId],
    )
    expect(stored?.text).toContain(issuer)
    for (const form of [clientSecret, Buffer.from(clientSecret).toString('hex')])
      expect(stored?.text).not.toContain(form)
    expect((await save('other')).json.connection.has_client_secret).toBe(false)
    expect((await save('other', 'new secret')).json.connection.has_client_secret).toBe(true)
    expect((await save('other', null)).json.connection.has_client_secret).toBe(false)
    const rows = await hookline.database.query('SELECT detail::text FROM audit WHERE account_id = $1', [
      account.accountId,
    ])
    expect(JSON.stringify(rows)).not.toContain(clientSecret)
  })

  test('needs the password', async () => {
    const { connection } = await setUp()
    for (const [method, path, json] of [
      ['POST', '/api/sso', { name: 'X', issuer: provider.issuer, client_id: 'x' }],
      ['POST', '/api/sso/settings', { default_role: 'viewer' }],
      ['DELETE', '/api/sso', {}],
    ] as const) {
      const response = await connection.owner.call(path, {
        method,
        json: { ...json, password: 'wrong password' },
      })
      expect([response.status, response.json.code], path).toEqual([403, 910])
    }
  })

  test('is not visible to another account', async () => {
    const { connection } = await setUp()
    const other = await signIn(hookline.url, await hookline.account())
    const { json } = await other.call('/api/sso')
    expect(json.connection).toBeNull()
    expect(json.domains).toEqual([])
    expect(json.redirect_uri).not.toBe(connection.redirectUri)
  })
})

test('members who are viewers can sign in with single sign-on to their own rights only', async () => {
  const setup = await setUp()
  const member: TestMember & { email: string } = await addMemberOf(setup)
  await hookline.database.query("UPDATE memberships SET role = 'viewer' WHERE login_id = $1", [
    member.loginId,
  ])
  const { call: callIn } = await signedIn(setup, addUser(member.email))
  const response = await callIn('/api/keys')
  expect([response.status, response.json.code]).toEqual([403, 913])
  const anonymous = await call(`${hookline.url}/api/sso`)
  expect(anonymous.status).toBe(401)
})
