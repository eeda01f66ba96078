/** What one account can make the service keep is bounded, and what is deleted to that end was not needed any more. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compactOld, compactRecent } from '../src/hooks/compact-versions.ts'
import { forgetEventKeys } from '../src/pipeline/intake/forget-event-keys.ts'
import { pruneAudit } from '../src/start-pruning.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { runAdmin } from './admin-tool.ts'
import { call } from './call.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { signIn } from './person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 120_000 })

let world: TestWorld
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  world = await startAreaWorld({ ALLOW_PRIVATE_TARGETS: 'true' }, 'all')
  gateway = await createGateway(world)
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

function post({ key }: TestAccount, path: string, json: object = {}) {
  return call(`${world.url}/api${path}`, { method: 'POST', key, json })
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
  const [row] = await world.database.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM hook_versions WHERE account_id = $1',
    [accountId],
  )
  return row?.count ?? 0
}

/** Without what a running service adds to it: times at which something is due. */
/** One after the other: an account has few of these calls at once. */
async function explainedAll(account: TestAccount, eventIds: readonly string[]): Promise<unknown[]> {
  const all: unknown[] = []
  for (const eventId of eventIds) all.push(await explained(account, eventId))
  return all
}

async function explained({ key }: TestAccount, eventId: string): Promise<object> {
  return (await call(`${world.url}/api/events/${eventId}?reveal=true`, { key })).json
}

async function untilDelivered(eventId: string): Promise<void> {
  await expect
    .poll(() => world.database.query('SELECT FROM deliveries WHERE event_id = $1', [eventId]), {
      timeout: 30_000,
      interval: 20,
    })
    .toHaveLength(1)
}

describe('changes of webhooks', () => {
  test('are refused beyond the limit; repeats, disabling and deleting never are', async () => {
    const account = await world.account()
    const id = await register(account, '/limit')
    const strict = await world.startAnother({ PORT: '0', HOOK_CHANGES_PER_MINUTE: '5' }, 'api')
    const { key } = account
    const editStrictly = (made: number) =>
      call(`${strict.url}/api/hooks/${id}`, { method: 'POST', key, json: { event_filter: `4917${made}` } })
    // A minute may end meanwhile and start the count anew.
    let refused = await editStrictly(0)
    for (let made = 1; refused.status === 200 && made < 12; made++) refused = await editStrictly(made)
    expect(refused.status).toBe(429)
    expect(refused.json).toMatchObject({ success: false, code: 1208 })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    const [{ id: _id, created: _created, ...same }] = (await call(`${strict.url}/api/hooks`, { key })).json
      .hooks
    const again = await call(`${strict.url}/api/hooks`, { method: 'POST', key, json: same })
    expect(again.json.id).toBe(id)
    const disabled = await call(`${strict.url}/api/hooks/${id}/disable`, { method: 'POST', key })
    expect(disabled.status).toBe(200)
    const deleted = await call(`${strict.url}/api/hooks?id=${id}`, { method: 'DELETE', key })
    expect(deleted.status).toBe(200)
    await strict.stop()
  })

  test('are limited by the day too', async () => {
    const account = await world.account()
    await world.database.query(
      `INSERT INTO change_counts VALUES ($1, 'hooks', now(), 0, (now() AT TIME ZONE 'UTC')::date, 9999)`,
      [account.accountId],
    )
    const id = await register(account, '/day')
    expect((await edit(account, id, { event_filter: '1' })).json).toMatchObject({ code: 1208 })
  })
})

