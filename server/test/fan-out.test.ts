/** An account whose events go to many webhooks delays itself and nobody else. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { createDeliveryHooks, type DeliveryHook } from '../src/hooks/delivery-hooks.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestWorld } from './service.ts'

let world: TestWorld
let gateway: Gateway
let receiver: Receiver

const wideHooks = 100
const wideEvents = 120
const lightEvents = 20

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  gateway = await createGateway(world)
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

async function accountWith(hooks: number, path: string): Promise<number> {
  const { accountId } = await world.account()
  await world.database.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT $1, $2 || n, $2 || n, 'all', 'JSON', uuid_send(gen_random_uuid()) FROM generate_series(1, $3::integer) AS n`,
    [accountId, receiver.url(path), hooks],
  )
  return accountId
}

const events = (accountId: number, count: number): object[] =>
  Array.from({ length: count }, () => inboundSms(accountId))

async function untilArrived(path: string, eventIds: readonly string[]): Promise<void> {
  await receiver.until((requests) => {
    const got = new Set(
      requests.filter(({ url }) => url === path).map(({ headers }) => headers['webhook-id']),
    )
    return eventIds.every((id) => got.has(id))
  }, 60_000)
}

async function unroutedOf(accountId: number): Promise<number> {
  const [row] = await world.database.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM inbox WHERE account_id = $1',
    [accountId],
  )
  return row?.count ?? 0
}

test('events of an account with many webhooks are overtaken by those of others, and are all routed', async () => {
  const wide = await accountWith(wideHooks, '/wide-')
  const light = await accountWith(1, '/light-')
  // The light account's events lie behind all of the wide one's when the worker starts.
  await gateway.handIn(...events(wide, wideEvents))
  const { accepted } = await gateway.handIn(...events(light, lightEvents))
  await world.startAnother({}, 'worker')
  await untilArrived('/light-1', accepted)
  expect(await unroutedOf(wide)).toBeGreaterThan(wideEvents / 2)

  await expect.poll(() => unroutedOf(wide), { timeout: 90_000, interval: 250 }).toBe(0)
  const rows = await world.database.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM work WHERE account_id = $1)::integer
          + (SELECT count(*) FROM deliveries WHERE account_id = $1)::integer AS count`,
    [wide],
  )
  expect(rows).toEqual([{ count: wideHooks * wideEvents }])
}, 180_000)

test('events that a worker has set apart are found by the next one', async () => {
  const accountId = await accountWith(1, '/apart-')
  const { accepted } = await gateway.handIn(...events(accountId, 5))
  await world.database.query('UPDATE inbox SET apart = true WHERE event_id = ANY ($1::uuid[])', [accepted])
  await world.startAnother({}, 'worker')
  await untilArrived('/apart-1', accepted)
  expect(await unroutedOf(accountId)).toBe(0)
})

test('webhooks that have not changed are not loaded again, however many ask for them', async () => {
  const accountId = await accountWith(3, '/loaded-')
  const hooks = createDeliveryHooks(world.db, world.vault)
  await hooks.load([accountId])
  const first = hooks.get(accountId)
  await Promise.all(Array.from({ length: 50 }, () => hooks.load([accountId])))
  expect(hooks.get(accountId)).toBe(first)

  await world.database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
    accountId,
  ])
  await hooks.load([accountId])
  expect(hooks.get(accountId)?.version).toBe(String(Number(first?.version) + 1))
})

test('webhooks whose secret is being rotated are loaded again, because the old secret ends with time', async () => {
  const accountId = await accountWith(1, '/rotated-')
  const rotatedAt = (age: string): Promise<object[]> =>
    world.database.query(
      `UPDATE hooks SET secret_generation = 2, secret_rotated_at = now() - $2::interval WHERE account_id = $1`,
      [accountId, age],
    )
  const secrets = (): number | undefined =>
    [...(hooks.get(accountId)?.hooks.values() ?? [])][0]?.secrets.length
  const hooks = createDeliveryHooks(world.db, world.vault)
  await rotatedAt('1 hour')
  await hooks.load([accountId])
  expect(secrets()).toBe(2)
  await rotatedAt('25 hours')
  await hooks.load([accountId])
  expect(secrets()).toBe(1)
})

test('of the webhooks of an account, only those that have changed are loaded again', async () => {
  const accountId = await accountWith(4, '/changed-')
  const hooks = createDeliveryHooks(world.db, world.vault)
  const load = async (): Promise<Array<[number, DeliveryHook]>> => {
    await world.database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
      accountId,
    ])
    await hooks.load([accountId])
    return [...(hooks.get(accountId)?.hooks ?? [])]
  }
  const first = await load()
  const [filtered, limited, deleted, kept] = first.map(([id]) => id)
  const change = (set: string, id: number | undefined): Promise<object[]> =>
    world.database.query(`UPDATE hooks SET ${set} WHERE id = $1`, [id])
  await change(`event_filter = 'data.text == "x"'`, filtered)
  await change('most_per_second = 7', limited)
  await world.database.query('DELETE FROM hooks WHERE id = $1', [deleted])
  const second = await load()
  expect(second.map(([id]) => id)).toEqual([filtered, limited, kept])
  expect(hookIn(second, kept)).toBe(hookIn(first, kept))
  expect(hookIn(second, filtered)).toEqual({
    ...hookIn(first, filtered),
    filter: 'data.text == "x"',
    rowVersion: expect.any(String),
  })
  expect(hookIn(second, limited)?.mostPerSecond).toBe(7)

  await change(`secret_generation = 2, secret_rotated_at = now()`, kept)
  const third = await load()
  expect(hookIn(third, kept)?.secrets).toHaveLength(2)
  expect(hookIn(third, limited)).toBe(hookIn(second, limited))
  await change(`secret_rotated_at = now() - interval '25 hours'`, kept)
  expect(hookIn(await load(), kept)?.secrets).toHaveLength(1)
})

function hookIn(loaded: Array<[number, DeliveryHook]>, id: number | undefined): DeliveryHook | undefined {
  return new Map(loaded).get(id ?? 0)
}
