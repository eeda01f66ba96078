/** OAuth access across processes, restarts and expiry. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { pruneExpired } from '../../src/identity/oauth/prune-expired.ts'
import { digestOf } from '../../src/identity/oauth/sealed-payload.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import {
  allowAccess,
  apiStatus,
  startInteraction,
  requestAccess,
  type Browser,
  connect,
  getCode,
  openBrowser,
  redeem,
  refresh,
  registerApp,
  type TestApp,
} from '../support/oauth-client.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'
import { startTcpProxy } from '../support/servers/tcp-proxy.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let second: ServiceProcess
let app: TestApp
let account: TestAccount
let browser: Browser

beforeAll(async () => {
  hookline = await startDashboardService()
  second = await hookline.startAnother({ PORT: '0' }, 'api')
  app = await registerApp(hookline, await openBrowser(hookline).signIn(await hookline.account()))
  account = await hookline.account()
  browser = openBrowser(hookline)
  await browser.signIn(account)
})
afterAll(() => hookline.close())

/** Returns the same service, reached through another process. */
function via(process: ServiceProcess): TestService {
  return { ...hookline, url: process.url }
}

test('tokens work on every process, and a revocation takes effect on all processes immediately', async () => {
  const tokens = await connect(browser, app)
  expect(await apiStatus(second.url, tokens.access)).toBe(200)
  const renewed = await refresh(via(second), app, tokens.refresh)
  expect(renewed.status).toBe(200)

  await browser.call(`/api/authorizations/${app.id}`, { method: 'DELETE' })
  const statuses = [
    await apiStatus(second.url, tokens.access),
    await apiStatus(second.url, renewed.json.access_token),
    await apiStatus(hookline.url, renewed.json.access_token),
    (await refresh(via(second), app, renewed.json.refresh_token)).status,
  ]
  expect(statuses).toEqual([401, 401, 401, 400])
})

