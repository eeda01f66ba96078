/** Members: roles and rights in effect, the last owner, members who leave, several accounts of one user. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { barrier } from '../support/barrier.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { addMember, joinAccount, type TestMember } from '../support/members.ts'
import { apiStatus, connect, openBrowser, registerApp } from '../support/oauth-client.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
beforeAll(async () => {
  hookline = await startDashboardService({ LOGIN_ATTEMPTS: '0' }, 'all')
})
afterAll(() => hookline.close())

const everything = { canReveal: true, canExport: true }
const nothing = { canReveal: false, canExport: false }
const hook = {
  target_url: 'https://user:pass@receiver.example/in?token=s3cret&shop=1',
  event_type: 'sms_mo',
  request_method: 'JSON',
  headers: 'Authorization: Bearer s3cret\nX-Shop: 1',
}

function withPassword({ alias, password }: { alias: string; password: string }): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks?${new URLSearchParams({ u: alias, p: password }).toString()}`)
}

async function createHook({ key }: TestAccount): Promise<number> {
  const created = await call(`${hookline.url}/api/hooks`, {
    method: 'POST',
    key,
    form: { ...hook, target_url: 'https://receiver.example/in?token=s3cret&shop=1' },
  })
  expect(created.status).toBe(200)
  return created.json.id
}

/** Of each key or app in the list, whether the user manages it. */
async function manageable(list: 'keys' | 'apps', user: SignedIn): Promise<unknown[]> {
  const { json } = await user.call(`/api/${list}`)
  return json[list].map((item: { manageable: boolean }) => item.manageable)
}

function change(user: SignedIn, { loginId }: { loginId: number }, json: object): Promise<CallResponse> {
  return user.call(`/api/members/${loginId}`, { method: 'POST', json })
}

function remove(user: SignedIn, { loginId }: { loginId: number }): Promise<CallResponse> {
  return user.call(`/api/members/${loginId}`, { method: 'DELETE' })
}

describe('a login that exists', () => {
  test('owns its account with all rights', async () => {
    const account = await hookline.account()
    const { json } = await (await signIn(hookline.url, account)).call('/api/session')
    expect(json.member).toEqual({ role: 'owner', can_reveal: true, can_export: true })
    expect(json.accounts).toEqual([
      { id: account.accountId, name: account.alias, role: 'owner', is_suspended: false },
    ])
  })

  test('owns its account if the previous version created it', async () => {
    const account = await hookline.account()
    await hookline.database.query(
      "INSERT INTO logins (account_id, alias, password_hash) VALUES ($1, 'made-before', 'x')",
      [account.accountId],
    )
    expect(
      await hookline.database.query(
        "SELECT role FROM memberships JOIN logins ON logins.id = login_id WHERE alias = 'made-before'",
      ),
    ).toEqual([{ role: 'owner' }])
  })
})

