/** Shared setup and helpers for the tests of attacks on the authorization server. */
import { afterAll, beforeAll, expect } from 'vitest'
import { digestOf, openPayload, sealPayload } from '../../src/identity/oauth/sealed-payload.ts'
import type { CallResponse } from './http-call.ts'
import {
  apiStatus,
  type Browser,
  openBrowser,
  refresh,
  registerApp,
  type TestApp,
  type Tokens,
} from './oauth-client.ts'
import type { SignedIn } from './browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from './test-service.ts'

export let hookline: TestService
export let publisher: SignedIn
export let app: TestApp
export let native: TestApp
export let otherApp: TestApp
export let account: TestAccount
export let browser: Browser

/** Starts one service with three apps and a signed-in browser for the tests of a file. */
export function useOAuthAttackSetup(): void {
  beforeAll(async () => {
    // The trusted proxy lets tests send requests from different addresses.
    hookline = await startDashboardService({ TRUSTED_PROXIES: '127.0.0.1' })
    publisher = await openBrowser(hookline).signIn(await hookline.account())
    app = await registerApp(hookline, publisher)
    native = await registerApp(hookline, publisher, {
      name: 'Native',
      isPublic: true,
      redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/six', 'com.example.app:/callback'],
    })
    const attacker = await openBrowser(hookline).signIn(await hookline.account())
    otherApp = await registerApp(hookline, attacker, {
      name: 'Other',
      redirectUris: ['https://other.example/callback'],
    })
    account = await hookline.account()
    browser = openBrowser(hookline)
    await browser.signIn(account)
  })
  afterAll(() => hookline.close())
}

/** Returns the number of issued records by model. */
export async function countIssued(): Promise<Record<string, number>> {
  const rows = await hookline.database.query<{ model: string; count: number }>(
    `SELECT model, count(*)::integer AS count FROM oauth_records GROUP BY model
     UNION ALL SELECT 'Grant', count(*)::integer FROM grants`,
  )
  return Object.fromEntries(rows.map(({ model, count }) => [model, count]))
}

/** Expects an error page without a redirect, and no issued records. */
export async function expectErrorPage(address: string, error: string): Promise<CallResponse> {
  const before = await countIssued()
  const response = await browser.open(address)
  expect([address, response.status, response.headers.get('location')]).toEqual([address, 400, null])
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(/<code>(\w+)/.exec(response.text)?.[1]).toBe(error)
  expect(await countIssued()).toEqual(before)
  return response
}

export async function expectRejected(response: CallResponse, status: number, error: string): Promise<void> {
  expect([response.status, response.json?.error]).toEqual([status, error])
  expect(response.json).not.toHaveProperty('access_token')
  expect(response.json).not.toHaveProperty('refresh_token')
}

/** Expects that all tokens of a grant are revoked. */
export async function expectRevoked(owner: TestApp, tokens: Tokens): Promise<void> {
  expect(await apiStatus(hookline.url, tokens.access)).toBe(401)
  await expectRejected(await refresh(hookline, owner, tokens.refresh), 400, 'invalid_grant')
  const digest = digestOf(hookline.vault, 'AccessToken', tokens.access)
  expect(await hookline.database.query('SELECT 1 FROM oauth_records WHERE digest = $1', [digest])).toEqual([])
}

/** Ages a record. Its timestamps are in the sealed payload, so this needs the vault keys. */
export async function ageRecord(model: string, id: string, seconds: number): Promise<void> {
  const digest = digestOf(hookline.vault, model, id)
  const [row] = await hookline.database.query<{ payload: Buffer }>(
    'SELECT payload FROM oauth_records WHERE digest = $1',
    [digest],
  )
  if (row === undefined) throw new Error('record not found')
  const payload = openPayload(hookline.vault, model, id, row.payload)
  const older = { ...payload, iat: (payload.iat ?? 0) - seconds, exp: (payload.exp ?? 0) - seconds }
  await hookline.database.query('UPDATE oauth_records SET payload = $2 WHERE digest = $1', [
    digest,
    sealPayload(hookline.vault, model, id, older),
  ])
}
