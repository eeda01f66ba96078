/** What must stay true of deliveries: one api process and three workers, real receivers, real PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signingSecrets } from '../src/hooks/delivery-hooks.ts'
import { setHookEnabled } from '../src/hooks/set-enabled.ts'
import { dropHeld } from '../src/pipeline/work/finish.ts'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 120_000 })

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
let workers: ServiceProcess[]
/** How long a request to `/slow` waits for its answer. */
let slowly: () => Promise<unknown> = () => sleep(200)

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  workers = await Promise.all([1, 2, 3].map(() => world.startAnother({}, 'worker')))
  gateway = await createGateway(world)
  const seen = new Set<string>()
  receiver = await startReceiver(async (request, response) => {
    const [, path] = request.url.split(/[/?]/)
    const first = !seen.has(`${idOf(request)} ${path}`)
    seen.add(`${idOf(request)} ${path}`)
    if (path === 'slow') await slowly()
    response.statusCode = path === 'never' || (path === 'once' && first) ? 500 : path === 'gone' ? 410 : 204
    response.end()
  })
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

function idOf(request: ReceivedRequest): string {
  return String(request.headers['webhook-id'])
}

function idsAt(hook: number | undefined): string[] {
  const own = receiver.requests.filter((request) => request.headers['x-hookline-hook'] === `${hook}`)
  return own.map(idOf).toSorted()
}

/** A hook of `sms_mo` at a path of the receiver, unless something else is said. */
async function register(
  account: TestAccount,
  path: string,
  more: Record<string, string> = {},
): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'sms_mo', ...more }
  const created = await call(`${world.url}/api/hooks`, { method: 'POST', key: account.key, form })
  expect(created.json).toMatchObject({ success: true })
  return created.json.id
}

async function unregister({ key }: TestAccount, id: number): Promise<void> {
  const deleted = await call(`${world.url}/api/hooks`, {
    method: 'DELETE',
    key,
    form: { id: String(id) },
  })
  expect(deleted.json).toMatchObject({ success: true })
}

function disable({ accountId }: TestAccount, hookId: number): Promise<boolean> {
  return setHookEnabled(world.db, 'operator', accountId, hookId, { enabled: false, reason: 'test' })
}

async function isEnabled(hookId: number): Promise<boolean | undefined> {
  const [hook] = await world.database.query<{ enabled: boolean }>('SELECT enabled FROM hooks WHERE id = $1', [
    hookId,
  ])
  return hook?.enabled
}

function heldBy(hookId: number): Promise<object[]> {
  return world.database.query('SELECT event_id FROM work WHERE hook_id = $1 AND held', [hookId])
}

/** How many deliveries of a hook ended how. */
function endsOf(hookId: number): Promise<object[]> {
  return world.database.query(
    `SELECT state, reason, attempts, count(*)::integer AS count FROM deliveries WHERE hook_id = $1
     GROUP BY state, reason, attempts ORDER BY state, reason, attempts`,
    [hookId],
  )
}

/** Lets every retry be due now, until no work is left that could go on. */
async function hurryUntilNoWork(accountIds: number[]): Promise<void> {
  const { query } = world.database
  await expect
    .poll(
      async () => {
        await query('UPDATE work SET due_at = now() WHERE account_id = ANY ($1) AND due_at > now()', [
          accountIds,
        ])
        await query(
          `UPDATE lane SET due_at = least(due_at, now()), open_seconds = 0, not_before = '-infinity'
           WHERE account_id = ANY ($1) AND greatest(due_at, not_before) > now()`,
          [accountIds],
        )
        return query(
          `SELECT event_id FROM inbox WHERE account_id = ANY ($1)
           UNION ALL SELECT event_id FROM work WHERE account_id = ANY ($1) AND NOT held`,
          [accountIds],
        )
      },
      { timeout: 60_000, interval: 100 },
    )
    .toEqual([])
}

/** More events at once than three workers attempt at once. */
async function burst({ accountId }: TestAccount): Promise<string[]> {
  return (await gateway.handIn(...Array.from({ length: 300 }, () => inboundSms(accountId)))).accepted
}

/**
 * Of the requests to a path under `/slow` only the first 20 are answered until it is called: what is more than the workers
 * attempt at once has to wait.
 */
function holdSlow(path: string): () => void {
  const held = Promise.withResolvers<void>()
  slowly = () => (receiver.at(path).length <= 20 ? sleep(200) : held.promise)
  return () => {
    slowly = () => sleep(200)
    held.resolve()
  }
}

/**
 * Attempts that started later than a second after an instant, by the ledger. When the receiver got to see them is no
 * measure: on a busy machine a request may lie in its socket for a while.
 */
