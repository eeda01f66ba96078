/** The /api/hooks contract, tested over HTTP against a running process: list, create and delete. */
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/http-call.ts'
import {
  useContractService,
  statusModes,
  hookline,
  hooks,
  type Form,
  success,
  hookA,
  listedA,
  formType,
  create,
  remove,
  list,
  expectError,
} from '../support/contract.ts'

describe.each(statusModes)('with %s statuses', (mode) => {
  useContractService(mode)

  describe('the list', () => {
    test('the list is an object with exactly success, code and hooks', async () => {
      const { key } = await hookline.account()
      const response = await call(hooks, { key })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^application\/json\b/)
      expect(response.json).toStrictEqual({ success: true, code: null, hooks: [] })
    })

    test('a listed webhook has exactly the eight fields of the contract', async () => {
      const { key } = await hookline.account()
      await create(key, hookA)
      const listed = (await call(hooks, { key })).json
      expect(listed).toStrictEqual({ success: true, code: null, hooks: [listedA] })
    })

    test('the ID is a string in the list and an integer in create and delete responses', async () => {
      const { key } = await hookline.account()
      const created = await create(key, hookA)
      expect(created.text).toMatch(/"id":\d+[,}]/)
      expect((await call(hooks, { key })).text).toContain(`"id":"${created.json.id}"`)
      const deleted = await remove(key, { id: String(created.json.id) })
      expect(deleted.json.id).toBe(created.json.id)
    })

    test.each([
      'https://example.com/b?x=1&y=%7e',
      'HTTPS://EXAMPLE.com:443/A/../b/./c//',
      'https://example.com/?q=ü&text=👍#part',
      'https://example.com',
      'https://bücher.example.com/a b',
    ])('the list returns target_url byte for byte: %s', async (target_url) => {
      const { key } = await hookline.account()
      await create(key, { target_url, event_type: 'all' })
      expect(await list(key)).toEqual([expect.objectContaining({ target_url })])
    })

    test('the list separates headers with a line feed', async () => {
      const { key } = await hookline.account()
      await create(key, { ...hookA, headers: 'X-A: 1\nAuthorization: Bearer abc' })
      expect(await list(key)).toEqual([{ ...listedA, headers: 'X-A: 1\nAuthorization: Bearer abc' }])
    })

    test('the list returns event_filter unchanged', async () => {
      const { key } = await hookline.account()
      await create(key, { ...hookA, event_filter: '+49 177 1783130, 0049151' })
      expect(await list(key)).toEqual([{ ...listedA, event_filter: '+49 177 1783130, 0049151' }])
    })

    test('the list includes disabled webhooks with enabled false', async () => {
      const { key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      await hookline.database.query('UPDATE hooks SET enabled = false WHERE id = $1', [id])
      expect(await list(key)).toEqual([{ ...listedA, enabled: false }])
    })

    test('the list contains only webhooks of the account', async () => {
      const [first, second] = [await hookline.account(), await hookline.account()]
      await create(first.key, { ...hookA, target_url: 'https://example.com/first' })
      await create(second.key, { ...hookA, target_url: 'https://example.com/second' })
      expect(await list(first.key)).toEqual([{ ...listedA, target_url: 'https://example.com/first' }])
    })

    test('the list is sorted by numeric ID, ascending', async () => {
      const { key } = await hookline.account()
      await hookline.database.query('ALTER TABLE hooks ALTER COLUMN id RESTART WITH 9998')
      for (const name of ['z', 'y', 'x'])
        await create(key, { ...hookA, target_url: `https://example.com/${name}` })
      // An updated row moves to the end of the table.
      await hookline.database.query('UPDATE hooks SET enabled = false WHERE id = 9999')
      expect((await list(key)).map(({ id }) => id)).toEqual(['9998', '9999', '10000'])
    })

    test('created is the current time in UTC', async () => {
      const { key } = await hookline.account()
      const before = Date.now()
      await create(key, hookA)
      const after = Date.now()
      const [hook] = await list(key)
      const at = Date.parse(`${hook?.created.replace(' ', 'T')}Z`)
      // `created` has a resolution of one second.
      expect(at).toBeGreaterThan(before - 1_000)
      expect(at).toBeLessThanOrEqual(after)
    })

    describe('with another time zone', () => {
      let inBerlinZone: string
      beforeAll(async () => {
        inBerlinZone = `${(await hookline.startAnother({ TIME_ZONE: 'Europe/Berlin' })).url}/api/hooks`
      })

      test.each([
        ['2026-01-15T23:04:05.999Z', '2026-01-15 23:04:05', '2026-01-16 00:04:05'],
        ['2026-07-01T09:00:00.000Z', '2026-07-01 09:00:00', '2026-07-01 11:00:00'],
        ['2025-12-31T23:00:00.000Z', '2025-12-31 23:00:00', '2026-01-01 00:00:00'],
      ])('%s is listed as %s in UTC and as %s with TIME_ZONE=Europe/Berlin', async (at, inUtc, inBerlin) => {
        const { key } = await hookline.account()
        const { id } = (await create(key, hookA)).json
        await hookline.database.query('UPDATE hooks SET created_at = $2 WHERE id = $1', [id, at])
        expect(await list(key)).toEqual([{ ...listedA, created: inUtc }])
        expect(await list(key, inBerlinZone)).toEqual([{ ...listedA, created: inBerlin }])
      })
    })
  })

  describe('create', () => {
    test('a form body creates a webhook and returns success, code, id and error_message', async () => {
      const { key } = await hookline.account()
      const created = await create(key, hookA)
      expect(created.status).toBe(200)
      expect(created.headers.get('content-type')).toMatch(/^application\/json\b/)
      expect(created.json).toStrictEqual(success)
      expect(await list(key)).toEqual([{ ...listedA, id: String(created.json.id) }])
    })

    test.each(['target_url', 'event_type'])('%s is required', async (name) => {
      const { key } = await hookline.account()
      const { [name]: _removed, ...form } = hookA
      const rejected = await create(key, form)
      expectError(rejected, 400, 1010)
      expect(rejected.json.error_message).toContain(name)
      expect(await list(key)).toEqual([])
    })

    test.each([
      ['all', 'all'],
      ['rcs', 'rcs'],
      ['sms_mo', 'sms_mo'],
      ['dlr', 'dlr'],
      ['voice_call', 'voice_call'],
      ['voice_status', 'voice_status'],
      ['voice_dtmf', 'voice_dtmf'],
      ['tracking', 'tracking'],
      ['wa_mo', 'wa_mo'],
      ['rcs_mo', 'rcs'],
      ['rcs_dlr', 'rcs'],
    ])('event_type accepts %s and lists it as %s', async (event_type, listed) => {
      const { key } = await hookline.account()
      expect((await create(key, { ...hookA, event_type })).json).toEqual(success)
      expect(await list(key)).toEqual([{ ...listedA, event_type: listed }])
    })

    test('rcs, rcs_mo and rcs_dlr with the same URL are three webhooks', async () => {
      const { key } = await hookline.account()
      const ids: number[] = []
      for (const event_type of ['rcs', 'rcs_mo', 'rcs_dlr', 'rcs', 'rcs_mo', 'rcs_dlr'])
        ids.push((await create(key, { ...hookA, event_type })).json.id)
      expect(new Set(ids.slice(0, 3)).size).toBe(3)
      expect(ids.slice(3)).toEqual(ids.slice(0, 3))
    })

    test.each(['sms', 'voice', 'all,dlr', 'constructor'])('event_type rejects %s', async (event_type) => {
      const { key } = await hookline.account()
      expectError(await create(key, { ...hookA, event_type }), 400, 1012)
      expect(await list(key)).toEqual([])
    })

    test('a webhook has exactly one event type', async () => {
      const { key } = await hookline.account()
      const body = 'target_url=https://example.com/a&event_type=dlr&event_type=rcs'
      expectError(await call(hooks, { method: 'POST', key, body, headers: formHeaders }), 400, 1011)
      expect(await list(key)).toEqual([])
    })

    test.each(['POST', 'GET', 'JSON'])('request_method accepts %s', async (request_method) => {
      const { key } = await hookline.account()
      expect((await create(key, { ...hookA, request_method })).json).toEqual(success)
      expect(await list(key)).toEqual([{ ...listedA, request_method }])
    })

    test.each(['PUT', 'POST,GET', 'form'])('request_method rejects %s', async (request_method) => {
      const { key } = await hookline.account()
      expectError(await create(key, { ...hookA, request_method }), 400, 1012)
      expect(await list(key)).toEqual([])
    })

    test.each([
      ['post', 'POST'],
      ['Get', 'GET'],
      ['jSON', 'JSON'],
    ])('request_method %s is normalized to %s', async (sent, request_method) => {
      const { key } = await hookline.account()
      await create(key, { ...hookA, request_method: sent })
      expect(await list(key)).toEqual([{ ...listedA, request_method }])
    })
  })

  describe('delete', () => {
    test.each<[string, string, string[]]>([
      ['DELETE', 'rcs', ['rcs_mo', 'rcs_dlr']],
      ['DELETE', 'rcs_mo', ['rcs', 'rcs_dlr']],
      ['DELETE', 'rcs_dlr', ['rcs', 'rcs_mo']],
      ['unsubscribe', 'rcs', ['rcs_mo', 'rcs_dlr']],
      ['unsubscribe', 'rcs_mo', ['rcs', 'rcs_dlr']],
      ['unsubscribe', 'rcs_dlr', ['rcs', 'rcs_mo']],
    ])('%s with event_type %s leaves the webhooks for %s', async (dialect, event_type, left) => {
      const { key } = await hookline.account()
      const ids: Record<string, number> = {}
      for (const name of ['rcs', 'rcs_mo', 'rcs_dlr'])
        ids[name] = (await create(key, { ...hookA, event_type: name })).json.id
      const form = { ...hookA, event_type }
      const deleted =
        dialect === 'DELETE' ? await remove(key, form) : await create(key, { ...form, action: 'unsubscribe' })
      expect(deleted.json).toStrictEqual({ ...success, id: ids[event_type] })
      expect((await list(key)).map(({ id }) => Number(id))).toEqual(left.map((name) => ids[name]))
    })

    test('a webhook registered as rcs_mo is not deleted as rcs', async () => {
      const { key } = await hookline.account()
      await create(key, { ...hookA, event_type: 'rcs_mo' })
      expectError(await remove(key, { ...hookA, event_type: 'rcs' }), 404, 1100)
      expect(await list(key)).toEqual([{ ...listedA, event_type: 'rcs' }])
    })

    test('a webhook is deleted by ID', async () => {
      const { key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      await create(key, { ...hookA, target_url: 'https://example.com/kept' })
      const deleted = await remove(key, { id: String(id) })
      expect(deleted.status).toBe(200)
      expect(deleted.json).toStrictEqual({ success: true, code: null, id, error_message: null })
      expect(await list(key)).toEqual([{ ...listedA, target_url: 'https://example.com/kept' }])
    })

    test.each([
      ['text in JSON', (id: number) => ({ json: { id: String(id) } })],
      ['a number in JSON', (id: number) => ({ json: { id } })],
      ['text in a form', (id: number) => ({ form: { id: String(id) } })],
    ])('the ID is accepted as %s', async (_how, options) => {
      const { key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      const deleted = await call(hooks, { method: 'DELETE', key, ...options(id) })
      expect(deleted.json).toStrictEqual({ success: true, code: null, id, error_message: null })
    })

    test('a webhook is deleted by target_url, event_type and request_method', async () => {
      const { key } = await hookline.account()
      const form = { ...hookA, request_method: 'JSON' }
      const { id } = (await create(key, form)).json
      await create(key, hookA)
      const deleted = await remove(key, form)
      expect(deleted.status).toBe(200)
      expect(deleted.json).toStrictEqual({ success: true, code: null, id, error_message: null })
      expect(await list(key)).toEqual([listedA])
    })

    test.each([
      ['target_url', 'https://example.com/A'],
      ['target_url', 'https://example.com/a/'],
      ['event_type', 'all'],
      ['request_method', 'GET'],
      ['event_filter', '4915'],
      ['headers', 'X-A: 1'],
    ])('a webhook with a different %s is not deleted: %s', async (name, value) => {
      const { key } = await hookline.account()
      await create(key, hookA)
      expectError(await remove(key, { ...hookA, [name]: value }), 404, 1100)
      expect(await list(key)).toEqual([listedA])
    })

    test('request_method defaults to POST, as in create', async () => {
      const { key } = await hookline.account()
      await create(key, { ...hookA, request_method: 'GET' })
      expectError(await remove(key, hookA), 404, 1100)
      const { id } = (await create(key, { ...hookA, request_method: 'post' })).json
      expect((await remove(key, hookA)).json.id).toBe(id)
    })

    test('a delete without event_filter prefers the webhook without a filter', async () => {
      const { key } = await hookline.account()
      await create(key, { ...hookA, event_filter: '4915' })
      const { id } = (await create(key, hookA)).json
      await create(key, { ...hookA, event_filter: '4916' })
      expect((await remove(key, hookA)).json).toStrictEqual({ ...success, id })
    })

    test('a delete without event_filter falls back to the only match', async () => {
      const { key } = await hookline.account()
      const { id } = (await create(key, { ...hookA, event_filter: '4915' })).json
      expect((await remove(key, hookA)).json).toStrictEqual({ ...success, id })
    })

    test('a delete without event_filter rejects several matches and lists their IDs', async () => {
      const { key } = await hookline.account()
      const first = (await create(key, { ...hookA, event_filter: '4915' })).json.id
      const second = (await create(key, { ...hookA, event_filter: '4916' })).json.id
      await create(key, { ...hookA, event_filter: '4917', event_type: 'dlr' })
      const rejected = await remove(key, hookA)
      expectError(rejected, 409, 1101)
      expect(rejected.json.error_message.match(/\d+/g)).toEqual([String(first), String(second)])
      expect(await list(key)).toHaveLength(3)
    })

    test('webhooks that differ only in headers count as several matches', async () => {
      const { key } = await hookline.account()
      const first = (await create(key, { ...hookA, headers: 'X-A: 1' })).json.id
      const second = (await create(key, { ...hookA, headers: 'X-A: 2' })).json.id
      const rejected = await remove(key, hookA)
      expectError(rejected, 409, 1101)
      expect(rejected.json.error_message.match(/\d+/g)).toEqual([String(first), String(second)])
      expect((await remove(key, { ...hookA, headers: 'X-A: 2' })).json).toStrictEqual({
        ...success,
        id: second,
      })
    })

    test('a delete with event_filter selects the webhook with that filter', async () => {
      const { key } = await hookline.account()
      await create(key, hookA)
      const { id } = (await create(key, { ...hookA, event_filter: '4915' })).json
      await create(key, { ...hookA, event_filter: '4916' })
      expect((await remove(key, { ...hookA, event_filter: '4915' })).json).toStrictEqual({ ...success, id })
    })

    test('a disabled webhook can be deleted', async () => {
      const { key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      await hookline.database.query('UPDATE hooks SET enabled = false WHERE id = $1', [id])
      expect((await remove(key, hookA)).json).toStrictEqual({ ...success, id })
    })

    test.each(['2147483647', '2147483648', '9223372036854775808'])(
      'an unknown ID is not found: %s',
      async (id) => {
        const { key } = await hookline.account()
        expectError(await remove(key, { id }), 404, 1100)
      },
    )

    test('a second delete of the same webhook is not found', async () => {
      const { key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      await remove(key, { id: String(id) })
      expectError(await remove(key, { id: String(id) }), 404, 1100)
    })

    test.each(['abc', '1.5', '1 OR 1=1'])('a non-numeric ID is rejected: %s', async (id) => {
      const { key } = await hookline.account()
      expectError(await remove(key, { id }), 400, 1012)
    })

    test.each([
      ['no parameters', {}],
      ['only target_url', { target_url: 'https://example.com/a' }],
      ['only event_type', { event_type: 'sms_mo' }],
      ['an empty ID', { id: '' }],
    ])('a delete with %s is rejected', async (_what, form: Form) => {
      const { key } = await hookline.account()
      await create(key, hookA)
      expectError(await remove(key, form), 400, 1010)
      expect(await list(key)).toEqual([listedA])
    })
  })

  describe('idempotent create', () => {
    const five = {
      target_url: 'https://example.com/five',
      event_type: 'sms_mo',
      request_method: 'JSON',
      event_filter: '4915',
      headers: 'X-A: 1',
    }

    test('a repeat of the same five values returns the existing ID', async () => {
      const { key } = await hookline.account()
      const first = await create(key, five)
      const second = await call(hooks, { method: 'POST', key, json: five })
      expect(second.status).toBe(200)
      expect(second.json).toStrictEqual({ ...success, id: first.json.id })
      expect(await list(key)).toHaveLength(1)
    })

    test.each([
      ['target_url', 'https://example.com/Five'],
      ['target_url', 'https://EXAMPLE.com/five'],
      ['event_type', 'all'],
      ['request_method', 'POST'],
      ['event_filter', '04915'],
      ['event_filter', ''],
      ['headers', 'X-A: 2'],
      ['headers', 'X-A: 1\nX-B: 2'],
      ['headers', ''],
    ])('a different %s creates another webhook: "%s"', async (name, value) => {
      const { key } = await hookline.account()
      const first = await create(key, five)
      const second = await create(key, { ...five, [name]: value })
      expect(second.json).toEqual(success)
      expect((await list(key)).map(({ id }) => id)).toEqual([String(first.json.id), String(second.json.id)])
    })

    test('a repeat enables a disabled webhook', async () => {
      const { key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      await hookline.database.query('UPDATE hooks SET enabled = false WHERE id = $1', [id])
      expect((await create(key, hookA)).json).toStrictEqual({ ...success, id })
      expect(await list(key)).toEqual([{ ...listedA, id: String(id), enabled: true }])
    })

    test('a repeat after a delete gets a new ID', async () => {
      const { key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      await remove(key, { id: String(id) })
      expect((await create(key, hookA)).json.id).toBeGreaterThan(id)
    })
  })

  const formHeaders = { 'content-type': formType }
})
