/** Tests invariants of deliveries with one api process, three workers, real receivers and real PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signingSecrets } from '../../src/hooks/open-secrets.ts'
import { setHookEnabled } from '../../src/hooks/set-enabled.ts'
import { discardHeld } from '../../src/delivery/queue/finish.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { waitForCounts } from '../support/counts.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
let workers: ServiceProcess[]
/** Delays the response to a request to `/slow`. */
let delayResponse: () => Promise<unknown> = () => sleep(200)

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'api')
  workers = await Promise.all([1, 2, 3].map(() => hookline.startAnother({}, 'worker')))
  gateway = await createGateway(hookline)
  const seen = new Set<string>()
  receiver = await startReceiver(async (request, response) => {
    const [, path] = request.url.split(/[/?]/)
    const first = !seen.has(`${idOf(request)} ${path}`)
    seen.add(`${idOf(request)} ${path}`)
    if (path === 'slow') await delayResponse()
    response.statusCode = path === 'never' || (path === 'once' && first) ? 500 : path === 'gone' ? 410 : 204
    response.end()
  })
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function idOf(request: ReceivedRequest): string {
  return String(request.headers['webhook-id'])
}

function idsAt(hook: number | undefined): string[] {
  const requests = receiver.requests.filter((request) => request.headers['x-hookline-hook'] === `${hook}`)
  return requests.map(idOf).toSorted()
}

/** Registers a hook for `sms_mo` at a path of the receiver, with optional other fields. */
async function register(
  account: TestAccount,
  path: string,
  fields: Record<string, string> = {},
): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'sms_mo', ...fields }
  const created = await call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, form })
  expect(created.json).toMatchObject({ success: true })
  return created.json.id
}

async function unregister({ key }: TestAccount, id: number): Promise<void> {
  const deleted = await call(`${hookline.url}/api/hooks`, {
    method: 'DELETE',
    key,
    form: { id: String(id) },
  })
  expect(deleted.json).toMatchObject({ success: true })
}

function disable({ accountId }: TestAccount, hookId: number): Promise<boolean> {
  return setHookEnabled(hookline.db, 'operator', accountId, hookId, { enabled: false, reason: 'operator' })
}

async function isEnabled(hookId: number): Promise<boolean | undefined> {
  const [hook] = await hookline.database.query<{ enabled: boolean }>(
    'SELECT enabled FROM hooks WHERE id = $1',
    [hookId],
  )
  return hook?.enabled
}

function heldBy(hookId: number): Promise<object[]> {
  return hookline.database.query('SELECT event_id FROM work WHERE hook_id = $1 AND held', [hookId])
}

/** Counts the deliveries of a hook by outcome. */
function countOutcomes(hookId: number): Promise<object[]> {
  return hookline.database.query(
    `SELECT state, reason, attempts, count(*)::integer AS count FROM deliveries WHERE hook_id = $1
     GROUP BY state, reason, attempts ORDER BY state, reason, attempts`,
    [hookId],
  )
}

