/**
 * A webhook whose row cannot be loaded is set aside alone: its deliveries wait, everything else goes on, and its owner and
 * the operator see why.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { runAdmin } from './admin-tool.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 120_000 })

let world: TestWorld
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(world)
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return world.database.query<Row>(sql, values)
}

async function register({ key }: TestAccount, path: string, more: object = {}): Promise<number> {
  const json = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', ...more }
  const answer = await call(`${world.url}/api/hooks`, { method: 'POST', key, json })
  expect(answer.status).toBe(200)
  return answer.json.id
}

/** As an edit by another version would leave it: the row is different, and so is the version. */
async function damage({ accountId }: TestAccount, hookId: number, what: string): Promise<void> {
  await query(`UPDATE hooks SET ${what} WHERE account_id = $1 AND id = $2`, accountId, hookId)
  await query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', accountId)
}

/** Read by the api and by a worker that has not loaded anything yet, so nothing of it is in memory. */
function read({ key }: TestAccount, path: string) {
  return call(`${world.url}/api${path}`, { key })
}

function edit({ key }: TestAccount, hookId: number, json: object) {
  return call(`${world.url}/api/hooks/${hookId}`, { method: 'POST', key, json })
}

function idsAt(path: string): string[] {
  return receiver
    .at(path)
    .map(({ headers }) => String(headers['webhook-id']))
    .toSorted()
}

async function metric(name: string): Promise<number> {
  const { text } = await call(`${world.service.internalUrl}/metrics`)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

test.each([
  {
    name: 'a filter that cannot be compiled',
    what: `event_filter = 'cel:data.text ~~ 1'`,
    problem: 'filter',
    mend: { event_filter: 'cel:data.text == "wanted"' },
  },
  {
    name: 'headers that cannot be opened',
    what: `headers = '\\x0102030405'`,
    problem: 'headers',
    mend: { headers: 'X-Mended: yes' },
  },
  {
    name: 'a method of a newer version',
    what: `request_method = 'XML'`,
    problem: 'settings',
    mend: { request_method: 'JSON' },
  },
])('$name keeps nobody else waiting, is shown, and is delivered once it is mended', async (damaged) => {
  const path = `/${damaged.problem}`
  const [broken, healthy] = [await world.account(), await world.account()]
  const hook = await register(broken, `${path}/broken`)
  const sibling = await register(broken, `${path}/sibling`)
  await register(healthy, `${path}/healthy`)
  await damage(broken, hook, damaged.what)

  // One batch, so that they are loaded and routed together.
  const { accepted } = await gateway.handIn(
    inboundSms(broken.accountId, { text: 'wanted' }),
    inboundSms(healthy.accountId),
    inboundSms(broken.accountId, { text: 'other' }),
  )
  const [wanted = '', , other = ''] = accepted
  await receiver.until(
    () => receiver.at(`${path}/sibling`).length === 2 && receiver.at(`${path}/healthy`).length === 1,
    30_000,
  )
  // Due deliveries of others go on too, while this one is due again and again.
  await expect
    .poll(() => query('SELECT attempts, lease FROM work WHERE hook_id = $1', hook), { timeout: 30_000 })
    .toEqual(Array.from({ length: 2 }, () => ({ attempts: 0, lease: null })))

  await expect
    .poll(async () => (await read(broken, `/hooks/${hook}`)).json.health, { timeout: 30_000 })
    .toMatchObject({ state: 'unloadable', problem: damaged.problem, waiting: 2 })
  const listed = await read(broken, '/hooks')
  expect([listed.status, listed.json.hooks.map(({ id }: { id: string }) => Number(id))]).toEqual([
    200,
    [hook, sibling],
  ])
  const overview = await read(broken, '/overview')
  expect(overview.json.attention).toMatchObject([{ kind: 'unloadable', hook_id: hook }])
  const story = await read(broken, `/events/${wanted}`)
  expect(story.status).toBe(200)
  const shown = story.json.hooks.find((one: { hook_id: number }) => one.hook_id === hook)
  expect(shown.deliveries[0].sentence).toContain('Deliveries are on hold')
  expect((await read(broken, '/hooks/health')).status).toBe(200)
  expect(await metric('hookline_unloadable_hooks')).toBe(1)
  const env = { DATABASE_URL: world.database.url.href, MASTER_KEY: world.masterKey }
  const { stdout } = await runAdmin(env, ['hook', 'problems', '--json'])
  expect(JSON.parse(stdout)).toMatchObject([{ hook_id: hook, problem: damaged.problem }])

  if (damaged.problem === 'headers')
    // To keep them as none would send requests without the receiver's credential.
    expect((await edit(broken, hook, { event_type: 'all' })).json.error_message).toContain(
      'Send "headers" again',
    )
  expect((await edit(broken, hook, damaged.mend)).status).toBe(200)
  const expected = damaged.problem === 'filter' ? [wanted] : [wanted, other].toSorted()
  await expect.poll(() => idsAt(`${path}/broken`), { timeout: 30_000 }).toEqual(expected)
  await expect
    .poll(
      () =>
        query('SELECT event_id, state, reason FROM deliveries WHERE hook_id = $1 ORDER BY event_id', hook),
      {
        timeout: 30_000,
      },
    )
    .toEqual(
      [wanted, other]
        .toSorted()
        .map((id) =>
          expected.includes(id)
            ? { event_id: id, state: 'delivered', reason: 'delivered' }
            : { event_id: id, state: 'cancelled', reason: 'not_matched' },
        ),
    )
  expect((await read(broken, `/hooks/${hook}`)).json.health.problem).toBeNull()
  expect(await metric('hookline_unloadable_hooks')).toBe(0)
})

test('a webhook that can be loaded again without an edit is delivered by itself', async () => {
  const account = await world.account()
  const hook = await register(account, '/restored', { headers: 'X-Key: 1' })
  const [{ headers } = {}] = await query<{ headers: Buffer }>('SELECT headers FROM hooks WHERE id = $1', hook)
  await damage(account, hook, `headers = '\\x01'`)
  const id = await gateway.event(account.accountId)
  await expect
    .poll(() => query('SELECT FROM hook_problems WHERE hook_id = $1', hook), { timeout: 30_000 })
    .toHaveLength(1)
  // No version is raised: as after a key of the vault was restored.
  await query('UPDATE hooks SET headers = $2 WHERE id = $1', hook, headers)
  await expect.poll(() => idsAt('/restored'), { timeout: 30_000 }).toEqual([id])
  await expect
    .poll(() => query('SELECT FROM hook_problems WHERE hook_id = $1', hook), { timeout: 30_000 })
    .toEqual([])
})
