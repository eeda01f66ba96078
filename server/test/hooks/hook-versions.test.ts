/** The history of a webhook: who changed what, without values of headers, and restoring an earlier version. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compactRecent } from '../../src/hooks/compact-versions.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let account: TestAccount

beforeAll(async () => {
  hookline = await startTestService({}, 'api')
  account = await hookline.account()
})
afterAll(() => hookline.close())

function get(path: string, key = account.key): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks/${path}`, { key })
}

function post(path: string, json: object = {}, key = account.key): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks/${path}`, { method: 'POST', key, json })
}

let count = 0

async function register(more: object = {}): Promise<number> {
  count += 1
  const values = { target_url: `https://hooks.example/${count}`, event_type: 'sms_mo', ...more }
  const { json } = await post('create', values)
  expect(json).toMatchObject({ success: true })
  return json.hook.id
}

interface Version {
  version: number
  change: string
  actor: string
  changes: Array<{ field: string; from: unknown; to: unknown }>
  may_skip_versions: boolean
}

async function versionsOf(id: number): Promise<Version[]> {
  return (await get(`${id}/versions`)).json.versions
}

async function firstVersion(id: number): Promise<number> {
  return (await versionsOf(id)).at(-1)?.version ?? 0
}

async function settingsOf(id: number): Promise<Record<string, unknown>> {
  const { changed_at: _, ...settings } = (await get(String(id))).json.hook
  return settings
}

describe('the history of a webhook', () => {
  test('lists each change with its actor, old and new values, and only names of headers', async () => {
    const id = await register({ headers: 'X-Token: first-secret\nX-Team: a' })
    const other = await hookline.key(account.accountId)
    await post(String(id), { event_filter: '4930', max_per_second: 5, name: 'Orders' })
    await post(String(id), { headers: 'X-Token: second-secret' }, other.key)
    await post(`${id}/disable`)
    const response = await get(`${id}/versions`)
    expect(response.text).not.toContain('secret')
    expect(response.json.next).toBeNull()
    const shown = (response.json.versions as Version[]).map(({ change, actor, changes }) => [
      change,
      actor,
      changes,
    ])
    const [mine, theirs] = [`key:${account.keyId}`, `key:${other.keyId}`]
    expect(shown).toEqual([
      ['disabled', mine, []],
      ['changed', theirs, [{ field: 'headers', from: 'X-Token, X-Team', to: 'X-Token' }]],
      [
        'changed',
        mine,
        [
          { field: 'name', from: null, to: 'Orders' },
          { field: 'event_filter', from: null, to: '4930' },
          { field: 'max_per_second', from: null, to: 5 },
        ],
      ],
      [
        'created',
        mine,
        [
          { field: 'target_url', from: null, to: `https://hooks.example/${count}` },
          { field: 'event_type', from: null, to: 'sms_mo' },
          { field: 'request_method', from: null, to: 'POST' },
          { field: 'headers', from: null, to: 'X-Token, X-Team' },
        ],
      ],
    ])
    expect(response.json.versions[0].actor_name).toBe('test')
  })

  test('a change of header values is listed, although the names stay', async () => {
    const id = await register({ headers: 'X-Token: first-secret' })
    await post(String(id), { headers: 'X-Token: second-secret' })
    expect((await versionsOf(id))[0]?.changes).toEqual([{ field: 'headers', from: 'X-Token', to: 'X-Token' }])
    await post(String(id), { headers: 'X-Token: second-secret' })
    expect((await versionsOf(id))[0]?.changes).toEqual([])
  })

  test('shows chosen types as such, and the filter beside them', async () => {
    const id = await register({ event_type: 'dlr' })
    await post(String(id), { event_types: ['dlr', 'sms_mo'], event_filter: 'cel:data.a == 1' })
    await post(String(id), { event_types: ['sms_mo', 'rcs'] })
    expect((await versionsOf(id)).slice(0, 2).map(({ changes }) => changes)).toEqual([
      [{ field: 'event_types', from: 'dlr, sms_mo', to: 'sms_mo, rcs' }],
      [
        { field: 'event_filter', from: null, to: 'cel:data.a == 1' },
        { field: 'event_types', from: 'dlr', to: 'dlr, sms_mo' },
      ],
    ])
  })

  test('is paged, and says where compaction may have deleted versions', async () => {
    const id = await register()
    await post(String(id), { max_per_second: 1 })
    await hookline.database.query(
      `INSERT INTO hook_versions (account_id, hook_id, version, change, actor, target_url, event_type, request_method,
                                  enabled, at, max_per_second)
       SELECT account_id, hook_id, version + n, change, actor, target_url, event_type, request_method, enabled, at, 1 + n
       FROM hook_versions, generate_series(1, 129) AS n WHERE hook_id = $1 AND max_per_second = 1`,
      [id],
    )
    await hookline.database.query(`UPDATE accounts SET hooks_version = hooks_version + 129 WHERE id = $1`, [
      account.accountId,
    ])
    await hookline.database.query(
      `UPDATE hook_versions SET at = now() - interval '20 minutes' WHERE hook_id = $1`,
      [id],
    )
    await compactRecent(hookline.db)
    const all: Version[] = []
    let before = ''
    for (let page = 0; page < 10; page++) {
      const { json } = await get(`${id}/versions${before}`)
      expect(json.versions.length).toBeLessThanOrEqual(25)
      all.push(...json.versions)
      if (json.next === null) break
      before = `?before=${json.next}`
    }
    expect(new Set(all.map(({ version }) => version)).size).toBe(101)
    const skipping = all.filter((version) => version.may_skip_versions)
    expect(skipping.map(({ version }) => version)).toEqual([all.at(-2)?.version])
    expect(skipping[0]?.changes).toEqual([{ field: 'max_per_second', from: null, to: 31 }])
  })

  test('a limit that an earlier version of Hookline did not record is not shown as a change', async () => {
    const id = await register()
    await hookline.database.query('UPDATE hook_versions SET max_per_second = 0 WHERE hook_id = $1', [id])
    await post(String(id), { max_per_second: 5 })
    const version = await firstVersion(id)
    expect((await versionsOf(id))[0]?.changes).toEqual([])
    await post(`${id}/versions/${version}/restore`)
    expect((await settingsOf(id)).max_per_second).toBe(5)
  })

  test('of a deleted webhook can still be read, but not restored', async () => {
    const id = await register()
    const version = await firstVersion(id)
    await call(`${hookline.url}/api/hooks?id=${id}`, { method: 'DELETE', key: account.key })
    expect((await versionsOf(id)).map(({ change }) => change)).toEqual(['deleted', 'created'])
    for (const response of [
      await get(`${id}/versions/${version}`),
      await post(`${id}/versions/${version}/restore`),
    ])
      expect([response.status, response.json.error_message]).toEqual([404, `Webhook ${id} not found.`])
  })
})

describe('restoring a version', () => {
  test('applies all its settings, keeps the state and is recorded as an edit', async () => {
    const id = await register({
      name: 'Orders',
      event_filter: '4930',
      headers: 'X-Token: first-secret',
      max_per_second: 5,
      form_fields: 'flat',
    })
    const before = await settingsOf(id)
    const version = await firstVersion(id)
    await post(String(id), {
      name: null,
      target_url: 'https://other.example/',
      event_type: 'dlr',
      event_filter: null,
      headers: null,
      max_per_second: null,
      form_fields: 'nested',
    })
    await post(`${id}/disable`)
    const preview = await get(`${id}/versions/${version}`)
    expect(preview.json.problem).toBeNull()
    expect(preview.json.changes.map(({ field }: { field: string }) => field)).toEqual([
      'name',
      'target_url',
      'event_type',
      'event_filter',
      'headers',
      'max_per_second',
      'form_fields',
    ])
    expect(preview.text).not.toContain('first-secret')
    // An edit after the preview is not overwritten.
    await post(String(id), { description: 'Edited meanwhile' })
    const restore = (expected_version: number) =>
      post(`${id}/versions/${version}/restore`, { expected_version })
    expect(await restore(preview.json.current_version)).toMatchObject({ status: 409, json: { code: 1108 } })
    const { current_version: current } = (await get(`${id}/versions/${version}`)).json
    expect((await restore(current)).status).toBe(200)
    expect(await settingsOf(id)).toEqual({ ...before, enabled: false, disabled_reason: 'owner' })
    const [entry] = await hookline.database.query(
      `SELECT actor, action, detail -> 'restored_version' AS version, detail ->> 'fields' AS fields FROM audit
       WHERE account_id = $1 AND subject = $2 ORDER BY id DESC LIMIT 1`,
      [account.accountId, `hook:${id}`],
    )
    expect(entry).toMatchObject({ actor: `key:${account.keyId}`, action: 'hook.change', version })
    expect((await get(`${id}/versions/${version}`)).json.changes).toEqual([])
    const [restored, ...others] = (await get(`${id}/versions`)).json.versions
    expect(restored.restored).toEqual({ version, at: others.at(-1).at })
    expect(others.every((other: { restored: unknown }) => other.restored === null)).toBe(true)
  })

  test.each([
    {
      name: 'another webhook has its values',
      prepare: async (id: number) => {
        const { target_url } = await settingsOf(id)
        await post(String(id), { target_url: `https://moved.example/${id}` })
        await register({ target_url })
      },
      code: 1103,
    },
    {
      name: 'its event type was removed',
      prepare: (id: number) =>
        hookline.database.query(`UPDATE hook_versions SET event_type = 'removed_type' WHERE hook_id = $1`, [
          id,
        ]),
      code: 1012,
    },
    {
      name: 'its URL is no longer allowed',
      prepare: (id: number) =>
        hookline.database.query(
          `UPDATE hook_versions SET target_url = 'http://127.0.0.1/' WHERE hook_id = $1`,
          [id],
        ),
      code: 1020,
    },
    {
      name: 'its headers cannot be decrypted',
      prepare: (id: number) =>
        hookline.database.query(`UPDATE hook_versions SET headers = '\\x00' WHERE hook_id = $1`, [id]),
      code: 1021,
    },
  ])('is rejected without effect if $name', async ({ prepare, code }) => {
    const id = await register()
    const version = await firstVersion(id)
    await prepare(id)
    const before = await settingsOf(id)
    const preview = await get(`${id}/versions/${version}`)
    expect(preview.json.problem?.code ?? preview.json.code).toBe(code)
    const response = await post(`${id}/versions/${version}/restore`)
    expect([response.status >= 400, response.json.code]).toEqual([true, code])
    expect(await settingsOf(id)).toEqual(before)
  })

  test('needs a stored version of this webhook', async () => {
    const id = await register()
    const foreign = await firstVersion(await register())
    for (const version of [foreign, 0, 'abc', 999_999_999])
      expect((await post(`${id}/versions/${version}/restore`)).json.code).toBe(1102)
  })

  test('counts against the limit of changes', async () => {
    const limited = await hookline.account()
    const { json } = await post(
      'create',
      { target_url: 'https://hooks.example/', event_type: 'dlr' },
      limited.key,
    )
    const { version } = (await get(`${json.hook.id}/versions`, limited.key)).json.versions[0]
    await hookline.database.query(
      `UPDATE change_counts SET in_day = 10000, in_minute = 0 WHERE account_id = $1 AND kind = 'hooks'`,
      [limited.accountId],
    )
    const rejected = await post(`${json.hook.id}/versions/${version}/restore`, {}, limited.key)
    expect([rejected.status, rejected.json.code]).toEqual([429, 1208])
  })
})

test('access follows the other webhook operations, and never crosses accounts', async () => {
  const id = await register({ headers: 'X-Token: secret' })
  const version = await firstVersion(id)
  await post(String(id), { event_filter: '1' })
  const reader = await hookline.key(account.accountId, { scopes: ['hooks:read'] })
  const events = await hookline.key(account.accountId, { scopes: ['events:read'] })
  const stranger = await hookline.account()
  const calls = (key: string, hook: number) => [
    () => get(`${hook}/versions`, key),
    () => get(`${hook}/versions/${version}`, key),
    () => post(`${hook}/versions/${version}/restore`, {}, key),
  ]
  const statuses = (key: string, hook = id) =>
    Promise.all(calls(key, hook).map(async (run) => (await run()).status))
  expect(await statuses(reader.key)).toEqual([200, 200, 403])
  expect(await statuses(events.key)).toEqual([403, 403, 403])
  for (const [own, unknown] of calls(stranger.key, id).map((run, index) => [
    run,
    calls(stranger.key, 2_000_000_000)[index],
  ])) {
    const [theirs, nobody] = [await own?.(), await unknown?.()]
    expect([theirs?.status, theirs?.json.code]).toEqual([404, 1102])
    expect(theirs?.text.replace(String(id), 'X')).toBe(nobody?.text.replace('2000000000', 'X'))
  }
  expect(await statuses(account.key)).toEqual([200, 200, 200])
})
