/** Account events: notices as events of their own types, once each, without loops. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { publishNext } from '../../src/notices/publish-events.ts'
import { drain } from '../../src/runtime/drain.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { call } from '../support/http-call.ts'
import { createHook, endWait, failSince, recover, untilQuiet } from '../support/notices.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let receiver: Receiver
let gateway: Gateway

beforeAll(async () => {
  hookline = await startDashboardService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'all')
  receiver = await startReceiver()
  gateway = await createGateway(hookline)
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

let paths = 0

/** Registers a webhook for event types. Returns its id and path. */
async function register({ key }: TestAccount, types: object, path = `/${++paths}`) {
  const json = { target_url: receiver.url(path), request_method: 'JSON', ...types }
  const created = await call(`${hookline.url}/api/hooks/create`, { method: 'POST', key, json })
  if (created.status !== 200) throw new Error(created.text)
  return { id: created.json.hook.id as number, path }
}

async function settle(): Promise<void> {
  await endWait(hookline)
  await untilQuiet(hookline)
}

function eventsAt(path: string): Array<{ webhook_event: string; data: Record<string, unknown> }> {
  return receiver.at(path).map(({ body }) => JSON.parse(body))
}

async function countEvents({ accountId }: TestAccount): Promise<number> {
  return (await hookline.database.query('SELECT FROM events WHERE account_id = $1', [accountId])).length
}

describe('a webhook for account events', () => {
  test('gets a failure and its end, signed like every event', async () => {
    const account = await hookline.account()
    const { path } = await register(account, { event_types: ['webhook.failing', 'webhook.recovered'] })
    const hookId = await createHook(hookline, account, 'https://shop.example/orders?token=secret', {
      name: 'Orders',
    })
    await failSince(hookline, account, [hookId], '61 minutes')
    await settle()
    await receiver.until(() => eventsAt(path).length === 1)
    expect(eventsAt(path)[0]).toMatchObject({
      webhook_event: 'webhook.failing',
      data: {
        hook_id: hookId,
        hook_name: 'Orders',
        host: 'shop.example',
        stage: '1h',
        reason: null,
        status: null,
      },
    })
    expect(receiver.at(path)[0]?.headers).toMatchObject({
      'webhook-id': expect.any(String),
      'webhook-signature': expect.stringMatching(/^v1,/),
    })
    expect(receiver.at(path)[0]?.body).not.toContain('secret')
    await recover(hookline, account.accountId, [hookId])
    await settle()
    await receiver.until(() => eventsAt(path).length === 2)
    expect(eventsAt(path)[1]).toMatchObject({
      webhook_event: 'webhook.recovered',
      data: { hook_id: hookId, lost: 0 },
    })
  })

  test('is the only kind that gets them: `all` does not', async () => {
    const account = await hookline.account()
    const all = await register(account, { event_type: 'all' })
    const filtered = await register(account, { event_type: 'all', event_filter: 'cel:event.type != "dlr"' })
    const named = await register(account, { event_type: 'webhook.failing' })
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await failSince(hookline, account, [hookId], '61 minutes')
    await settle()
    await receiver.until(() => eventsAt(named.path).length === 1)
    await gateway.event(account.accountId)
    await receiver.until(() => eventsAt(all.path).length > 0 && eventsAt(filtered.path).length > 0)
    for (const { path } of [all, filtered])
      expect(eventsAt(path).map(({ webhook_event: type }) => type)).toEqual(['sms_mo'])
  })

  test('gets no event about itself or another webhook for account events, and mails say it still', async () => {
    const account = await hookline.account()
    const one = await register(account, { event_type: 'webhook.failing' })
    const other = await register(account, { event_types: ['webhook.failing', 'webhook.disabled', 'sms_mo'] })
    await failSince(hookline, account, [one.id, other.id], '61 minutes')
    await settle()
    expect(await countEvents(account)).toBe(0)
    const rows = await hookline.database.query(
      'SELECT state, is_published FROM notices WHERE account_id = $1',
      [account.accountId],
    )
    expect(rows).toEqual([
      { state: 'ready', is_published: true },
      { state: 'ready', is_published: true },
    ])
  })

  test('gets events about a webhook that only seems to name them: a list without spaces matches none', async () => {
    const account = await hookline.account()
    const { path } = await register(account, { event_type: 'webhook.failing' })
    const seeming = await register(account, {
      event_type: 'all',
      event_filter: 'cel:event.type in ["sms_mo","webhook.failing"]',
    })
    await failSince(hookline, account, [seeming.id], '61 minutes')
    await settle()
    await receiver.until(() => eventsAt(path).length === 1)
    expect(eventsAt(path)[0]?.data.hook_id).toBe(seeming.id)
    expect(receiver.at(seeming.path)).toEqual([])
  })

  test('does not exist: then no event is created', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await failSince(hookline, account, [hookId], '61 minutes')
    await settle()
    expect(await countEvents(account)).toBe(0)
  })
})