/** Makes all retries due until no delivery is left that could continue. */
async function expediteUntilFinished(accountIds: number[]): Promise<void> {
  const { query } = hookline.database
  await expect
    .poll(
      async () => {
        // Suspects have an infinite due time and are claimed by another query.
        await query(
          `UPDATE work SET due_at = now() WHERE account_id = ANY ($1) AND due_at > now() AND due_at < 'infinity'`,
          [accountIds],
        )
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

/** Submits more events than three workers attempt concurrently. */
async function burst({ accountId }: TestAccount): Promise<string[]> {
  return (await gateway.submitEvents(...Array.from({ length: 300 }, () => inboundSms(accountId)))).accepted
}

/**
 * Responds to only the first 20 requests to a path under `/slow` until the returned function is called. Further events
 * beyond the concurrency of the workers have to wait.
 */
function blockSlowResponses(path: string): () => void {
  const blocked = Promise.withResolvers<void>()
  delayResponse = () => (receiver.at(path).length <= 20 ? sleep(200) : blocked.promise)
  return () => {
    delayResponse = () => sleep(200)
    blocked.resolve()
  }
}

/**
 * Returns attempts of the ledger that started later than a second after the given time. The time of arrival is not used,
 * because a request can wait in the socket of a busy machine.
 */
function startedTooLate(hookId: number, after: number): Promise<object[]> {
  return hookline.database.query('SELECT * FROM all_attempts WHERE hook_id = $1 AND started_at > $2', [
    hookId,
    new Date(after + 1_000),
  ])
}

/** Submits 300 events, five per call, and returns their ids. */
async function load(account: TestAccount, system = '491700000002'): Promise<string[]> {
  const accepted: string[] = []
  for (let round = 0; round < 60; round++) {
    const events = Array.from({ length: 5 }, () => inboundSms(account.accountId, { system }))
    accepted.push(...(await gateway.submitEvents(...events)).accepted)
  }
  return accepted
}

test('every event has one delivery with state and reason for every matching webhook, and the stats agree', async () => {
  const accounts = await Promise.all([1, 2, 3].map(() => hookline.account()))
  const accountIds = accounts.map(({ accountId }) => accountId)
  const registered = await Promise.all(
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
    registered.map(async ({ account, hooks }) => {
      for (let round = 0; round < 20; round++) {
        const { accepted } = await gateway.submitEvents(
          inboundSms(account.accountId, { system: '4911' }),
          inboundSms(account.accountId, { system: '4911' }),
          inboundSms(account.accountId, { system: '4912' }),
          inboundSms(account.accountId, { system: '4913', text: 'x'.repeat(8_192) }),
        )
        expect(accepted).toHaveLength(4)
        if (round === 10) {
          await expect.poll(() => idsAt(hooks.deleted).length, { timeout: 30_000 }).toBeGreaterThan(10)
          await unregister(account, hooks.deleted)
        }
        // The last round comes after the 410 has disabled the webhook, so that both outcomes occur at any speed.
        if (round === 18) await expect.poll(() => isEnabled(hooks.gone), { timeout: 30_000 }).toBe(false)
      }
    }),
  )
  await expediteUntilFinished(accountIds)
  for (const { account, hooks } of registered)
    for (const hook of [hooks.gone, hooks.disabled]) await discardHeld(hookline.db, account.accountId, hook)

  const delivered = { state: 'delivered', reason: 'delivered' }
  for (const { hooks } of registered) {
    expect(await countOutcomes(hooks.all)).toEqual([{ ...delivered, attempts: 1, count: 80 }])
    expect(await countOutcomes(hooks.number)).toEqual([{ ...delivered, attempts: 1, count: 60 }])
    expect(await countOutcomes(hooks.long)).toEqual([
      { ...delivered, attempts: 1, count: 60 },
      { state: 'failed', reason: 'address_too_long', attempts: 1, count: 20 },
    ])
    expect([await countOutcomes(hooks.other), await countOutcomes(hooks.dlr)]).toEqual([[], []])
    expect(await countOutcomes(hooks.once)).toEqual([{ ...delivered, attempts: 2, count: 40 }])
    expect(await countOutcomes(hooks.never)).toEqual([
      { state: 'failed', reason: 'status', attempts: 12, count: 20 },
    ])
    expect(await countOutcomes(hooks.disabled)).toEqual([
      { state: 'cancelled', reason: 'discarded', attempts: 0, count: 80 },
    ])
    const [gone] = await hookline.database.query<{ count: number; kinds: string[] }>(
      `SELECT count(*)::integer AS count, array_agg(DISTINCT state || ' ' || reason) AS kinds
       FROM deliveries WHERE hook_id = $1`,
      [hooks.gone],
    )
    expect(gone).toEqual({ count: 20, kinds: ['cancelled discarded', 'failed gone'] })
    const deletedOutcomes = await hookline.database.query<{ event_id: string; state: string }>(
      'SELECT event_id, state FROM deliveries WHERE hook_id = $1',
      [hooks.deleted],
    )
    const deliveredIds = deletedOutcomes.filter((row) => row.state === 'delivered').map((row) => row.event_id)
    expect(idsAt(hooks.deleted)).toEqual(deliveredIds.toSorted())
  }
  expect(
    await hookline.database.query('SELECT event_id FROM work WHERE account_id = ANY ($1)', [accountIds]),
  ).toEqual([])

  await waitForCounts(hookline)
  const rollups = await hookline.database.query(
    `SELECT hook_id, sum(delivered)::integer AS delivered, sum(failed)::integer AS failed,
            sum(expired)::integer AS expired, sum(cancelled)::integer AS cancelled,
            sum(attempts)::integer AS attempts, sum(failures)::integer AS failures,
            sum(status_3xx)::integer AS status_3xx, sum(status_4xx)::integer AS status_4xx,
            sum(status_5xx)::integer AS status_5xx, sum(timeouts)::integer AS timeouts
     FROM rollups WHERE account_id = ANY ($1) GROUP BY hook_id ORDER BY hook_id`,
    [accountIds],
  )
  const expected = await hookline.database.query(
    `SELECT hook_id, count(*) FILTER (WHERE what = 'delivered')::integer AS delivered,
            count(*) FILTER (WHERE what = 'failed')::integer AS failed,
            count(*) FILTER (WHERE what = 'expired')::integer AS expired,
            count(*) FILTER (WHERE what = 'cancelled')::integer AS cancelled,
            count(*) FILTER (WHERE what IN ('good', 'bad'))::integer AS attempts,
            count(*) FILTER (WHERE what = 'bad')::integer AS failures,
            count(*) FILTER (WHERE kind = 3)::integer AS status_3xx, count(*) FILTER (WHERE kind = 4)::integer AS status_4xx,
            count(*) FILTER (WHERE kind = 5)::integer AS status_5xx, count(*) FILTER (WHERE kind = 0)::integer AS timeouts
     FROM (SELECT account_id, hook_id, state AS what, NULL::integer AS kind FROM deliveries
           UNION ALL SELECT account_id, hook_id, CASE reason WHEN 'delivered' THEN 'good' ELSE 'bad' END,
                            CASE WHEN reason LIKE '%timeout' THEN 0 WHEN reason <> 'delivered' THEN status / 100 END
           FROM all_attempts) AS ledger
     WHERE account_id = ANY ($1) GROUP BY hook_id ORDER BY hook_id`,
    [accountIds],
  )
  expect(expected).toHaveLength(24)
  expect(rollups).toEqual(expected)
})

test.each(['JSON', 'POST', 'GET'])('id and bytes are the same on every attempt of a %s', async (method) => {
  const account = await hookline.account()
  const hook = await register(account, '/never?own=1', { request_method: method })
  const event = await gateway.event(account.accountId, { text: 'Grüße & 😀', more: { list: [1, null, ''] } })
  await expediteUntilFinished([account.accountId])
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
  const account = await hookline.account()
  const missed: string[] = []
  for (let round = 0; round < 40; round++) {
    const system = `49${round}`
    const event_filter = round % 2 === 0 ? system : `cel:event.type == "sms_mo" && data.system == "${system}"`
    const hook = await register(account, `/created-${round}`, { event_filter })
    const event = await gateway.event(account.accountId, { system })
    await receiver.until((requests) => requests.some((r) => idOf(r) === event), 30_000)
    if (receiver.requests.find((r) => idOf(r) === event)?.headers['x-hookline-hook'] !== `${hook}`)
      missed.push(event)
  }
  expect(missed).toEqual([])
})

test('no attempt starts later than a second after a webhook was deleted, and pending deliveries are canceled', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/slow/deleted')
  const unblock = blockSlowResponses('/slow/deleted')
  await burst(account)
  const loading = load(account)
  await receiver.until(() => receiver.at('/slow/deleted').length > 20, 30_000)
  await unregister(account, hook)
  const respondedAt = Date.now()
  unblock()
  await loading
  await expediteUntilFinished([account.accountId])
  await sleep(Math.max(0, respondedAt + 2_000 - Date.now()))
  expect(await startedTooLate(hook, respondedAt)).toEqual([])
  const outcomes = await countOutcomes(hook)
  expect(outcomes.map((row) => ({ ...row, count: 0 }))).toEqual([
    { state: 'cancelled', reason: 'hook_deleted', attempts: 0, count: 0 },
    { state: 'delivered', reason: 'delivered', attempts: 1, count: 0 },
  ])
  expect(outcomes[1]).toMatchObject({ count: receiver.at('/slow/deleted').length })
})

test('no attempt starts later than a second after a webhook was disabled, and no event is lost', async () => {
  const account = await hookline.account()
  const hook = await register(account, '/slow/disabled')
  const unblock = blockSlowResponses('/slow/disabled')
  const waiting = await burst(account)
  const loading = load(account)
  await receiver.until(() => receiver.at('/slow/disabled').length > 20, 30_000)
  await disable(account, hook)
  const respondedAt = Date.now()
  unblock()
  const accepted = [...waiting, ...(await loading)]
  await expediteUntilFinished([account.accountId])
  await sleep(Math.max(0, respondedAt + 2_000 - Date.now()))
  expect(await startedTooLate(hook, respondedAt)).toEqual([])
  expect(accepted).toHaveLength(600)
  const delivered = receiver.at('/slow/disabled').length
  expect(delivered).toBeLessThan(600)
  expect(await heldBy(hook)).toHaveLength(600 - delivered)

  // Registering the hook again enables it and delivers its held events.
  expect(await register(account, '/slow/disabled')).toBe(hook)
  const fresh = await gateway.event(account.accountId)
  await expect
    .poll(() => countOutcomes(hook), { timeout: 60_000 })
    .toEqual([{ state: 'delivered', reason: 'delivered', attempts: 1, count: 601 }])
  expect(receiver.at('/slow/disabled').map(idOf).toSorted()).toEqual([...accepted, fresh].toSorted())
})

test('held events of a disabled webhook can be discarded, which is recorded', async () => {
  const [account, other] = [await hookline.account(), await hookline.account()]
  const hook = await register(account, '/dropped')
  await disable(account, hook)
  for (let count = 0; count < 3; count++) await gateway.event(account.accountId)
  await expect.poll(() => heldBy(hook), { timeout: 30_000 }).toHaveLength(3)
  expect(await discardHeld(hookline.db, other.accountId, hook)).toBe(0)
  expect(await discardHeld(hookline.db, account.accountId, hook)).toBe(3)
  expect(await countOutcomes(hook)).toEqual([
    { state: 'cancelled', reason: 'discarded', attempts: 0, count: 3 },
  ])
  expect(receiver.at('/dropped')).toEqual([])
})

test('events of an account never reach a webhook of another account', async () => {
  const [first, second] = [await hookline.account(), await hookline.account()]
  const same = { event_type: 'all' }
  const hooks = [await register(first, '/shared', same), await register(second, '/shared', same)]
  const [firstIds, secondIds] = [await load(first), await load(second)]
  await expediteUntilFinished([first.accountId, second.accountId])
  expect([firstIds.length, secondIds.length]).toEqual([300, 300])
  expect([idsAt(hooks[0]), idsAt(hooks[1])]).toEqual([firstIds.toSorted(), secondIds.toSorted()])
})

test('no log or table contains a secret in plain text', async () => {
  const account = await hookline.account()
  const canary = 'canary-4f1c9b7e2a'
  const hook = await register(account, '/never', { headers: `Authorization: Bearer ${canary}` })
  const event = await gateway.event(account.accountId)
  await receiver.until(
    (requests) => requests.some((r) => idOf(r) === event && r.headers.authorization === `Bearer ${canary}`),
    30_000,
  )
  await expect
    .poll(() => hookline.database.query('SELECT reason FROM all_attempts WHERE event_id = $1', [event]), {
      timeout: 30_000,
    })
    .toEqual([{ reason: 'status' }])
  const keys = await signingSecrets(hookline.db, hookline.vault, account.accountId, hook)
  if (keys === undefined) throw new Error('the hook has no secrets')
  const rawSecret = Buffer.from(keys.secret.replace('whsec_', ''), 'base64')
  const secrets = [canary, gateway.key, account.key, account.password, hookline.masterKey]
  const hidden = [...secrets, keys.secret, rawSecret.toString('base64'), keys.signingKey]
  const inHex = [...secrets.map((secret) => Buffer.from(secret).toString('hex')), rawSecret.toString('hex')]

  const tables = await hookline.database.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class AS c
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )
  const stored: string[] = []
  for (const { name } of tables) {
    const rows = await hookline.database.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`)
    stored.push(...rows.map(({ row }) => row))
  }
  const output = (): string[] =>
    [hookline.service, ...workers].flatMap((service) => service.output().split('\n'))
  // A worker logs the attempt after the commit.
  await expect.poll(() => output().some((line) => line.includes(event)), { timeout: 30_000 }).toBe(true)
  const printed = output()
  const isVisible = (text: string): boolean => [...stored, ...printed].some((line) => line.includes(text))
  // The search works: tables and the log of a worker contain the id of the event.
  expect([stored, printed].map((lines) => lines.some((line) => line.includes(event)))).toEqual([true, true])
  expect([...hidden, ...inHex].filter(isVisible)).toEqual([])
})