function startedTooLate(hookId: number, after: number): Promise<object[]> {
  return world.database.query('SELECT * FROM attempts WHERE hook_id = $1 AND started_at > $2', [
    hookId,
    new Date(after + 1_000),
  ])
}

/** Everything a hook gets while the load goes on, of 300 events handed in by fives. */
async function load(account: TestAccount, system = '491700000002'): Promise<string[]> {
  const accepted: string[] = []
  for (let turn = 0; turn < 60; turn++) {
    const events = Array.from({ length: 5 }, () => inboundSms(account.accountId, { system }))
    accepted.push(...(await gateway.handIn(...events)).accepted)
  }
  return accepted
}

test('every event ends at every webhook that matched it in one delivery with its state and reason, and the figures agree', async () => {
  const accounts = await Promise.all([1, 2, 3].map(() => world.account()))
  const accountIds = accounts.map(({ accountId }) => accountId)
  const made = await Promise.all(
    accounts.map(async (account) => {
      const hooks = {
        all: await register(account, '/all', { event_type: 'all', request_method: 'JSON' }),
        number: await register(account, '/number', { event_filter: '4911, 4912' }),
        long: await register(account, '/long', { request_method: 'GET' }),
        other: await register(account, '/other', { event_filter: '4999' }),
        dlr: await register(account, '/dlr', { event_type: 'dlr' }),
        once: await register(account, '/once', { event_filter: '4911' }),
        never: await register(account, '/never', { event_filter: '4912' }),
        gone: await register(account, '/gone', { event_filter: '4913' }),
        disabled: await register(account, '/disabled'),
        deleted: await register(account, '/deleted'),
      }
      await disable(account, hooks.disabled)
      return { account, hooks }
    }),
  )
  await Promise.all(
    made.map(async ({ account, hooks }) => {
      for (let turn = 0; turn < 20; turn++) {
        const { accepted } = await gateway.handIn(
          inboundSms(account.accountId, { system: '4911' }),
          inboundSms(account.accountId, { system: '4911' }),
          inboundSms(account.accountId, { system: '4912' }),
          inboundSms(account.accountId, { system: '4913', text: 'x'.repeat(8_192) }),
        )
        expect(accepted).toHaveLength(4)
        if (turn === 10) {
          await expect.poll(() => idsAt(hooks.deleted).length, { timeout: 30_000 }).toBeGreaterThan(10)
          await unregister(account, hooks.deleted)
        }
        // The last turn comes after the answer 410 was obeyed, so that both ends are seen however fast turns follow.
        if (turn === 18) await expect.poll(() => isEnabled(hooks.gone), { timeout: 30_000 }).toBe(false)
      }
    }),
  )
  await hurryUntilNoWork(accountIds)
  for (const { account, hooks } of made)
    for (const hook of [hooks.gone, hooks.disabled]) await dropHeld(world.db, account.accountId, hook)

  const delivered = { state: 'delivered', reason: 'delivered' }
  for (const { hooks } of made) {
    expect(await endsOf(hooks.all)).toEqual([{ ...delivered, attempts: 1, count: 80 }])
    expect(await endsOf(hooks.number)).toEqual([{ ...delivered, attempts: 1, count: 60 }])
    expect(await endsOf(hooks.long)).toEqual([
      { ...delivered, attempts: 1, count: 60 },
      { state: 'failed', reason: 'address_too_long', attempts: 1, count: 20 },
    ])
    expect([await endsOf(hooks.other), await endsOf(hooks.dlr)]).toEqual([[], []])
    expect(await endsOf(hooks.once)).toEqual([{ ...delivered, attempts: 2, count: 40 }])
    expect(await endsOf(hooks.never)).toEqual([
      { state: 'failed', reason: 'status', attempts: 12, count: 20 },
    ])
    expect(await endsOf(hooks.disabled)).toEqual([
      { state: 'cancelled', reason: 'dropped_by_owner', attempts: 0, count: 80 },
    ])
    const [gone] = await world.database.query<{ count: number; kinds: string[] }>(
      `SELECT count(*)::integer AS count, array_agg(DISTINCT state || ' ' || reason) AS kinds
       FROM deliveries WHERE hook_id = $1`,
      [hooks.gone],
    )
    expect(gone).toEqual({ count: 20, kinds: ['cancelled dropped_by_owner', 'failed gone'] })
    const endedOfDeleted = await world.database.query<{ event_id: string; state: string }>(
      'SELECT event_id, state FROM deliveries WHERE hook_id = $1',
      [hooks.deleted],
    )
    const deliveredIds = endedOfDeleted.filter((row) => row.state === 'delivered').map((row) => row.event_id)
    expect(idsAt(hooks.deleted)).toEqual(deliveredIds.toSorted())
  }
  expect(
    await world.database.query('SELECT event_id FROM work WHERE account_id = ANY ($1)', [accountIds]),
  ).toEqual([])

  const counted = await world.database.query(
    `SELECT hook_id, sum(delivered)::integer AS delivered, sum(failed)::integer AS failed,
            sum(expired)::integer AS expired, sum(cancelled)::integer AS cancelled,
            sum(attempts)::integer AS attempts, sum(failures)::integer AS failures
     FROM rollups WHERE account_id = ANY ($1) GROUP BY hook_id ORDER BY hook_id`,
    [accountIds],
  )
  const summed = await world.database.query(
    `SELECT hook_id, count(*) FILTER (WHERE what = 'delivered')::integer AS delivered,
            count(*) FILTER (WHERE what = 'failed')::integer AS failed,
            count(*) FILTER (WHERE what = 'expired')::integer AS expired,
            count(*) FILTER (WHERE what = 'cancelled')::integer AS cancelled,
            count(*) FILTER (WHERE what IN ('good', 'bad'))::integer AS attempts,
            count(*) FILTER (WHERE what = 'bad')::integer AS failures
     FROM (SELECT account_id, hook_id, state AS what FROM deliveries
           UNION ALL SELECT account_id, hook_id, CASE reason WHEN 'delivered' THEN 'good' ELSE 'bad' END
           FROM attempts) AS ledger
     WHERE account_id = ANY ($1) GROUP BY hook_id ORDER BY hook_id`,
    [accountIds],
  )
  expect(summed).toHaveLength(24)
  expect(counted).toEqual(summed)
})