describe('a role', () => {
  test('takes effect with the next call of an open session', async () => {
    const account = await hookline.account()
    const owner = await signIn(hookline.url, account)
    const member = await addMember(hookline, account, { role: 'developer', ...everything })
    const user = await signIn(hookline.url, member)
    expect((await user.call('/api/keys')).status).toBe(200)
    expect((await change(owner, member, { role: 'viewer' })).status).toBe(200)
    const rejected = await user.call('/api/keys')
    expect([rejected.status, rejected.json.code]).toEqual([403, 913])
    expect(rejected.json.details.allowed).toEqual(['developer', 'admin', 'owner'])
  })

  test('limits the deprecated login and password to its scopes', async () => {
    const account = await hookline.account()
    await createHook(account)
    const viewer = await addMember(hookline, account, { role: 'viewer', ...everything })
    const developer = await addMember(hookline, account, { role: 'developer', ...everything })
    expect((await withPassword(viewer)).status).toBe(200)
    const create = (login: TestMember) =>
      call(`${hookline.url}/api/hooks`, {
        method: 'POST',
        form: {
          u: login.alias,
          p: login.password,
          target_url: 'https://receiver.example/',
          event_type: 'dlr',
        },
      })
    expect((await create(viewer)).json.code).toBe(902)
    expect((await create(developer)).status).toBe(200)
  })

  test('below developer hides credentials of receivers in every list of webhooks', async () => {
    const account = await hookline.account()
    const id = await createHook(account)
    const viewer = await addMember(hookline, account, { role: 'support', ...everything })
    const user = await signIn(hookline.url, viewer)
    const responses = [
      await user.call('/api/hooks'),
      await user.call('/api/hooks/health'),
      await user.call(`/api/hooks/${id}`),
      await withPassword(viewer),
    ]
    for (const { status, text } of responses) {
      expect(status).toBe(200)
      expect(text).not.toContain('s3cret')
      expect(text).toContain('https://receiver.example/in?token=••••••&shop=••••••')
      expect(text).toContain('Authorization: ••••••\\nX-Shop: ••••••')
    }
    const history = await user.call(`/api/hooks/${id}/versions`)
    expect(history.text).toContain('https://receiver.example/in?token=••••••&shop=••••••')
    expect(history.text).not.toContain('s3cret')
    const developer = await addMember(hookline, account, { role: 'developer', ...nothing })
    const seen = await (await signIn(hookline.url, developer)).call(`/api/hooks/${id}`)
    expect(seen.json.hook.headers).toBe(hook.headers)
  })

  test('gives keys no more scopes than the member has', async () => {
    const account = await hookline.account()
    const developer = await addMember(hookline, account, { role: 'developer', ...nothing })
    const user = await signIn(hookline.url, developer)
    const create = (scopes: string[]) =>
      user.call('/api/keys', { method: 'POST', json: { name: 'ci', scopes } })
    for (const scope of ['all', 'events:read']) expect((await create([scope])).json.code).toBe(913)
    expect((await create(['hooks', 'deliveries:replay'])).status).toBe(200)
  })

  test('of developers manages only own keys and apps', async () => {
    const account = await hookline.account()
    const owner = await signIn(hookline.url, account)
    const developer = await addMember(hookline, account, { role: 'developer', ...everything })
    const user = await signIn(hookline.url, developer)
    const theirs = await owner.call('/api/keys', { method: 'POST', json: { name: 'a', scopes: ['hooks'] } })
    const own = await user.call('/api/keys', { method: 'POST', json: { name: 'b', scopes: ['hooks'] } })
    const app = await registerApp(hookline, owner)
    // Newest first. The last key is the operator's.
    expect(await manageable('keys', user)).toEqual([true, false, false])
    expect(await manageable('keys', owner)).toEqual([true, true, true])
    expect([await manageable('apps', user), await manageable('apps', owner)]).toEqual([[false], [true]])
    const { password } = developer
    const view = (id: number) => user.call(`/api/keys/${id}/view`, { method: 'POST', json: { password } })
    expect((await view(theirs.json.key.id)).json.code).toBe(913)
    expect((await view(own.json.key.id)).json.secret).toBe(own.json.secret)
    for (const [path, method] of [
      [`/api/keys/${theirs.json.key.id}`, 'DELETE'],
      [`/api/apps/${app.id}`, 'DELETE'],
      [`/api/apps/${app.id}/secret`, 'POST'],
    ] as const)
      expect((await user.call(path, { method, ...(method === 'POST' && { json: {} }) })).json.code).toBe(913)
    expect((await user.call(`/api/keys/${own.json.key.id}`, { method: 'DELETE' })).status).toBe(200)
  })

  test('of support replays one delivery per call', async () => {
    const account = await hookline.account()
    const support = await addMember(hookline, account, { role: 'support', ...everything })
    const user = await signIn(hookline.url, support)
    const delivery = { event_id: '01900000-0000-7000-8000-000000000001', hook_id: 1 }
    const start = (selection: object) => user.call('/api/replays', { method: 'POST', json: { selection } })
    expect((await start({ deliveries: [delivery] })).status).toBe(200)
    expect((await start({ deliveries: [delivery, { ...delivery, hook_id: 2 }] })).json.code).toBe(913)
    expect((await start({ search: {} })).json.code).toBe(913)
  })
})

describe('a viewer', () => {
  test('cannot find webhooks by the query of their URL, or see it without names', async () => {
    const account = await hookline.account()
    await createHook(account)
    await call(`${hookline.url}/api/hooks`, {
      method: 'POST',
      key: account.key,
      form: { target_url: 'https://bare.example/?bares3cret', event_type: 'dlr' },
    })
    const user = await signIn(
      hookline.url,
      await addMember(hookline, account, { role: 'viewer', ...everything }),
    )
    const find = async (q: string) =>
      (await user.call(`/api/hooks/find?${new URLSearchParams({ q }).toString()}`)).json.hooks.length
    expect([await find('receiver.example'), await find('token=s3'), await find('s3cret')]).toEqual([1, 0, 0])
    expect((await user.call('/api/hooks')).text).not.toContain('s3cret')
  })
})

