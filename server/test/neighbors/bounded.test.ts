/** Tests that data of one account is bounded, and that pruned data is no longer needed. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compactOld, compactRecent } from '../../src/hooks/compact-versions.ts'
import { pruneEventKeys } from '../../src/delivery/intake/prune-event-keys.ts'
import { pruneAudit } from '../../src/service/pruning.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { signIn } from '../support/browser-session.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startDashboardService({ ALLOW_PRIVATE_TARGETS: 'true' }, 'all')
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function post({ key }: TestAccount, path: string, json: object = {}) {
  return call(`${hookline.url}/api${path}`, { method: 'POST', key, json })
}

async function register(account: TestAccount, path: string): Promise<number> {
  const hook = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON' }
  const { status, json } = await post(account, '/hooks', hook)
  expect(status).toBe(200)
  return json.id
}

function edit(account: TestAccount, id: number, json: object) {
  return post(account, `/hooks/${id}`, json)
}

async function versionsOf({ accountId }: TestAccount): Promise<number> {
  const [row] = await hookline.database.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM hook_versions WHERE account_id = $1',
    [accountId],
  )
  return row?.count ?? 0
}

/** Explains events sequentially, because an account can make few of these calls concurrently. */
async function explainAll(account: TestAccount, eventIds: readonly string[]): Promise<unknown[]> {
  const all: unknown[] = []
  for (const eventId of eventIds) all.push(await explainEvent(account, eventId))
  return all
}

async function explainEvent({ key }: TestAccount, eventId: string): Promise<object> {
  return (await call(`${hookline.url}/api/events/${eventId}?reveal=true`, { key })).json
}

async function untilDelivered(eventId: string): Promise<void> {
  await expect
    .poll(() => hookline.database.query('SELECT FROM deliveries WHERE event_id = $1', [eventId]), {
      timeout: 30_000,
      interval: 20,
    })
    .toHaveLength(1)
}

describe('changes of webhooks', () => {
  test('are rejected beyond the limit, except repeats, disabling and deleting', async () => {
    const account = await hookline.account()
    const id = await register(account, '/limit')
    const limitedApi = await hookline.startAnother({ PORT: '0', HOOK_CHANGES_PER_MINUTE: '5' }, 'api')
    const { key } = account
    const editLimited = (count: number) =>
      call(`${limitedApi.url}/api/hooks/${id}`, {
        method: 'POST',
        key,
        json: { event_filter: `4917${count}` },
      })
    // A minute can end meanwhile and restart the count.
    let rejected = await editLimited(0)
    for (let count = 1; rejected.status === 200 && count < 12; count++) rejected = await editLimited(count)
    expect(rejected.status).toBe(429)
    expect(rejected.json).toMatchObject({ success: false, code: 1208 })
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    const [{ id: _id, created: _created, ...same }] = (await call(`${limitedApi.url}/api/hooks`, { key }))
      .json.hooks
    const repeated = await call(`${limitedApi.url}/api/hooks`, { method: 'POST', key, json: same })
    expect(repeated.json.id).toBe(id)
    const disabled = await call(`${limitedApi.url}/api/hooks/${id}/disable`, { method: 'POST', key })
    expect(disabled.status).toBe(200)
    const deleted = await call(`${limitedApi.url}/api/hooks?id=${id}`, { method: 'DELETE', key })
    expect(deleted.status).toBe(200)
    await limitedApi.stop()
  })

  test('are also limited per day', async () => {
    const account = await hookline.account()
    await hookline.database.query(
      `INSERT INTO change_counts VALUES ($1, 'hooks', now(), 0, (now() AT TIME ZONE 'UTC')::date, 9999)`,
      [account.accountId],
    )
    const id = await register(account, '/day')
    expect((await edit(account, id, { event_filter: '1' })).json).toMatchObject({ code: 1208 })
  })
})