test.each(['JSON', 'POST', 'GET'])('id and bytes are the same on every attempt of a %s', async (method) => {
  const account = await world.account()
  const hook = await register(account, '/never?own=1', { request_method: method })
  const event = await gateway.event(account.accountId, { text: 'Grüße & 😀', more: { list: [1, null, ''] } })
  await hurryUntilNoWork([account.accountId])
  const sent = receiver.requests.filter((request) => request.headers['x-hookline-hook'] === `${hook}`)
  expect(sent.map((request) => request.headers['x-hookline-attempt'])).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '10',
    '11',
    '12',
  ])
  expect(new Set(sent.map(idOf))).toEqual(new Set([event]))
  expect(new Set(sent.map((request) => `${request.method} ${request.url} ${request.body}`)).size).toBe(1)
  expect(new Set(sent.map((request) => request.headers['x-nonce'])).size).toBe(12)
})

test('an event accepted after a webhook was created is matched against it, by number and by expression', async () => {
  const account = await world.account()
  const missed: string[] = []
  for (let turn = 0; turn < 40; turn++) {
    const system = `49${turn}`
    const event_filter = turn % 2 === 0 ? system : `cel:event.type == "sms_mo" && data.system == "${system}"`
    const hook = await register(account, `/created-${turn}`, { event_filter })
    const event = await gateway.event(account.accountId, { system })
    await receiver.until((got) => got.some((r) => idOf(r) === event), 30_000)
    if (receiver.requests.find((r) => idOf(r) === event)?.headers['x-hookline-hook'] !== `${hook}`)
      missed.push(event)
  }
  expect(missed).toEqual([])
})

test('no attempt starts later than a second after a webhook was deleted, and what waited is cancelled', async () => {
  const account = await world.account()
  const hook = await register(account, '/slow/deleted')
  const letGo = holdSlow('/slow/deleted')
  await burst(account)
  const loading = load(account)
  await receiver.until(() => receiver.at('/slow/deleted').length > 20, 30_000)
  await unregister(account, hook)
  const answeredAt = Date.now()
  letGo()
  await loading
  await hurryUntilNoWork([account.accountId])
  await sleep(Math.max(0, answeredAt + 2_000 - Date.now()))
  expect(await startedTooLate(hook, answeredAt)).toEqual([])
  const ends = await endsOf(hook)
  expect(ends.map((row) => ({ ...row, count: 0 }))).toEqual([
    { state: 'cancelled', reason: 'hook_deleted', attempts: 0, count: 0 },
    { state: 'delivered', reason: 'delivered', attempts: 1, count: 0 },
  ])
  expect(ends[1]).toMatchObject({ count: receiver.at('/slow/deleted').length })
})

