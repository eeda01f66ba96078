/** Statuses of the original service as a setting of one account, which overrides that of the installation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setOriginalStatuses } from '../../src/identity/accounts/accounts.ts'
import { signIn } from '../support/browser-session.ts'
import { call } from '../support/http-call.ts'
import { createAccessToken } from '../support/oauth-client.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService

const invalid = { target_url: 'nowhere', event_type: 'dlr' }

/** Creates a webhook with an invalid URL. Returns status and code. */
async function fail(headers: Record<string, string>, params: Record<string, string> = {}) {
  const { status, json } = await call(`${hookline.url}/api/hooks`, {
    method: 'POST',
    form: { ...invalid, ...params },
    headers,
  })
  return [status, json.code]
}

describe.each([
  { installation: 'http', byDefault: 400 },
  { installation: 'original', byDefault: 200 },
])('with $installation statuses of the installation', ({ installation, byDefault }) => {
  let account: TestAccount

  beforeAll(async () => {
    hookline = await startDashboardService({ ORIGINAL_STATUSES: String(installation === 'original') })
    account = await hookline.account()
  })
  afterAll(() => hookline.close())

  test.each([
    { setting: true, expected: 200 },
    { setting: false, expected: 400 },
    { setting: null, expected: byDefault },
  ])('an account set to $setting gets $expected by every credential', async ({ setting, expected }) => {
    await setOriginalStatuses(hookline.db, 'operator', account.accountId, setting)
    const token = await createAccessToken(hookline, account)
    const { alias: u, password: p, key } = account
    expect(await fail({ 'x-api-key': key })).toEqual([expected, 1020])
    expect(await fail({ authorization: `Basic ${key}` })).toEqual([expected, 1020])
    expect(await fail({ authorization: `Bearer ${token}` })).toEqual([expected, 1020])
    expect(await fail({}, { p: key })).toEqual([expected, 1020])
    expect(await fail({}, { u, p })).toEqual([expected, 1020])
  })

  test('failed authentication and missing scopes keep their status', async () => {
    await setOriginalStatuses(hookline.db, 'operator', account.accountId, true)
    const { key: reader } = await hookline.key(account.accountId, { scopes: ['hooks:read'] })
    expect(await fail({})).toEqual([401, 900])
    expect(await fail({ 'x-api-key': `${account.key}x` })).toEqual([401, 900])
    expect(await fail({ 'x-api-key': reader })).toEqual([403, 902])
  })

  test('signed-in users and other paths always get HTTP statuses', async () => {
    await setOriginalStatuses(hookline.db, 'operator', account.accountId, true)
    const user = await signIn(hookline.url, account)
    expect((await user.call('/api/hooks', { method: 'POST', json: invalid })).status).toBe(400)
    const other = await call(`${hookline.url}/api/hooks/2147483647`, { key: account.key })
    expect([other.status, other.json.code]).toEqual([404, 1102])
  })
})