describe('versions of webhooks', () => {
  test('are deleted unless an event was matched against them, and explanations stay the same', async () => {
    const account = await hookline.account()
    const id = await register(account, '/versions')
    const events: string[] = []
    for (let round = 0; round < 160; round++) {
      expect((await edit(account, id, { event_filter: `cel:${round} >= 0` })).status).toBe(200)
      if (round % 13 !== 0) continue
      const eventId = await gateway.event(account.accountId)
      await untilDelivered(eventId)
      events.push(eventId)
    }
    const deletedId = await register(account, '/gone')
    await call(`${hookline.url}/api/hooks?id=${deletedId}`, { method: 'DELETE', key: account.key })
    await hookline.database.query(
      `UPDATE hook_versions SET at = at - interval '20 minutes' WHERE account_id = $1`,
      [account.accountId],
    )
    // Moves the attempts too, so that they still belong to the same versions.
    await hookline.database.query(
      `UPDATE deliveries SET started_at = started_at - interval '20 minutes' WHERE account_id = $1`,
      [account.accountId],
    )
    const before = await explainAll(account, events)
    expect(await versionsOf(account)).toBe(163)
    await compactRecent(hookline.db)
    const after = await versionsOf(account)
    expect(after).toBeLessThanOrEqual(100 + events.length + 3)
    expect(after).toBeGreaterThanOrEqual(102)
    expect(await explainAll(account, events)).toEqual(before)
    // The newest edits of the webhook are complete.
    const newest = await hookline.database.query<{ event_filter: string }>(
      'SELECT event_filter FROM hook_versions WHERE hook_id = $1 ORDER BY version DESC LIMIT 100',
      [id],
    )
    expect(newest.map((row) => row.event_filter)).toEqual(
      Array.from({ length: 100 }, (_, index) => `cel:${159 - index} >= 0`),
    )
  })

  test('of unused deleted webhooks are kept for the newest 1,000 per account', async () => {
    const account = await hookline.account()
    const keptId = await register(account, '/kept')
    await hookline.database.query(
      `WITH raised AS (UPDATE accounts SET hooks_version = hooks_version + 2400 WHERE id = $1 RETURNING hooks_version)
       INSERT INTO hook_versions (account_id, hook_id, version, change, actor, target_url, event_type, request_method,
                                  enabled, at)
       SELECT $1, 1000000 + n / 2, hooks_version - 2400 + n, CASE WHEN n % 2 = 0 THEN 'created' ELSE 'deleted' END,
              'key:1', 'https://example.com', 'all', 'JSON', true, now() - interval '20 minutes'
       FROM raised, generate_series(0, 2399) AS n`,
      [account.accountId],
    )
    const eventId = await gateway.event(account.accountId)
    await untilDelivered(eventId)
    const before = (await explainEvent(account, eventId)) as { hooks: Array<{ hook_id: number }> }
    expect(before.hooks).toHaveLength(1_001)
    expect(before.hooks.map((hook) => hook.hook_id)).toContain(keptId)
    await compactRecent(hookline.db)
    expect(await versionsOf(account)).toBe(2_001)
    expect(await explainEvent(account, eventId)).toEqual(before)
  })

  test('are deleted together with the events of their time', async () => {
    const account = await hookline.account()
    const id = await register(account, '/old')
    await hookline.database.query(
      `WITH raised AS (UPDATE accounts SET hooks_version = hooks_version + 300 WHERE id = $1 RETURNING hooks_version),
       used AS (INSERT INTO hook_version_uses SELECT $1, hooks_version - 300 + n, now() - interval '33 days'
                FROM raised, generate_series(1, 300) AS n)
       INSERT INTO hook_versions (account_id, hook_id, version, change, actor, target_url, event_type, request_method,
                                  enabled, at)
       SELECT $1, $2, hooks_version - 300 + n, 'changed', 'key:1', 'https://example.com', 'all', 'JSON', true,
              now() - interval '33 days' + n * interval '1 second'
       FROM raised, generate_series(1, 300) AS n`,
      [account.accountId, id],
    )
    const deletedId = 2_000_000
    await hookline.database.query(
      `INSERT INTO hook_versions (account_id, hook_id, version, change, actor, target_url, event_type, request_method,
                                  enabled, at)
       SELECT $1, $2, n, change, 'key:1', 'https://example.com', 'all', 'JSON', true, now() - interval '63 days'
       FROM unnest(ARRAY['created', 'deleted']) WITH ORDINALITY AS changes (change, n)`,
      [account.accountId, deletedId],
    )
    await compactOld(hookline.db, 40, new Date())
    expect(await versionsOf(account)).toBe(303)
    await compactOld(hookline.db, 30, new Date())
    expect(await versionsOf(account)).toBe(101)
    const uses = await hookline.database.query('SELECT FROM hook_version_uses WHERE account_id = $1', [
      account.accountId,
    ])
    expect(uses).toHaveLength(1)
  })
})