test('an interaction started on one process can be completed on another', async () => {
  const { url, state } = await requestAccess(app)
  const id = await startInteraction(browser, url)
  const interaction = await browser.call(`${second.url}/api/interactions/${id}`)
  expect(interaction.json.interaction).toMatchObject({ id, needs: 'consent' })
  const allowed = await browser.call(`${second.url}/api/interactions/${id}/allow`, { method: 'POST' })
  expect(allowed.json.return_to).toBe(`${hookline.url}/oauth/authorize/${id}`)
  const redirect = await browser.open(`${second.url}/oauth/authorize/${id}`)
  const callback = new URL(redirect.headers.get('location') ?? '')
  expect(callback.searchParams.get('state')).toBe(state)
  expect(callback.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
})

test('of concurrent code redemptions on two processes at most one succeeds, and its tokens are revoked', async () => {
  const code = await getCode(browser, app)
  const responses = await Promise.all(
    [hookline, via(second), hookline, via(second)].map((target) => redeem(target, app, code)),
  )
  const succeeded = responses.filter((response) => response.status === 200)
  expect(succeeded.length).toBeLessThanOrEqual(1)
  expect(responses.filter((response) => response.json.error === 'invalid_grant').length).toBe(
    4 - succeeded.length,
  )
  for (const { json } of succeeded) {
    expect(await apiStatus(hookline.url, json.access_token)).toBe(401)
    expect((await refresh(via(second), app, json.refresh_token)).json.error).toBe('invalid_grant')
  }
  expect(await countReplays()).toBe(1)
})

test('of concurrent refreshes on two processes at most one succeeds, and the family is revoked', async () => {
  const tokens = await connect(browser, app)
  const before = await countReplays()
  const responses = await Promise.all(
    [hookline, via(second), hookline, via(second)].map((target) => refresh(target, app, tokens.refresh)),
  )
  expect(responses.filter((response) => response.status === 200).length).toBeLessThanOrEqual(1)
  for (const { json } of responses.filter((response) => response.status === 200))
    expect(await apiStatus(second.url, json.access_token)).toBe(401)
  expect(await apiStatus(second.url, tokens.access)).toBe(401)
  expect(await countReplays()).toBe(before + 1)
})

test('a simultaneous redemption or refresh on two processes revokes all tokens', async () => {
  const code = await getCode(browser, app)
  const before = await countReplays()
  const redeemed = await useSimultaneously('AuthorizationCode', code.code, (target) =>
    redeem(target, app, code),
  )
  expectAtMostOneSuccess(redeemed)
  for (const { json } of redeemed.filter((response) => response.status === 200))
    expect(await apiStatus(hookline.url, json.access_token)).toBe(401)
  expect(await countReplays()).toBe(before + 1)

  const tokens = await connect(browser, app)
  const refreshed = await useSimultaneously('RefreshToken', tokens.refresh, (target) =>
    refresh(target, app, tokens.refresh),
  )
  expectAtMostOneSuccess(refreshed)
  for (const { json } of refreshed.filter((response) => response.status === 200))
    expect(await apiStatus(hookline.url, json.access_token)).toBe(401)
  expect(await apiStatus(second.url, tokens.access)).toBe(401)
  expect(await countReplays()).toBe(before + 2)
})

test('consent resumed on two processes simultaneously gives one code', async () => {
  const userBrowser = openBrowser(hookline)
  await userBrowser.signIn(account)
  const id = await startInteraction(userBrowser, (await requestAccess(app)).url)
  await userBrowser.call(`/api/interactions/${id}/allow`, { method: 'POST' })
  const headers = { cookie: userBrowser.cookies().join('; ') }
  const responses = await useSimultaneously('Interaction', id, (target) =>
    call(`${target.url}/oauth/authorize/${id}`, { headers }),
  )
  const codes = responses.filter((way) => way.headers.get('location')?.includes('code='))
  expect(codes).toHaveLength(1)
  expect(responses.filter((way) => way.status === 400)).toHaveLength(1)
})

function expectAtMostOneSuccess(responses: readonly CallResponse[]): void {
  expect(responses.filter((response) => response.status === 200).length).toBeLessThanOrEqual(1)
  expect(
    responses.filter((response) => response.json.error === 'invalid_grant').length,
  ).toBeGreaterThanOrEqual(1)
}

/** Runs `use` on both processes. A row lock blocks both until both have read the record. */
async function useSimultaneously(
  model: string,
  id: string,
  use: (target: TestService) => Promise<CallResponse>,
): Promise<CallResponse[]> {
  const { query } = hookline.database
  await query('BEGIN')
  await query('SELECT 1 FROM oauth_records WHERE digest = $1 FOR UPDATE', [
    digestOf(hookline.vault, model, id),
  ])
  const responses = Promise.all([use(hookline), use(via(second))])
  const pending = async () => {
    const found = await sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(hookline.db)
    return found.rows.length
  }
  await expect.poll(pending, { timeout: 4_000, interval: 20 }).toBe(2)
  await query('COMMIT')
  return responses
}

test('tokens, codes and pending interactions survive a restart', async () => {
  const tokens = await connect(browser, app)
  const code = await getCode(browser, app)
  const pending = await startInteraction(browser, (await requestAccess(app)).url)
  const { port } = new URL(hookline.url)
  await hookline.service.stop()
  await hookline.startAnother({ PORT: port }, 'api')

  expect(await apiStatus(hookline.url, tokens.access)).toBe(200)
  expect((await refresh(hookline, app, tokens.refresh)).status).toBe(200)
  expect((await redeem(hookline, app, code)).status).toBe(200)
  expect((await allowAccess(browser, pending)).searchParams.has('code')).toBe(true)
})

test('without the database all OAuth calls return 503 and are logged as errors', async () => {
  const proxy = await startTcpProxy(Number(hookline.database.url.port))
  const behindProxy = new URL(hookline.database.url)
  behindProxy.port = String(proxy.port)
  const disconnected = await hookline.startAnother({ PORT: '0', DATABASE_URL: behindProxy.href }, 'api')
  const tokens = await connect(browser, app)
  const { url } = await requestAccess(app)
  expect(await apiStatus(disconnected.url, tokens.access)).toBe(200)
  await proxy.close()

  expect(await apiStatus(disconnected.url, tokens.access)).toBe(503)
  const rejected = await refresh(via(disconnected), app, tokens.refresh)
  expect([rejected.status, rejected.json]).toEqual([503, { error: 'server_error' }])
  expect(rejected.headers.get('cache-control')).toBe('no-store')
  const interaction = await call(url.replace(hookline.url, disconnected.url))
  expect([interaction.status, interaction.headers.get('location')]).toEqual([503, null])
  expect(interaction.text).toContain('Internal error')
  const errorRoutes = () =>
    [...disconnected.output().matchAll(/"level":"error".*"route":"([^"]*)"/g)].map(([, route]) => route)
  await expect.poll(errorRoutes).toEqual(['/api/hooks', '/oauth/token', '/oauth/authorize'])
  expect((await refresh(hookline, app, tokens.refresh)).status).toBe(200)
})

test('only expired records are pruned', async () => {
  const [old, kept] = [await connect(browser, app), await connect(browser, app)]
  const pending = await startInteraction(browser, (await requestAccess(app)).url)
  const { query } = hookline.database
  await query(
    `UPDATE grants SET expires_at = now() - interval '1 second'
     WHERE digest = (SELECT grant_digest FROM oauth_records WHERE digest = $1)`,
    [digestOf(hookline.vault, 'AccessToken', old.access)],
  )
  await query(`UPDATE oauth_records SET expires_at = now() - interval '1 second' WHERE digest = $1`, [
    digestOf(hookline.vault, 'Interaction', pending),
  ])
  await pruneExpired(hookline.db)
  const countRecords = async (model: string, id: string) =>
    (await query('SELECT 1 FROM oauth_records WHERE digest = $1', [digestOf(hookline.vault, model, id)]))
      .length
  expect(await countRecords('AccessToken', old.access)).toBe(0)
  expect(await countRecords('RefreshToken', old.refresh)).toBe(0)
  expect(await countRecords('Interaction', pending)).toBe(0)
  expect(await countRecords('AccessToken', kept.access)).toBe(1)
  expect(await countRecords('RefreshToken', kept.refresh)).toBe(1)
  const [expired] = await query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM oauth_records WHERE expires_at < now()',
  )
  expect(expired?.count).toBe(0)
})

async function countReplays(): Promise<number> {
  const rows = await hookline.database.query(
    `SELECT 1 FROM audit WHERE action = 'token.replay' AND account_id = $1`,
    [account.accountId],
  )
  return rows.length
}