describe('versions of webhooks', () => {
  test('are deleted unless an event was matched against them, and explain says the same as before', async () => {
    const account = await world.account()
    const id = await register(account, '/versions')
    const events: string[] = []
    for (let round = 0; round < 160; round++) {
      expect((await edit(account, id, { event_filter: `cel:${round} >= 0` })).status).toBe(200)
      if (round % 13 !== 0) continue
      const eventId = await gateway.event(account.accountId)
      await untilDelivered(eventId)
      events.push(eventId)
    }
    const gone = await register(account, '/gone')
    await call(`${world.url}/api/hooks?id=${gone}`, { method: 'DELETE', key: account.key })
    await world.database.query(
      `UPDATE hook_versions SET at = at - interval '20 minutes' WHERE account_id = $1`,
      [account.accountId],
    )
    // The times of events go with it, so that attempts still belong to the versions of then.
    await world.database.query(
      `UPDATE attempts SET started_at = started_at - interval '20 minutes' WHERE account_id = $1`,
      [account.accountId],
    )
    const before = await explainedAll(account, events)
    expect(await versionsOf(account)).toBe(163)
    await compactRecent(world.db)
    const after = await versionsOf(account)
    expect(after).toBeLessThanOrEqual(100 + events.length + 3)
    expect(after).toBeGreaterThanOrEqual(102)
    expect(await explainedAll(account, events)).toEqual(before)
    // The newest edits of the webhook are all there.
    const newest = await world.database.query<{ event_filter: string }>(
      'SELECT event_filter FROM hook_versions WHERE hook_id = $1 ORDER BY version DESC LIMIT 100',
      [id],
    )
    expect(newest.map((row) => row.event_filter)).toEqual(
      Array.from({ length: 100 }, (_, place) => `cel:${159 - place} >= 0`),
    )
  })

  test('of webhooks that were deleted unused stay for the newest 1,000 of an account', async () => {
    const account = await world.account()
    const keptId = await register(account, '/kept')
    await world.database.query(
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
    const before = (await explained(account, eventId)) as { hooks: Array<{ hook_id: number }> }
    expect(before.hooks).toHaveLength(1_001)
    expect(before.hooks.map((hook) => hook.hook_id)).toContain(keptId)
    await compactRecent(world.db)
    expect(await versionsOf(account)).toBe(2_001)
    expect(await explained(account, eventId)).toEqual(before)
  })

  test('leave when the events of then have left', async () => {
    const account = await world.account()
    const id = await register(account, '/old')
    await world.database.query(
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
    await world.database.query(
      `INSERT INTO hook_versions (account_id, hook_id, version, change, actor, target_url, event_type, request_method,
                                  enabled, at)
       SELECT $1, $2, n, change, 'key:1', 'https://example.com', 'all', 'JSON', true, now() - interval '63 days'
       FROM unnest(ARRAY['created', 'deleted']) WITH ORDINALITY AS made (change, n)`,
      [account.accountId, deletedId],
    )
    await compactOld(world.db, 40, new Date())
    expect(await versionsOf(account)).toBe(303)
    await compactOld(world.db, 30, new Date())
    expect(await versionsOf(account)).toBe(101)
    const uses = await world.database.query('SELECT FROM hook_version_uses WHERE account_id = $1', [
      account.accountId,
    ])
    expect(uses).toHaveLength(1)
  })
})

describe('the audit log', () => {
  test('takes a bounded number of entries a day from keys, and ending something is never refused', async () => {
    const account = await world.account()
    const id = await register(account, '/audit')
    await world.database.query(
      `INSERT INTO change_counts VALUES ($1, 'audit', now(), 0, (now() AT TIME ZONE 'UTC')::date, 9999)`,
      [account.accountId],
    )
    expect((await post(account, `/hooks/${id}/secret`)).status).toBe(200)
    const refused = await post(account, `/hooks/${id}/secret`)
    expect([refused.status, refused.json.code]).toEqual([429, 1208])
    const person = await signIn(world.url, account)
    expect((await person.call(`/api/keys/${account.keyId}`, { method: 'DELETE' })).status).toBe(200)
  })

  test('is exported as lines or CSV, complete and for its account alone, and by the operator for all', async () => {
    const account = await world.account()
    const other = await world.account()
    await world.database.query(
      `INSERT INTO audit (account_id, actor, action, subject, detail)
       SELECT $1, 'operator', 'test.entry', '=1+1,"' || n, jsonb_build_object('n', n) FROM generate_series(1, 1200) AS n`,
      [account.accountId],
    )
    const person = await signIn(world.url, account)
    const lines = await person.call('/api/audit/export')
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson')
    const entries = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(entries.every((entry) => entry.account_id === account.accountId)).toBe(true)
    expect(entries.filter(({ action }) => action === 'test.entry').map(({ detail }) => detail.n)).toEqual(
      Array.from({ length: 1_200 }, (_, place) => place + 1),
    )
    const csv = await person.call('/api/audit/export?format=csv')
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
    expect(csv.text.split('\r\n')[0]).toBe('id,at,account_id,actor,action,subject,detail')
    expect(csv.text).toContain(`,operator,test.entry,"'=1+1,""7","{""n"":7}"\r\n`)
    expect((await call(`${world.url}/api/audit/export`, { key: account.key })).status).toBe(403)

    const env = { DATABASE_URL: world.database.url.href, MASTER_KEY: world.masterKey }
    const all = await runAdmin(env, ['audit', 'export'])
    expect(all.code).toBe(0)
    const accounts = new Set(
      all.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).account_id),
    )
    expect([account, other].every(({ accountId }) => accounts.has(accountId))).toBe(true)
    const one = await runAdmin(env, [
      'audit',
      'export',
      '--account',
      String(account.accountId),
      '--format',
      'csv',
    ])
    expect(one.stdout.split('\r\n').length - 1).toBe(entries.length + 1)
  })

  test('is kept for the days that are set', async () => {
    const account = await world.account()
    await world.database.query(
      `INSERT INTO audit (id, account_id, actor, action, subject, at) OVERRIDING SYSTEM VALUE
       SELECT -n, $1, 'operator', 'test.old', 'x', now() - interval '366 days' FROM generate_series(1, 5000) AS n`,
      [account.accountId],
    )
    await pruneAudit(world.db, 365, new Date())
    const left = await world.database.query<{ action: string }>(
      'SELECT DISTINCT action FROM audit WHERE account_id = $1',
      [account.accountId],
    )
    expect(left.map(({ action }) => action).toSorted()).toEqual([
      'account.create',
      'key.create',
      'login.create',
    ])
  })
})

test('keys of events are forgotten after 72 hours, however many there are', async () => {
  const { accountId } = await world.account()
  await world.database.query(
    `INSERT INTO event_keys (account_id, key, digest, event_id, accepted_at)
     SELECT $1, 'key-' || n, '', gen_random_uuid(), now() - CASE WHEN n <= 12000 THEN interval '73 hours' ELSE interval '71 hours' END
     FROM generate_series(1, 12010) AS n`,
    [accountId],
  )
  await forgetEventKeys(world.db, new Date())
  expect(
    await world.database.query('SELECT FROM event_keys WHERE account_id = $1', [accountId]),
  ).toHaveLength(10)
})

test('a login keeps its newest 100 sessions', async () => {
  const account = await world.account()
  await world.database.query(
    `INSERT INTO sessions (account_id, login_id, digest, ip, user_agent, expires_at)
     SELECT $1, $2, sha256(('bounded-' || n)::bytea), '', '', now() + interval '1 day' FROM generate_series(1, 120) AS n`,
    [account.accountId, account.loginId],
  )
  const person = await signIn(world.url, account)
  expect((await person.call('/api/session')).status).toBe(200)
  expect(
    await world.database.query('SELECT FROM sessions WHERE login_id = $1', [account.loginId]),
  ).toHaveLength(100)
})
