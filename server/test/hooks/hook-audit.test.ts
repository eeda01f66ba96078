/** The audit log of webhooks: who created, edited, enabled, disabled or deleted which webhook, and which fields changed. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signIn, type SignedIn } from '../support/browser-session.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { call, type CallOptions, type CallResponse } from '../support/http-call.ts'
import { createAccessToken } from '../support/oauth-client.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let account: TestAccount
let user: SignedIn

beforeAll(async () => {
  hookline = await startDashboardService()
})
afterAll(() => hookline.close())

async function newAccount(): Promise<void> {
  account = await hookline.account()
  user = await signIn(hookline.url, account)
}

function post(path: string, json: object = {}): Promise<CallResponse> {
  return user.call(`/api/hooks${path}`, { method: 'POST', json })
}

async function register(more: object = {}): Promise<number> {
  const values = { target_url: 'https://hooks.example/path?token=secret', event_type: 'sms_mo', ...more }
  const { json } = await post('', values)
  expect(json).toMatchObject({ success: true })
  return json.id
}

function form(path: string): Record<string, string> {
  return { target_url: `https://hooks.example/${path}`, event_type: 'sms_mo' }
}

/** Entries about webhooks, oldest first. */
async function entries(): Promise<Array<{ actor_name: string | null; [field: string]: unknown }>> {
  const { json } = await user.call('/api/audit?limit=200')
  return json.entries.filter(({ action }: { action: string }) => action.startsWith('hook.')).toReversed()
}

describe('the audit log of webhooks', () => {
  test('names the user, key, app or operator behind each change', async () => {
    await newAccount()
    const token = await createAccessToken(hookline, account)
    const api = (options: CallOptions) => call(`${hookline.url}/api/hooks`, { method: 'POST', ...options })
    const id = await register()
    await api({ key: account.key, form: form('key') })
    await api({ headers: { authorization: `Bearer ${token}` }, form: form('app') })
    await api({ form: { ...form('password'), u: account.alias, p: account.password } })
    const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
    await runAdmin(env, ['hook', 'disable', String(id), '--account', String(account.accountId)])
    const found = await entries()
    expect(found.map(({ action, actor_name }) => [action, actor_name])).toEqual([
      ['hook.create', account.alias],
      ['hook.create', 'test'],
      ['hook.create', 'Test'],
      ['hook.create', account.alias],
      ['hook.disable', null],
    ])
    expect(found.map(({ actor }) => actor)).toEqual([
      `login:${account.loginId}`,
      `key:${account.keyId}`,
      expect.stringMatching(/^app:/),
      `login:${account.loginId}`,
      'operator',
    ])
    expect(found.at(-1)).toMatchObject({ subject: `hook:${id}`, detail: { reason: 'operator' } })
  })

  test('records each change once, with its fields and without values that may be secret', async () => {
    await newAccount()
    const id = await register({ headers: 'X-Token: header-secret' })
    const everything = {
      target_url: 'https://hooks.example/path?token=secret',
      event_type: 'sms_mo',
      event_filter: null,
      request_method: 'POST',
      headers: 'X-Token: header-secret',
      max_per_second: null,
      form_fields: 'nested',
      accept_header: false,
      signature_url: 'registered',
      retry_policy: 'standard',
    }
    const edit = (change: object) => post(`/${id}`, { ...everything, ...change })
    await edit({})
    await edit({ event_filter: '491771783130' })
    await edit({ event_filter: '491771783130', headers: 'X-Token: other-secret' })
    await edit({ event_filter: '491771783130', headers: 'X-Token: other-secret', max_per_second: 5 })
    await edit({ target_url: 'https://new.example/?token=secret', max_per_second: 5, form_fields: 'flat' })
    await post(`/${id}/disable`)
    await post(`/${id}/disable`)
    await post(`/${id}/enable`)
    // Registering an existing webhook again changes nothing.
    await post('', {
      target_url: 'https://new.example/?token=secret',
      event_type: 'sms_mo',
      headers: everything.headers,
    })
    await user.call(`/api/hooks?id=${id}`, { method: 'DELETE' })
    const found = await entries()
    expect(found.every(({ subject }) => subject === `hook:${id}`)).toBe(true)
    expect(found.map(({ action, detail }) => [action, detail])).toEqual([
      ['hook.create', { host: 'hooks.example' }],
      ['hook.change', { fields: ['event_filter'] }],
      ['hook.change', { fields: ['headers'] }],
      ['hook.change', { fields: ['max_per_second'], max_per_second: 5 }],
      [
        'hook.change',
        { fields: ['target_url', 'event_filter', 'headers', 'form_fields'], form_fields: 'flat' },
      ],
      ['hook.disable', { reason: 'owner' }],
      ['hook.enable', {}],
      ['hook.delete', { host: 'new.example' }],
    ])
    const exported = await user.call('/api/audit/export')
    const lines = exported.text.trimEnd().split('\n')
    const actions = lines
      .map((line) => JSON.parse(line).action)
      .filter((action) => action.startsWith('hook.'))
    expect(actions).toEqual(found.map(({ action }) => action))
    expect(exported.text).not.toMatch(/secret|491771783130/)
  })

  test('contains no rejected change', async () => {
    await newAccount()
    const id = await register()
    const rejected = await post(`/${id}`, { target_url: 'ftp://hooks.example' })
    expect(rejected.status).toBe(400)
    expect((await entries()).map(({ action }) => action)).toEqual(['hook.create'])
  })

  test('does not count against the limit of other audited actions', async () => {
    await newAccount()
    await hookline.database.query(
      `INSERT INTO change_counts VALUES ($1, 'audit', now(), 0, (now() AT TIME ZONE 'UTC')::date, 10000)`,
      [account.accountId],
    )
    const id = await register()
    expect((await post(`/${id}`, { event_filter: '49' })).status).toBe(200)
    expect((await post(`/${id}/disable`)).status).toBe(200)
    expect((await post(`/${id}/enable`)).status).toBe(200)
    expect((await user.call(`/api/hooks?id=${id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await entries()).toHaveLength(5)
  })
})
