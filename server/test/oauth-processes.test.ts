/** Apps' access over several processes, over a restart, and after its time. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { forgetExpired } from '../src/identity/oauth/forget-expired.ts'
import { digestOf } from '../src/identity/oauth/sealed-payload.ts'
import { call, type CallAnswer } from './call.ts'
import {
  agree,
  apiStatus,
  arrive,
  askAccess,
  type Browser,
  connect,
  getCode,
  openBrowser,
  redeem,
  refresh,
  registerApp,
  type TestApp,
} from './oauth-client.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'
import { startTcpProxy } from './tcp-proxy.ts'

// Processes are started in these tests, and the machine decides how long that takes.
vi.setConfig({ testTimeout: 120_000 })

let world: TestWorld
let second: ServiceProcess
let app: TestApp
let customer: TestAccount
let browser: Browser

beforeAll(async () => {
  world = await startAreaWorld()
  second = await world.startAnother({ PORT: '0' }, 'api')
  app = await registerApp(world, await openBrowser(world).signIn(await world.account()))
  customer = await world.account()
  browser = openBrowser(world)
  await browser.signIn(customer)
})
afterAll(() => world.close())

/** The same installation, reached by its other process. */
function at(process: ServiceProcess): TestWorld {
  return { ...world, url: process.url }
}

test('a token of one process is good on the other, and taken back on one it is over on both at once', async () => {
  const tokens = await connect(browser, app)
  expect(await apiStatus(second.url, tokens.access)).toBe(200)
  const renewed = await refresh(at(second), app, tokens.refresh)
  expect(renewed.status).toBe(200)

  await browser.call(`/api/authorizations/${app.id}`, { method: 'DELETE' })
  const statuses = [
    await apiStatus(second.url, tokens.access),
    await apiStatus(second.url, renewed.json.access_token),
    await apiStatus(world.url, renewed.json.access_token),
    (await refresh(at(second), app, renewed.json.refresh_token)).status,
  ]
  expect(statuses).toEqual([401, 401, 401, 400])
})

