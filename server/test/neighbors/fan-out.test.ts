/** Tests that an account whose events go to many webhooks delays only itself. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { createHookCache, type CachedHook } from '../../src/hooks/hook-cache.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
let worker: ServiceProcess | undefined

const wideHooks = 100
const wideEvents = 120
const lightEvents = 20

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterEach(async () => {
  await worker?.stop()
  worker = undefined
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

async function accountWith(hooks: number, path: string): Promise<number> {
  const { accountId } = await hookline.account()
  await hookline.database.query(
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
    const arrivedIds = new Set(
      requests.filter(({ url }) => url === path).map(({ headers }) => headers['webhook-id']),
    )
    return eventIds.every((id) => arrivedIds.has(id))
  }, 60_000)
}

async function countUnrouted(accountId: number): Promise<number> {
  const [row] = await hookline.database.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM inbox WHERE account_id = $1',
    [accountId],
  )
  return row?.count ?? 0
}

test('events of other accounts overtake those of an account with many webhooks, and all events are routed', async () => {
  const wide = await accountWith(wideHooks, '/wide-')
  const light = await accountWith(1, '/light-')
  // When the worker starts, all events of the wide account are ahead of those of the light account.
  await gateway.submitEvents(...events(wide, wideEvents))
  const { accepted } = await gateway.submitEvents(...events(light, lightEvents))
  worker = await hookline.startAnother({}, 'worker')
  await untilArrived('/light-1', accepted)
  expect(await countUnrouted(wide)).toBeGreaterThan(wideEvents / 2)

  await expect.poll(() => countUnrouted(wide), { timeout: 90_000, interval: 250 }).toBe(0)
  const rows = await hookline.database.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM work WHERE account_id = $1)::integer
          + (SELECT count(*) FROM deliveries WHERE account_id = $1)::integer AS count`,
    [wide],
  )
  expect(rows).toEqual([{ count: wideHooks * wideEvents }])
}, 180_000)

test('events set apart by one worker are found by the next one', async () => {
  const accountId = await accountWith(1, '/apart-')
  const { accepted } = await gateway.submitEvents(...events(accountId, 5))
  await hookline.database.query('UPDATE inbox SET apart = true WHERE event_id = ANY ($1::uuid[])', [accepted])
  worker = await hookline.startAnother({}, 'worker')
  await untilArrived('/apart-1', accepted)
  expect(await countUnrouted(accountId)).toBe(0)
})

test('an account whose webhooks load slowly does not delay others', async () => {
  const slow = await accountWith(1, '/slow-')
  const quick = await accountWith(1, '/quick-')
  worker = await hookline.startAnother({}, 'worker')
  const cached = await gateway.submitEvents(...events(quick, 1))
  await untilArrived('/quick-1', cached.accepted)
  // The worker has the webhooks of one account in memory. Loading those of the other records the version in use. That waits
  // for a transaction which has recorded the same version and not committed.
  await hookline.database.query('BEGIN')
  try {
    await hookline.database.query(
      'INSERT INTO hook_version_uses (account_id, version) SELECT id, hooks_version FROM accounts WHERE id = $1',
      [slow],
    )
    const delayed = await gateway.submitEvents(...events(slow, 3))
    const startedAt = performance.now()
    for (let batch = 0; batch < 5; batch++) {
      const { accepted } = await gateway.submitEvents(...events(quick, 2))
      await untilArrived('/quick-1', accepted)
    }
    // A waiting statement times out after five seconds, and then no account would be delayed.
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    expect(receiver.requests.filter(({ url }) => url === '/slow-1')).toEqual([])
    // The events were claimed once and not released. They continue as soon as their webhooks are loaded.
    expect(await hookline.database.query('SELECT tries FROM inbox WHERE account_id = $1', [slow])).toEqual(
      delayed.accepted.map(() => ({ tries: 1 })),
    )
    await hookline.database.query('ROLLBACK')
    await untilArrived('/slow-1', delayed.accepted)
  } finally {
    await hookline.database.query('ROLLBACK')
  }
})

test('workers that load the same version of webhooks record its use once', async () => {
  const accountId = await accountWith(1, '/used-')
  const load = () => createHookCache(hookline.db, hookline.vault, { recordsUse: true }).load([accountId])
  const { database } = hookline
  await load()
  await database.query(
    `CREATE FUNCTION reject_use() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'recorded again'; END $$`,
  )
  await database.query(
    `CREATE TRIGGER reject BEFORE INSERT ON hook_version_uses FOR EACH ROW EXECUTE FUNCTION reject_use()`,
  )
  try {
    await load()
    await database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [accountId])
    await expect(load()).rejects.toThrow('recorded again')
  } finally {
    await database.query('DROP FUNCTION reject_use CASCADE')
  }
})

test('reloading an account is linear, not quadratic, in its number of webhooks', async () => {
  // As in most installations, the planner expects one hook per account.
  await hookline.database.query(
    `WITH created AS (INSERT INTO accounts (name) SELECT 'one' FROM generate_series(1, 2000) RETURNING id)
     INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT id, $1, $1, 'all', 'JSON', uuid_send(gen_random_uuid()) FROM created`,
    [receiver.url('/one')],
  )
  await hookline.database.query('ANALYZE hooks')
  const minLoadMs = async (count: number): Promise<number> => {
    const accountId = await accountWith(count, `/of-${count}-`)
    const hooks = createHookCache(hookline.db, hookline.vault)
    await hooks.load([accountId])
    const times: number[] = []
    for (let load = 0; load < 5; load++) {
      await hookline.database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
        accountId,
      ])
      const startedAt = performance.now()
      await hooks.load([accountId])
      times.push(performance.now() - startedAt)
    }
    return Math.min(...times)
  }
  const few = await minLoadMs(400)
  const many = await minLoadMs(4_000)
  // Ten times as many hooks. Quadratic growth would be a factor of 100.
  expect(many / few).toBeLessThan(30)
})

test('of accounts loaded together, one with few webhooks is in memory before one with many', async () => {
  const many = await accountWith(2_000, '/many-')
  const few = await accountWith(1, '/few-')
  const hooks = createHookCache(hookline.db, hookline.vault)
  const loading = hooks.load([many, few])
  await expect.poll(() => hooks.get(few), { interval: 1 }).toBeDefined()
  expect(hooks.get(many)).toBeUndefined()
  await loading
  expect(hooks.get(many)?.hooks.size).toBe(2_000)
})

test('unchanged webhooks are not reloaded, regardless of the number of requests', async () => {
  const accountId = await accountWith(3, '/loaded-')
  const hooks = createHookCache(hookline.db, hookline.vault)
  await hooks.load([accountId])
  const first = hooks.get(accountId)
  await Promise.all(Array.from({ length: 50 }, () => hooks.load([accountId])))
  expect(hooks.get(accountId)).toBe(first)

  await hookline.database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
    accountId,
  ])
  await hooks.load([accountId])
  expect(hooks.get(accountId)?.version).toBe(String(Number(first?.version) + 1))
})

test('webhooks with a secret in rotation are reloaded, because the old secret expires', async () => {
  const accountId = await accountWith(1, '/rotated-')
  const rotatedAt = (age: string): Promise<object[]> =>
    hookline.database.query(
      `UPDATE hooks SET secret_generation = 2, secret_rotated_at = now() - $2::interval WHERE account_id = $1`,
      [accountId, age],
    )
  const secrets = (): number | undefined =>
    [...(hooks.get(accountId)?.hooks.values() ?? [])][0]?.secrets.length
  const hooks = createHookCache(hookline.db, hookline.vault)
  await rotatedAt('1 hour')
  await hooks.load([accountId])
  expect(secrets()).toBe(2)
  // From here on only time passes: the entry ends with the old secret.
  await rotatedAt('23 hours 59 minutes 57 seconds')
  hooks.invalidate(accountId)
  await hooks.load([accountId])
  expect(secrets()).toBe(2)
  await expect.poll(() => hooks.get(accountId), { timeout: 10_000 }).toBeUndefined()
  await hooks.load([accountId])
  expect(secrets()).toBe(1)
})

test('only changed webhooks of an account are reloaded', async () => {
  const accountId = await accountWith(4, '/changed-')
  const hooks = createHookCache(hookline.db, hookline.vault)
  const load = async (): Promise<Array<[number, CachedHook]>> => {
    await hookline.database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
      accountId,
    ])
    await hooks.load([accountId])
    return [...(hooks.get(accountId)?.hooks ?? [])]
  }
  const first = await load()
  const [filtered, limited, deleted, unchanged] = first.map(([id]) => id)
  const change = (set: string, id: number | undefined): Promise<object[]> =>
    hookline.database.query(`UPDATE hooks SET ${set} WHERE id = $1`, [id])
  await change(`event_filter = 'data.text == "x"'`, filtered)
  await change('max_per_second = 7', limited)
  await hookline.database.query('DELETE FROM hooks WHERE id = $1', [deleted])
  const second = await load()
  expect(second.map(([id]) => id)).toEqual([filtered, limited, unchanged])
  expect(hookIn(second, unchanged)).toBe(hookIn(first, unchanged))
  expect(hookIn(second, filtered)).toEqual({
    ...hookIn(first, filtered),
    filter: 'data.text == "x"',
    rowVersion: expect.any(String),
  })
  expect(hookIn(second, limited)?.maxPerSecond).toBe(7)

  await change(`secret_generation = 2, secret_rotated_at = now()`, unchanged)
  const third = await load()
  expect(hookIn(third, unchanged)?.secrets).toHaveLength(2)
  expect(hookIn(third, limited)).toBe(hookIn(second, limited))
  await change(`secret_rotated_at = now() - interval '25 hours'`, unchanged)
  expect(hookIn(await load(), unchanged)?.secrets).toHaveLength(1)
})

test('unchanged webhooks of an invalidated account are not read again', async () => {
  const accountId = await accountWith(2, '/forgotten-')
  const hooks = createHookCache(hookline.db, hookline.vault)
  await hooks.load([accountId])
  const first = [...(hooks.get(accountId)?.hooks ?? [])]
  await hookline.database.query('UPDATE hooks SET max_per_second = 7 WHERE id = $1', [first[0]?.[0]])
  hooks.invalidate(accountId)
  expect(hooks.get(accountId)).toBeUndefined()
  await hooks.load([accountId])
  const second = [...(hooks.get(accountId)?.hooks ?? [])]
  expect(second.map(([, hook]) => hook.maxPerSecond)).toEqual([7, null])
  expect(second[1]?.[1]).toBe(first[1]?.[1])
})

function hookIn(loaded: Array<[number, CachedHook]>, id: number | undefined): CachedHook | undefined {
  return new Map(loaded).get(id ?? 0)
}