test('an owner without a right does not get it by a transfer', async () => {
  const account = await hookline.account()
  const second = await addMember(hookline, account, { role: 'owner', canReveal: false, canExport: true })
  const viewer = await addMember(hookline, account, { role: 'viewer', ...nothing })
  const owner = await signIn(hookline.url, second)
  const json = { password: second.password }
  expect((await owner.call(`/api/members/${viewer.loginId}/transfer`, { method: 'POST', json })).status).toBe(
    200,
  )
  const { member } = (await (await signIn(hookline.url, viewer)).call('/api/session')).json
  expect(member).toEqual({ role: 'owner', can_reveal: false, can_export: true })
})

describe('rights', () => {
  test('of support need a reason to reveal data, which the audit log has', async () => {
    const account = await hookline.account()
    const support = await addMember(hookline, account, { role: 'support', ...everything })
    const user = await signIn(hookline.url, support)
    const missing = await user.call('/api/events/export?reveal=true')
    expect([missing.status, missing.json.field]).toEqual([400, 'reveal_reason'])
    const owner = await signIn(hookline.url, account)
    const because = 'Ticket 4711: message did not arrive'
    const query = new URLSearchParams({ reveal: 'true', reveal_reason: because }).toString()
    expect((await user.call(`/api/events/export?${query}`)).status).toBe(200)
    const [entry] = (await owner.call('/api/audit')).json.entries
    expect(entry).toMatchObject({ action: 'event.export', detail: { revealed: true, because } })
  })

  test.each([
    ['reveal an event', 'canReveal', 'GET', '/api/events/01900000-0000-7000-8000-000000000001?reveal=true'],
    ['copy an event as cURL', 'canReveal', 'POST', '/api/events/01900000-0000-7000-8000-000000000001/curl'],
    ['poll a consumer', 'canReveal', 'POST', '/api/consumers/1/poll'],
    ['export revealed events', 'canReveal', 'GET', '/api/events/export?reveal=true'],
    ['export events', 'canExport', 'GET', '/api/events/export'],
    ['export the audit log', 'canExport', 'GET', '/api/audit/export'],
  ] as const)('are needed to %s, apart from the role', async (_what, right, method, path) => {
    const account = await hookline.account()
    const send = async (rights: typeof everything) => {
      const admin = await addMember(hookline, account, { role: 'admin', ...rights })
      const json = path.endsWith('curl') ? { hook_id: 1 } : {}
      return (await signIn(hookline.url, admin)).call(path, { method, ...(method === 'POST' && { json }) })
    }
    expect((await send({ ...everything, [right]: false })).json.code).toBe(913)
    expect((await send(everything)).text).not.toContain('"code":913')
  })

  test('cannot be given by those who lack them', async () => {
    const account = await hookline.account()
    const admin = await signIn(
      hookline.url,
      await addMember(hookline, account, { role: 'admin', canReveal: false, canExport: true }),
    )
    const member = await addMember(hookline, account, { role: 'viewer', ...nothing })
    expect((await change(admin, member, { can_reveal: true })).json.code).toBe(913)
    expect((await change(admin, member, { can_export: true })).status).toBe(200)
    expect((await change(admin, member, { role: 'owner' })).json.code).toBe(913)
    expect((await change(admin, member, { role: 'admin' })).status).toBe(200)
  })
})