test('a request that came to one process can be answered on the other', async () => {
  const { url, state } = await askAccess(app)
  const id = await arrive(browser, url)
  const asked = await browser.call(`${second.url}/api/interactions/${id}`)
  expect(asked.json.interaction).toMatchObject({ id, needs: 'consent' })
  const allowed = await browser.call(`${second.url}/api/interactions/${id}/allow`, { method: 'POST' })
  expect(allowed.json.return_to).toBe(`${world.url}/oauth/authorize/${id}`)
  const back = await browser.open(`${second.url}/oauth/authorize/${id}`)
  const callback = new URL(back.headers.get('location') ?? '')
  expect(callback.searchParams.get('state')).toBe(state)
  expect(callback.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
})

test('a code redeemed on both at once is won at most once, and what was won is over', async () => {
  const code = await getCode(browser, app)
  const answers = await Promise.all(
    [world, at(second), world, at(second)].map((where) => redeem(where, app, code)),
  )
  const won = answers.filter((answer) => answer.status === 200)
  expect(won.length).toBeLessThanOrEqual(1)
  expect(answers.filter((answer) => answer.json.error === 'invalid_grant').length).toBe(4 - won.length)
  for (const { json } of won) {
    expect(await apiStatus(world.url, json.access_token)).toBe(401)
    expect((await refresh(at(second), app, json.refresh_token)).json.error).toBe('invalid_grant')
  }
  expect(await replays()).toBe(1)
})

test('a refresh token used on both at once is won at most once, and the family is over', async () => {
  const tokens = await connect(browser, app)
  const before = await replays()
  const answers = await Promise.all(
    [world, at(second), world, at(second)].map((where) => refresh(where, app, tokens.refresh)),
  )
  expect(answers.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(1)
  for (const { json } of answers.filter((answer) => answer.status === 200))
    expect(await apiStatus(second.url, json.access_token)).toBe(401)
  expect(await apiStatus(second.url, tokens.access)).toBe(401)
  expect(await replays()).toBe(before + 1)
})

test('used on both in the same instant, when neither could know of the other, all of it is over', async () => {
  const code = await getCode(browser, app)
  const before = await replays()
  const redeemed = await atOnce('AuthorizationCode', code.code, (where) => redeem(where, app, code))
  expectOneAtMost(redeemed)
  for (const { json } of redeemed.filter((answer) => answer.status === 200))
    expect(await apiStatus(world.url, json.access_token)).toBe(401)
  expect(await replays()).toBe(before + 1)

  const tokens = await connect(browser, app)
  const refreshed = await atOnce('RefreshToken', tokens.refresh, (where) =>
    refresh(where, app, tokens.refresh),
  )
  expectOneAtMost(refreshed)
  for (const { json } of refreshed.filter((answer) => answer.status === 200))
    expect(await apiStatus(world.url, json.access_token)).toBe(401)
  expect(await apiStatus(second.url, tokens.access)).toBe(401)
  expect(await replays()).toBe(before + 2)
})

test("a person's answer taken up on both in the same instant gives one code", async () => {
  const own = openBrowser(world)
  await own.signIn(customer)
  const id = await arrive(own, (await askAccess(app)).url)
  await own.call(`/api/interactions/${id}/allow`, { method: 'POST' })
  const headers = { cookie: own.cookies().join('; ') }
  const ways = await atOnce('Interaction', id, (where) =>
    call(`${where.url}/oauth/authorize/${id}`, { headers }),
  )
  const codes = ways.filter((way) => way.headers.get('location')?.includes('code='))
  expect(codes).toHaveLength(1)
  expect(ways.filter((way) => way.status === 400)).toHaveLength(1)
})

function expectOneAtMost(answers: readonly CallAnswer[]): void {
  expect(answers.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(1)
  expect(answers.filter((answer) => answer.json.error === 'invalid_grant').length).toBeGreaterThanOrEqual(1)
}

/** Both have found it good and wait for its row before either may use it up. */
async function atOnce(
  model: string,
  id: string,
  use: (where: TestWorld) => Promise<CallAnswer>,
): Promise<CallAnswer[]> {
  const { query } = world.database
  await query('BEGIN')
  await query('SELECT 1 FROM oauth_records WHERE digest = $1 FOR UPDATE', [digestOf(world.vault, model, id)])
  const answers = Promise.all([use(world), use(at(second))])
  const waiting = async () => {
    const found = await sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(world.db)
    return found.rows.length
  }
  await expect.poll(waiting, { timeout: 4_000, interval: 20 }).toBe(2)
  await query('COMMIT')
  return answers
}

test('tokens, codes and open requests outlive a restart', async () => {
  const tokens = await connect(browser, app)
  const code = await getCode(browser, app)
  const waiting = await arrive(browser, (await askAccess(app)).url)
  const { port } = new URL(world.url)
  await world.service.stop()
  await world.startAnother({ PORT: port }, 'api')

  expect(await apiStatus(world.url, tokens.access)).toBe(200)
  expect((await refresh(world, app, tokens.refresh)).status).toBe(200)
  expect((await redeem(world, app, code)).status).toBe(200)
  expect((await agree(browser, waiting)).searchParams.has('code')).toBe(true)
})

test('without the database nobody is let in, apps are told to come back, and the log says why', async () => {
  const proxy = await startTcpProxy(Number(world.database.url.port))
  const behindProxy = new URL(world.database.url)
  behindProxy.port = String(proxy.port)
  const cut = await world.startAnother({ PORT: '0', DATABASE_URL: behindProxy.href }, 'api')
  const tokens = await connect(browser, app)
  const { url } = await askAccess(app)
  expect(await apiStatus(cut.url, tokens.access)).toBe(200)
  await proxy.close()

  expect(await apiStatus(cut.url, tokens.access)).toBe(503)
  const refused = await refresh(at(cut), app, tokens.refresh)
  expect([refused.status, refused.json]).toEqual([503, { error: 'server_error' }])
  expect(refused.headers.get('cache-control')).toBe('no-store')
  const asked = await call(url.replace(world.url, cut.url))
  expect([asked.status, asked.headers.get('location')]).toEqual([503, null])
  expect(asked.text).toContain('Something broke on our side')
  const faults = () =>
    [...cut.output().matchAll(/"level":"error".*"route":"([^"]*)"/g)].map(([, route]) => route)
  await expect.poll(faults).toEqual(['/api/hooks', '/oauth/token', '/oauth/authorize'])
  expect((await refresh(world, app, tokens.refresh)).status).toBe(200)
})

test('what has expired is removed, and nothing else', async () => {
  const [old, kept] = [await connect(browser, app), await connect(browser, app)]
  const waiting = await arrive(browser, (await askAccess(app)).url)
  const { query } = world.database
  await query(
    `UPDATE grants SET expires_at = now() - interval '1 second'
     WHERE digest = (SELECT grant_digest FROM oauth_records WHERE digest = $1)`,
    [digestOf(world.vault, 'AccessToken', old.access)],
  )
  await query(`UPDATE oauth_records SET expires_at = now() - interval '1 second' WHERE digest = $1`, [
    digestOf(world.vault, 'Interaction', waiting),
  ])
  await forgetExpired(world.db)
  const isThere = async (model: string, id: string) =>
    (await query('SELECT 1 FROM oauth_records WHERE digest = $1', [digestOf(world.vault, model, id)])).length
  expect(await isThere('AccessToken', old.access)).toBe(0)
  expect(await isThere('RefreshToken', old.refresh)).toBe(0)
  expect(await isThere('Interaction', waiting)).toBe(0)
  expect(await isThere('AccessToken', kept.access)).toBe(1)
  expect(await isThere('RefreshToken', kept.refresh)).toBe(1)
  const [expired] = await query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM oauth_records WHERE expires_at < now()',
  )
  expect(expired?.count).toBe(0)
})

async function replays(): Promise<number> {
  const rows = await world.database.query(
    `SELECT 1 FROM audit WHERE action = 'token.replay' AND account_id = $1`,
    [customer.accountId],
  )
  return rows.length
}
