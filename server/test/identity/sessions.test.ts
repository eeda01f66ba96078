/** Browser sessions: sign-in, the cookie, CSRF protection and sign-out. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../support/http-call.ts'
import { signIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let account: TestAccount

beforeAll(async () => {
  hookline = await startDashboardService()
  account = await hookline.account()
})
afterAll(() => hookline.close())

test('alias or email and password start a session that returns the user and account', async () => {
  for (const login of [account.alias, account.email.toUpperCase()]) {
    const user = await signIn(hookline.url, { ...account, alias: login })
    const { status, json } = await user.call('/api/session')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      success: true,
      code: null,
      login: { id: account.loginId, alias: account.alias, email: account.email, second_factor: false },
      account: { id: account.accountId },
    })
  }
})

test('the cookie authenticates API calls, and changes require the CSRF token', async () => {
  const user = await signIn(hookline.url, account)
  expect((await user.call('/api/hooks')).status).toBe(200)
  const hook = { target_url: 'https://example.com/in', event_type: 'sms_mo' }
  const created = await user.call('/api/hooks', { method: 'POST', json: hook })
  expect(created.status).toBe(200)
  const bare = { method: 'POST', json: hook, headers: { cookie: user.cookie, origin: hookline.url } }
  expect((await call(`${hookline.url}/api/hooks`, bare)).json.code).toBe(909)
})

test('sign-out revokes the session', async () => {
  const user = await signIn(hookline.url, account)
  expect((await user.call('/api/session', { method: 'DELETE' })).status).toBe(200)
  expect((await user.call('/api/session')).json.code).toBe(900)
})

test('an API key cannot read the session', async () => {
  const { status, json } = await call(`${hookline.url}/api/session`, { key: account.key })
  expect([status, json.code]).toEqual([403, 908])
})