describe('an account', () => {
  test('keeps its last owner', async () => {
    const account = await hookline.account()
    const owner = await signIn(hookline.url, account)
    const admin = await addMember(hookline, account, { role: 'admin', ...everything })
    const other = await signIn(hookline.url, admin)
    expect((await remove(owner, account)).json.code).toBe(1115)
    expect((await change(owner, account, { role: 'admin' })).json.code).toBe(913)
    for (const attack of [remove(other, account), change(other, account, { role: 'viewer' })])
      expect((await attack).json.code).toBe(913)
  })

  test('keeps an owner when two owners remove each other at the same time', async () => {
    const account = await hookline.account()
    const second = await addMember(hookline, account, { role: 'owner', ...everything })
    const [one, two] = [await signIn(hookline.url, account), await signIn(hookline.url, second)]
    const lock = `SELECT FROM accounts WHERE id = ${account.accountId} FOR UPDATE`
    const results = await barrier(hookline, lock, 2, () =>
      Promise.all([remove(one, second), remove(two, account)]),
    )
    expect(results.map(({ status }) => String(status)).toSorted()).toEqual(['200', '403'])
    const owners = await hookline.database.query(
      "SELECT 1 FROM memberships WHERE account_id = $1 AND role = 'owner'",
      [account.accountId],
    )
    expect(owners).toHaveLength(1)
  })

  test('is transferred with the password, in one step', async () => {
    const account = await hookline.account()
    const owner = await signIn(hookline.url, account)
    const viewer = await addMember(hookline, account, { role: 'viewer', ...nothing })
    const transfer = (password: string) =>
      owner.call(`/api/members/${viewer.loginId}/transfer`, { method: 'POST', json: { password } })
    expect((await transfer('wrong password')).json.code).toBe(910)
    expect((await transfer(account.password)).status).toBe(200)
    const { members } = (await owner.call('/api/members')).json
    expect(
      members.map((member: { login_id: number; role: string; can_reveal: boolean }) => [
        member.login_id,
        member.role,
        member.can_reveal,
      ]),
    ).toEqual([
      [viewer.loginId, 'owner', true],
      [account.loginId, 'admin', true],
    ])
    expect((await transfer(account.password)).json.code).toBe(913)
  })
})