test('no attempt starts later than a second after a webhook was disabled, and not one event is lost', async () => {
  const account = await world.account()
  const hook = await register(account, '/slow/disabled')
  const letGo = holdSlow('/slow/disabled')
  const waiting = await burst(account)
  const loading = load(account)
  await receiver.until(() => receiver.at('/slow/disabled').length > 20, 30_000)
  await disable(account, hook)
  const answeredAt = Date.now()
  letGo()
  const accepted = [...waiting, ...(await loading)]
  await hurryUntilNoWork([account.accountId])
  await sleep(Math.max(0, answeredAt + 2_000 - Date.now()))
  expect(await startedTooLate(hook, answeredAt)).toEqual([])
  expect(accepted).toHaveLength(600)
  const delivered = receiver.at('/slow/disabled').length
  expect(delivered).toBeLessThan(600)
  expect(await heldBy(hook)).toHaveLength(600 - delivered)

  // Registering it again enables it, and what it holds is delivered.
  expect(await register(account, '/slow/disabled')).toBe(hook)
  const fresh = await gateway.event(account.accountId)
  await expect
    .poll(() => endsOf(hook), { timeout: 60_000 })
    .toEqual([{ state: 'delivered', reason: 'delivered', attempts: 1, count: 601 }])
  expect(receiver.at('/slow/disabled').map(idOf).toSorted()).toEqual([...accepted, fresh].toSorted())
})

test('what a disabled webhook holds can be dropped, and is recorded as that', async () => {
  const [account, other] = [await world.account(), await world.account()]
  const hook = await register(account, '/dropped')
  await disable(account, hook)
  for (let count = 0; count < 3; count++) await gateway.event(account.accountId)
  await expect.poll(() => heldBy(hook), { timeout: 30_000 }).toHaveLength(3)
  expect(await dropHeld(world.db, other.accountId, hook)).toBe(0)
  expect(await dropHeld(world.db, account.accountId, hook)).toBe(3)
  expect(await endsOf(hook)).toEqual([
    { state: 'cancelled', reason: 'dropped_by_owner', attempts: 0, count: 3 },
  ])
  expect(receiver.at('/dropped')).toEqual([])
})

test("an account's events never reach another account's webhook", async () => {
  const [mine, theirs] = [await world.account(), await world.account()]
  const same = { event_type: 'all' }
  const hooks = [await register(mine, '/shared', same), await register(theirs, '/shared', same)]
  const [own, foreign] = [await load(mine), await load(theirs)]
  await hurryUntilNoWork([mine.accountId, theirs.accountId])
  expect([own.length, foreign.length]).toEqual([300, 300])
  expect([idsAt(hooks[0]), idsAt(hooks[1])]).toEqual([own.toSorted(), foreign.toSorted()])
})

test('no secret stands in clear in any log or table', async () => {
  const account = await world.account()
  const canary = 'canary-4f1c9b7e2a'
  const hook = await register(account, '/never', { headers: `Authorization: Bearer ${canary}` })
  const event = await gateway.event(account.accountId)
  await receiver.until(
    (got) => got.some((r) => idOf(r) === event && r.headers.authorization === `Bearer ${canary}`),
    30_000,
  )
  await expect
    .poll(() => world.database.query('SELECT reason FROM attempts WHERE event_id = $1', [event]), {
      timeout: 30_000,
    })
    .toEqual([{ reason: 'status' }])
  const keys = await signingSecrets(world.db, world.vault, account.accountId, hook)
  if (keys === undefined) throw new Error('the hook has no secrets')
  const rawSecret = Buffer.from(keys.secret.replace('whsec_', ''), 'base64')
  const secrets = [canary, gateway.key, account.key, account.password, world.masterKey]
  const hidden = [...secrets, keys.secret, rawSecret.toString('base64'), keys.signatureKey]
  const inHex = [...secrets.map((secret) => Buffer.from(secret).toString('hex')), rawSecret.toString('hex')]

  const tables = await world.database.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class AS c
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )
  const kept: string[] = []
  for (const { name } of tables) {
    const rows = await world.database.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`)
    kept.push(...rows.map(({ row }) => row))
  }
  const output = (): string[] =>
    [world.service, ...workers].flatMap((service) => service.output().split('\n'))
  // A worker prints its line after the commit.
  await expect.poll(() => output().some((line) => line.includes(event)), { timeout: 30_000 }).toBe(true)
  const printed = output()
  const seen = (text: string): boolean => [...kept, ...printed].some((line) => line.includes(text))
  // The search finds what is there: the event's id stands in tables and in a worker's log.
  expect([kept, printed].map((lines) => lines.some((line) => line.includes(event)))).toEqual([true, true])
  expect([...hidden, ...inHex].filter(seen)).toEqual([])
})
