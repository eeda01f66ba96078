/** Apps' access over several processes, over a restart, and after its time. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { forgetExpired } from '../src/identity/oauth/forget-expired.ts'
import { digestOf } from '../src/identity/oauth/sealed-payload.ts'
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