describe('a member who is removed', () => {
  test('loses sessions, authorizations and the password credential with the next call', async () => {
    const account = await hookline.account()
    const owner = await signIn(hookline.url, account)
    const member = await addMember(hookline, account, { role: 'developer', ...everything })
    const user = await signIn(hookline.url, member)
    const browser = openBrowser(hookline)
    await browser.signIn({ ...account, ...member })
    const app = await registerApp(hookline, owner)
    const { access: token } = await connect(browser, app)
    expect(await apiStatus(hookline.url, token)).toBe(200)
    expect((await withPassword(member)).status).toBe(200)

    expect((await remove(owner, member)).status).toBe(200)

    expect((await user.call('/api/session')).status).toBe(401)
    expect(await apiStatus(hookline.url, token)).toBe(401)
    expect((await withPassword(member)).json.code).toBe(914)
    await expect(signIn(hookline.url, member)).rejects.toThrow(/"code":914/)
    // A new membership revives nothing.
    const { entries } = (await owner.call('/api/audit')).json
    expect(entries.map(({ actor_name: name }: { actor_name: string }) => name)).toContain(member.alias)
    expect(entries).toContainEqual(expect.objectContaining({ action: 'member.remove', member: member.alias }))
    await joinAccount(hookline, member, account, { role: 'viewer', ...nothing })
    expect((await user.call('/api/session')).status).toBe(401)
    expect(await apiStatus(hookline.url, token)).toBe(401)
  })

  test('leaves a list of the secrets that the member has created or seen, without those replaced since', async () => {
    const account = await hookline.account()
    const owner = await signIn(hookline.url, account)
    const hookId = await createHook(account)
    const member = await addMember(hookline, account, { role: 'admin', ...everything })
    const user = await signIn(hookline.url, member)
    const create = async (name: string) =>
      (await user.call('/api/keys', { method: 'POST', json: { name, scopes: ['hooks'] } })).json.key.id
    const [kept, revoked] = [await create('kept'), await create('revoked')]
    await user.call(`/api/keys/${account.keyId}/view`, {
      method: 'POST',
      json: { password: member.password },
    })
    await user.call(`/api/hooks/${hookId}/secret`)
    await user.call('/api/signing-key/view', { method: 'POST', json: {} })
    await owner.call(`/api/keys/${revoked}`, { method: 'DELETE' })
    const held = async (): Promise<string[]> =>
      (await owner.call(`/api/members/${member.loginId}/secrets`)).json.secrets.map(
        (secret: { kind: string; id: string; is_creator: boolean }) =>
          `${secret.kind} ${secret.id} ${secret.is_creator}`,
      )
    const expected = [
      `account ${account.accountId} false`,
      `hook ${hookId} false`,
      `key ${account.keyId} false`,
      `key ${kept} true`,
    ]
    expect((await held()).toSorted()).toEqual(expected.toSorted())
    await owner.call(`/api/hooks/${hookId}/secret`, { method: 'POST', json: {} })
    const { secrets } = (await remove(owner, member)).json
    expect(secrets.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(['account', 'key', 'key'])
  })

  test('lists the signing key of the account for a member who saw it with the secret of a webhook', async () => {
    const account = await hookline.account()
    const owner = await signIn(hookline.url, account)
    const hookId = await createHook(account)
    const member = await addMember(hookline, account, { role: 'developer', ...everything })
    const user = await signIn(hookline.url, member)

    expect((await user.call(`/api/hooks/${hookId}/secret`)).json.signing_key).toMatch(/^[0-9a-f]{64}$/)

    const { secrets } = (await remove(owner, member)).json
    expect(secrets.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`).toSorted()).toEqual([
      `account ${account.accountId}`,
      `hook ${hookId}`,
    ])
  })

  test('can leave without being an admin, and learns nothing of others', async () => {
    const account = await hookline.account()
    const viewer = await addMember(hookline, account, { role: 'viewer', ...nothing })
    const user = await signIn(hookline.url, viewer)
    expect((await remove(user, account)).json.code).toBe(913)
    const left = await remove(user, viewer)
    expect([left.status, left.json.secrets]).toEqual([200, []])
  })
})

describe('a user of several accounts', () => {
  test('switches with a new session, and pages of the old one cannot change anything', async () => {
    const [first, second] = [await hookline.account(), await hookline.account()]
    await joinAccount(hookline, first, second, { role: 'admin', ...everything })
    const user = await signIn(hookline.url, first)
    const switched = await user.call('/api/session/account', {
      method: 'POST',
      json: { account_id: second.accountId },
    })
    expect(switched.json.account.id).toBe(second.accountId)
    expect(switched.json.member.role).toBe('admin')
    const cookie = switched.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    // The browser sends the new cookie, and a page that was loaded before still has the old CSRF token.
    const stale = await user.call('/api/account', {
      method: 'POST',
      json: { name: 'x' },
      headers: { cookie },
    })
    expect(stale.json.code).toBe(909)
    expect((await user.call('/api/session')).status).toBe(401)
    // A sign-in continues in the account used last.
    const { json } = await (await signIn(hookline.url, first)).call('/api/session')
    expect(json.account.id).toBe(second.accountId)
    // The deprecated credential stays in the account that the login was created in.
    const caller = await call(
      `${hookline.url}/api/caller?${new URLSearchParams({ u: first.alias, p: first.password }).toString()}`,
    )
    expect(caller.json.account.id).toBe(first.accountId)
  })

  test('cannot switch to accounts of others, unknown ones and suspended ones', async () => {
    const [account, other, suspended] = [
      await hookline.account(),
      await hookline.account(),
      await hookline.account(),
    ]
    await joinAccount(hookline, account, suspended, { role: 'viewer', ...nothing })
    await hookline.database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [
      suspended.accountId,
    ])
    const user = await signIn(hookline.url, account)
    const attempt = async (id: number) =>
      (await user.call('/api/session/account', { method: 'POST', json: { account_id: id } })).json
    const [foreign, unknown] = [await attempt(other.accountId), await attempt(999_999)]
    expect(foreign).toEqual(unknown)
    expect(foreign.code).toBe(914)
    expect((await attempt(suspended.accountId)).code).toBe(904)
  })

  test('authorizes apps for the account of the session only', async () => {
    const [first, second] = [await hookline.account(), await hookline.account()]
    await joinAccount(hookline, first, second, { role: 'developer', ...everything })
    const app = await registerApp(hookline, await signIn(hookline.url, second))
    const browser = openBrowser(hookline)
    await browser.signIn(first)
    await hookline.database.query('UPDATE sessions SET account_id = $1 WHERE login_id = $2', [
      second.accountId,
      first.loginId,
    ])
    const { access: token } = await connect(browser, app)
    const read = () => call(`${hookline.url}/api/caller`, { headers: { authorization: `Bearer ${token}` } })
    expect((await read()).json.account.id).toBe(second.accountId)
    await hookline.database.query("UPDATE memberships SET role = 'viewer' WHERE login_id = $1", [
      first.loginId,
    ])
    expect((await read()).status).toBe(200)
    expect((await remove(await signIn(hookline.url, second), first)).status).toBe(200)
    expect((await read()).status).toBe(401)
  })
})