/** Adds notices that are not published, and a webhook for their events. */
async function addNotices({ database }: TestService, accountId: number, count: number): Promise<void> {
  await database.query(
    `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     VALUES ($1, 'https://a.example', 'https://a.example', 'webhook.failing', 'JSON', 'a')`,
    [accountId],
  )
  await database.query(
    `INSERT INTO notices (account_id, hook_id, subject, kind, streak, due_at, is_open, state)
     SELECT $1, n, 'hook:' || n, 'failing_1h', now(), now(), true, 'ready' FROM generate_series(1000, 999 + $2) AS n`,
    [accountId, count],
  )
}

test('a notice is one event, however many workers publish it, and however often they are stopped', async () => {
  const apart = await startDashboardService({}, 'api')
  try {
    const account = await apart.account()
    await addNotices(apart, account.accountId, 500)
    // The transaction of one is rolled back after it has inserted its events.
    const failing = apart.db
      .transaction()
      .execute(async (trx) => {
        await trx.updateTable('notices').set({ isPublished: true }).execute()
        throw new Error('stopped')
      })
      .catch(() => {})
    await Promise.all([
      failing,
      ...Array.from({ length: 4 }, () => drain(() => publishNext(apart.db, async () => false))),
    ])
    await drain(() => publishNext(apart.db, async () => false))
    const [counts] = await apart.database.query(
      `SELECT count(*)::integer AS events, count(DISTINCT data::json ->> 'hook_id')::integer AS hooks FROM events
       WHERE account_id = $1`,
      [account.accountId],
    )
    expect(counts).toEqual({ events: 500, hooks: 500 })
  } finally {
    await apart.close()
  }
})

test('an account over its quota of pending events gets no account event, and no other account waits', async () => {
  const apart = await startDashboardService({}, 'api')
  try {
    const [full, other] = [await apart.account(), await apart.account()]
    for (const { accountId } of [full, other]) await addNotices(apart, accountId, 1)
    await drain(() => publishNext(apart.db, async (accountId) => accountId === full.accountId))
    const rows = await apart.database.query('SELECT account_id FROM events')
    expect(rows).toEqual([{ account_id: other.accountId }])
  } finally {
    await apart.close()
  }
})

describe('the types of account events', () => {
  test('are listed with schema and sample, marked as such', async () => {
    const { key } = await hookline.account()
    const { event_types: types } = (await call(`${hookline.url}/api/event-types`, { key })).json
    const { schemas } = (await call(`${hookline.url}/api/event-types/schemas`, { key })).json
    const names = types
      .filter(({ account_event: isAccount }: { account_event: boolean }) => isAccount)
      .map(({ name }: { name: string }) => name)
    expect(names).toEqual([
      'webhook.failing',
      'webhook.recovered',
      'webhook.disabled',
      'delivery.lost',
      'delivery.expiring',
      'certificate.expiring',
      'key.expiring',
    ])
    for (const name of names) {
      const { data, samples } = schemas[name]
      expect(Object.keys(samples[0]).toSorted(), name).toEqual(Object.keys(data.properties).toSorted())
    }
  })

  test('cannot be submitted by producers', async () => {
    const account = await hookline.account()
    const event = { account_id: account.accountId, type: 'webhook.failing', data: { hook_id: 1 } }
    const { accepted, rejected } = await gateway.submitEvents(event)
    expect(accepted).toEqual([])
    expect(rejected).toMatchObject([{ index: 0, code: 1012 }])
    expect(rejected[0]?.error_message).not.toContain('webhook.')
  })

  test('have test events', async () => {
    const account = await hookline.account()
    const { id, path } = await register(account, { event_type: 'key.expiring' })
    const sent = await call(`${hookline.url}/api/hooks/${id}/test`, {
      method: 'POST',
      key: account.key,
      json: {},
    })
    expect(sent.status, sent.text).toBe(200)
    await receiver.until(() => eventsAt(path).length === 1)
    expect(eventsAt(path)[0]).toMatchObject({ webhook_event: 'key.expiring', data: { key_name: 'Billing' } })
  })
})