describe('the audit log', () => {
  test('accepts a bounded number of entries per day from API keys, and never rejects a revocation', async () => {
    const account = await hookline.account()
    const id = await register(account, '/audit')
    await hookline.database.query(
      `INSERT INTO change_counts VALUES ($1, 'audit', now(), 0, (now() AT TIME ZONE 'UTC')::date, 9999)`,
      [account.accountId],
    )
    expect((await post(account, `/hooks/${id}/secret`)).status).toBe(200)
    const rejected = await post(account, `/hooks/${id}/secret`)
    expect([rejected.status, rejected.json.code]).toEqual([429, 1208])
    const user = await signIn(hookline.url, account)
    expect((await user.call(`/api/keys/${account.keyId}`, { method: 'DELETE' })).status).toBe(200)
  })

  test('accepts exports for half of the limit, the rest is for changes', async () => {
    const account = await hookline.account()
    const id = await register(account, '/exports')
    await hookline.database.query(
      `INSERT INTO change_counts VALUES ($1, 'audit', now(), 0, (now() AT TIME ZONE 'UTC')::date, 4999)`,
      [account.accountId],
    )
    const exportOne = () => call(`${hookline.url}/api/events/export`, { key: account.key })
    expect((await exportOne()).status).toBe(200)
    // More than the limit of open exports: a rejected export does not count as open.
    for (let attempt = 0; attempt < 3; attempt++) {
      const rejected = await exportOne()
      expect([rejected.status, rejected.json?.code]).toEqual([429, 1208])
    }
    expect((await post(account, `/hooks/${id}/secret`)).status).toBe(200)
  })

  test('is exported as NDJSON or CSV, complete and per account, or by the operator for all accounts', async () => {
    const account = await hookline.account()
    const other = await hookline.account()
    await hookline.database.query(
      `INSERT INTO audit (account_id, actor, action, subject, detail)
       SELECT $1, 'operator', 'test.entry', '=1+1,"' || n, jsonb_build_object('n', n) FROM generate_series(1, 1200) AS n`,
      [account.accountId],
    )
    const user = await signIn(hookline.url, account)
    const lines = await user.call('/api/audit/export')
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson')
    const entries = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(entries.every((entry) => entry.account_id === account.accountId)).toBe(true)
    expect(entries.filter(({ action }) => action === 'test.entry').map(({ detail }) => detail.n)).toEqual(
      Array.from({ length: 1_200 }, (_, index) => index + 1),
    )
    const csv = await user.call('/api/audit/export?format=csv')
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
    expect(csv.text.split('\r\n')[0]).toBe('id,at,account_id,actor,action,subject,detail')
    expect(csv.text).toContain(`,operator,test.entry,"'=1+1,""7","{""n"":7}"\r\n`)
    expect((await call(`${hookline.url}/api/audit/export`, { key: account.key })).status).toBe(403)

    const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
    const all = await runAdmin(env, ['audit', 'export'])
    expect(all.code).toBe(0)
    const accounts = new Set(
      all.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).account_id),
    )
    expect([account, other].every(({ accountId }) => accounts.has(accountId))).toBe(true)
    const single = await runAdmin(env, [
      'audit',
      'export',
      '--account',
      String(account.accountId),
      '--format',
      'csv',
    ])
    expect(single.stdout.split('\r\n').length - 1).toBe(entries.length + 1)
  })

  test('export returns only entries since a time', async () => {
    const env = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
    await hookline.database.query(
      `INSERT INTO audit (actor, action, subject, at) VALUES
       ('operator', 'test.before', 'test:1', '2100-01-01T06:59:59Z'),
       ('operator', 'test.since', 'test:1', '2100-01-01T07:00:00Z')`,
    )
    const recent = await runAdmin(env, ['audit', 'export', '--since', '2100-01-01T08:00:00+01:00'])
    expect(JSON.parse(recent.stdout)).toMatchObject({ action: 'test.since' })
    const invalid = await runAdmin(env, ['audit', 'export', '--since', 'yesterday'])
    expect(invalid).toMatchObject({ code: 1, stderr: expect.stringContaining('Expected a time such as') })
  })

  test('is kept for the configured number of days', async () => {
    const account = await hookline.account()
    await hookline.database.query(
      `INSERT INTO audit (id, account_id, actor, action, subject, at) OVERRIDING SYSTEM VALUE
       SELECT -n, $1, 'operator', 'test.old', 'x', now() - interval '366 days' FROM generate_series(1, 5000) AS n`,
      [account.accountId],
    )
    await pruneAudit(hookline.db, 365, new Date())
    const remaining = await hookline.database.query<{ action: string }>(
      'SELECT DISTINCT action FROM audit WHERE account_id = $1',
      [account.accountId],
    )
    expect(remaining.map(({ action }) => action).toSorted()).toEqual([
      'account.create',
      'key.create',
      'login.create',
    ])
  })
})

test('idempotency keys of events are deleted after 72 hours, regardless of their number', async () => {
  const { accountId } = await hookline.account()
  await hookline.database.query(
    `INSERT INTO event_keys (account_id, key, digest, event_id, accepted_at)
     SELECT $1, 'key-' || n, '', gen_random_uuid(), now() - CASE WHEN n <= 12000 THEN interval '73 hours' ELSE interval '71 hours' END
     FROM generate_series(1, 12010) AS n`,
    [accountId],
  )
  await pruneEventKeys(hookline.db, new Date())
  expect(
    await hookline.database.query('SELECT FROM event_keys WHERE account_id = $1', [accountId]),
  ).toHaveLength(10)
})

test('a login keeps its newest 100 sessions', async () => {
  const account = await hookline.account()
  await hookline.database.query(
    `INSERT INTO sessions (account_id, login_id, digest, ip, user_agent, expires_at)
     SELECT $1, $2, sha256(('bounded-' || n)::bytea), '', '', now() + interval '1 day' FROM generate_series(1, 120) AS n`,
    [account.accountId, account.loginId],
  )
  const user = await signIn(hookline.url, account)
  expect((await user.call('/api/session')).status).toBe(200)
  expect(
    await hookline.database.query('SELECT FROM sessions WHERE login_id = $1', [account.loginId]),
  ).toHaveLength(100)
})
