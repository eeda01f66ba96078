/**
 * Tests that a webhook whose row cannot be loaded is put on hold alone. Its deliveries wait, all others continue, and the
 * account and the operator see the reason.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return hookline.database.query<Row>(sql, values)
}

async function register({ key }: TestAccount, path: string, fields: object = {}): Promise<number> {
  const json = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON', ...fields }
  const response = await call(`${hookline.url}/api/hooks`, { method: 'POST', key, json })
  expect(response.status).toBe(200)
  return response.json.id
}

/** Changes the row and the version, like an edit by another version of Hookline. */
async function damage({ accountId }: TestAccount, hookId: number, assignment: string): Promise<void> {
  await query(`UPDATE hooks SET ${assignment} WHERE account_id = $1 AND id = $2`, accountId, hookId)
  await query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', accountId)
}

/** Reads from the api. Its worker has not loaded any hook yet, so nothing is cached. */
function read({ key }: TestAccount, path: string) {
  return call(`${hookline.url}/api${path}`, { key })
}

function edit({ key }: TestAccount, hookId: number, json: object) {
  return call(`${hookline.url}/api/hooks/${hookId}`, { method: 'POST', key, json })
}

function idsAt(path: string): string[] {
  return receiver
    .at(path)
    .map(({ headers }) => String(headers['webhook-id']))
    .toSorted()
}

async function metric(name: string): Promise<number> {
  const { text } = await call(`${hookline.service.internalUrl}/metrics`)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

test.each([
  {
    name: 'a filter that cannot be compiled',
    assignment: `event_filter = 'cel:data.text ~~ 1'`,
    problem: 'filter',
    fix: { event_filter: 'cel:data.text == "wanted"' },
  },
  {
    name: 'headers that cannot be decrypted',
    assignment: `headers = '\\x0102030405'`,
    problem: 'headers',
    fix: { headers: 'X-Mended: yes' },
  },
  {
    name: 'a method of a newer version',
    assignment: `request_method = 'XML'`,
    problem: 'settings',
    fix: { request_method: 'JSON' },
  },
])('$name delays no other webhook, is visible, and deliveries resume after the fix', async (damaged) => {
  const path = `/${damaged.problem}`
  const [broken, healthy] = [await hookline.account(), await hookline.account()]
  const hook = await register(broken, `${path}/broken`)
  const sibling = await register(broken, `${path}/sibling`)
  await register(healthy, `${path}/healthy`)
  await damage(broken, hook, damaged.assignment)

  // One batch, so that the events are loaded and routed together.
  const { accepted } = await gateway.submitEvents(
    inboundSms(broken.accountId, { text: 'wanted' }),
    inboundSms(healthy.accountId),
    inboundSms(broken.accountId, { text: 'other' }),
  )
  const [matching = '', , other = ''] = accepted
  await receiver.until(
    () => receiver.at(`${path}/sibling`).length === 2 && receiver.at(`${path}/healthy`).length === 1,
    30_000,
  )
  // Due deliveries of others continue too, while these become due repeatedly.
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
  expect(overview.json.alerts).toMatchObject([
    { kind: 'unloadable', hook_id: hook, counters: { problem: damaged.problem } },
  ])
  const detail = await read(broken, `/events/${matching}`)
  expect(detail.status).toBe(200)
  const entry = detail.json.hooks.find((item: { hook_id: number }) => item.hook_id === hook)
  expect(entry.deliveries[0]).toMatchObject({
    message: expect.stringContaining('Deliveries are on hold'),
    problem: damaged.problem,
    next_reason: null,
  })
  expect((await read(broken, '/hooks/health')).status).toBe(200)
  expect(await metric('hookline_unloadable_hooks')).toBe(1)
  const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
  const { stdout } = await runAdmin(env, ['hook', 'problems', '--json'])
  expect(JSON.parse(stdout)).toMatchObject([{ hook_id: hook, problem: damaged.problem }])

  if (damaged.problem === 'headers')
    // Dropping the headers would send requests without the credential of the receiver.
    expect((await edit(broken, hook, { event_type: 'all' })).json.error_message).toContain(
      'Send "headers" again',
    )
  expect((await edit(broken, hook, damaged.fix)).status).toBe(200)
  const expected = damaged.problem === 'filter' ? [matching] : [matching, other].toSorted()
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
      [matching, other]
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

test('a webhook that becomes loadable without an edit resumes by itself', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/restored', { headers: 'X-Key: 1' })
  const [{ headers } = {}] = await query<{ headers: Buffer }>('SELECT headers FROM hooks WHERE id = $1', hook)
  await damage(account, hook, `headers = '\\x01'`)
  const id = await gateway.event(account.accountId)
  await expect
    .poll(() => query('SELECT FROM hook_problems WHERE hook_id = $1', hook), { timeout: 30_000 })
    .toHaveLength(1)
  // The version stays the same, as after the restore of a vault key.
  await query('UPDATE hooks SET headers = $2 WHERE id = $1', hook, headers)
  await expect.poll(() => idsAt('/restored'), { timeout: 30_000 }).toEqual([id])
  await expect
    .poll(() => query('SELECT FROM hook_problems WHERE hook_id = $1', hook), { timeout: 30_000 })
    .toEqual([])
})
