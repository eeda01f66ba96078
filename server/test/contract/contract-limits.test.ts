/** The /api/hooks contract: filters, limits, change history and concurrent processes. */
import { setTimeout as sleep } from 'node:timers/promises'
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
  create,
  remove,
  list,
  expectError,
  statusOf,
  breakVersions,
} from '../support/contract.ts'

describe.each(statusModes)('with %s statuses', (mode) => {
  useContractService(mode)

  describe('event_filter', () => {
    test.each(['cel:data.sender.startsWith("49")', 'cel:event.type == "sms_mo"', 'agent one,agent two'])(
      'the list returns the filter unchanged: %s',
      async (event_filter) => {
        const { key } = await hookline.account()
        expect((await create(key, { ...hookA, event_filter })).json).toEqual(success)
        expect(await list(key)).toEqual([{ ...listedA, event_filter }])
      },
    )

    test.each([
      ['does not compile', 'cel:data.sender =='],
      ['is empty', 'cel:'],
      ['uses an unknown name', 'cel:account.id == 1'],
      ['does not return a boolean', 'cel:"text"'],
    ])('an expression that %s is rejected', async (_what, event_filter) => {
      const { key } = await hookline.account()
      expectError(await create(key, { ...hookA, event_filter }), 400, 1022)
      expect(await list(key)).toEqual([])
    })

    test.each(['dlr', 'voice_status', 'tracking'])(
      'a number filter warns for event types without a number: %s',
      async (event_type) => {
        const { key } = await hookline.account()
        const created = await create(key, { ...hookA, event_type, event_filter: '4915' })
        expect(created.json).toEqual(success)
        expect(created.headers.get('x-hookline-warning')).toContain(event_type)
      },
    )

    test.each(['all', 'rcs', 'rcs_mo', 'rcs_dlr', 'sms_mo', 'voice_call', 'voice_dtmf', 'wa_mo'])(
      'a number filter does not warn for event types with a number: %s',
      async (event_type) => {
        const { key } = await hookline.account()
        const created = await create(key, { ...hookA, event_type, event_filter: '4915' })
        expect(created.headers.get('x-hookline-warning')).toBeNull()
      },
    )
  })

  describe('limits', () => {
    const base = 'https://example.com/'

    test.each([
      ['a URL of 2,048 bytes', { target_url: base.padEnd(2048, 'a') }],
      ['a filter of 1,024 bytes', { event_filter: '4'.repeat(1024) }],
      ['32 headers', { headers: manyHeaders(32) }],
      ['a header name of 256 bytes', { headers: `${'a'.repeat(256)}: 1` }],
      ['a header value of 4,096 bytes', { headers: `X-A: ${'a'.repeat(4096)}` }],
      ['headers of 8,192 bytes', { headers: headersOf(8192) }],
    ])('%s is accepted and listed in full', async (_what, input: Form) => {
      const { key } = await hookline.account()
      expect((await create(key, { ...hookA, ...input })).json).toEqual(success)
      expect(await list(key)).toEqual([{ ...listedA, ...input }])
    })

    test.each([
      ['a URL of 2,049 bytes', 1020, { target_url: base.padEnd(2049, 'a') }],
      ['a URL of fewer characters but 2,050 bytes', 1020, { target_url: base.padEnd(1035, 'ü') }],
      ['a filter of 1,025 bytes', 1022, { event_filter: '4'.repeat(1025) }],
      ['a filter of fewer characters but 1,026 bytes', 1022, { event_filter: 'ü'.repeat(513) }],
      ['33 headers', 1021, { headers: manyHeaders(33) }],
      ['a header name of 257 bytes', 1021, { headers: `${'a'.repeat(257)}: 1` }],
      ['a header value of 4,097 bytes', 1021, { headers: `X-A: ${'a'.repeat(4097)}` }],
      ['headers of 8,193 bytes', 1021, { headers: headersOf(8193) }],
    ])('%s is rejected', async (_what, code, input: Form) => {
      const { key } = await hookline.account()
      expectError(await create(key, { ...hookA, ...input }), 400, code)
      expect(await list(key)).toEqual([])
    })

    describe('configured limits', () => {
      let smallHooks: string
      beforeAll(async () => {
        const small = await hookline.startAnother({
          HOOKS_PER_ACCOUNT: '2',
          MAX_URL_BYTES: '30',
          MAX_FILTER_BYTES: '3',
          MAX_HEADERS: '1',
          MAX_HEADER_NAME_BYTES: '4',
          MAX_HEADER_VALUE_BYTES: '5',
          MAX_HEADERS_BYTES: '10',
        })
        smallHooks = `${small.url}/api/hooks`
      })

      test('an account at its limit can repeat and delete webhooks but not create one', async () => {
        const { key } = await hookline.account()
        const second = { ...hookA, event_type: 'dlr' }
        const third = { ...hookA, event_type: 'rcs' }
        const { id } = (await create(key, hookA, smallHooks)).json
        await create(key, second, smallHooks)
        expectError(await create(key, third, smallHooks), 409, 1201)
        expectError(await create(key, { ...third, action: 'subscribe' }, smallHooks), 200, 1201)

        await hookline.database.query('UPDATE hooks SET enabled = false WHERE id = $1', [id])
        expect((await create(key, hookA, smallHooks)).json).toStrictEqual({ ...success, id })
        await remove(key, second)
        expect((await create(key, third, smallHooks)).json).toEqual(success)
        expect((await list(key)).map((hook) => hook.event_type)).toEqual(['sms_mo', 'rcs'])
      })

      test.each([
        ['the URL', 1020, { target_url: 'https://example.com/'.padEnd(31, 'a') }],
        ['the filter', 1022, { event_filter: '4915' }],
        ['the number of headers', 1021, { headers: 'A: 1\nB: 2' }],
        ['a header name', 1021, { headers: 'X-A-B: 1' }],
        ['a header value', 1021, { headers: 'A: 123456' }],
        ['the total size of headers', 1021, { headers: 'ABCD:  12345' }],
      ])('a setting limits %s', async (_what, code, input: Form) => {
        const { key } = await hookline.account()
        expectError(await create(key, { ...hookA, ...input }, smallHooks), 400, code)
        expect((await create(key, { ...hookA, ...input })).json).toEqual(success)
      })
    })

    describe('call rate', () => {
      let slow: string
      beforeAll(async () => {
        slow = (await hookline.startAnother({ CALLS_PER_MINUTE: '3' })).url
      })

      test('every response contains the remaining calls per minute, and a call beyond them gets 429', async () => {
        const [{ key }, other] = [await hookline.account(), await hookline.account()]
        const url = `${slow}/api/hooks`
        await earlyInTheMinute()
        const responses = [
          await call(url, { key }),
          await create(key, { ...hookA, target_url: 'nowhere' }, url),
          await call(`${slow}/api/unknown`, { key }),
          await create(key, hookA, url),
        ]
        expect(responses.map(({ status }) => status)).toEqual([200, statusOf(400), 404, statusOf(429)])
        for (const [index, { headers }] of responses.entries()) {
          const remaining = ['2', '1', '0', '0'][index]
          expect(headers.get('x-ratelimit-limit')).toBe('3')
          expect(headers.get('x-ratelimit-remaining')).toBe(remaining)
          expect(headers.get('ratelimit-policy')).toBe('"account";q=3;w=60')
          expect(headers.get('ratelimit')).toMatch(new RegExp(`^"account";r=${remaining};t=\\d+$`))
        }
        const [, , , rejected] = responses
        expect(rejected?.json).toStrictEqual({
          success: false,
          code: 1200,
          error_message: expect.any(String),
        })
        expect(Number(rejected?.headers.get('retry-after'))).toSatisfy(
          (wait: number) => wait >= 1 && wait <= 60,
        )

        expect((await call(url, { key: other.key })).status).toBe(200)
        expect(await list(key)).toEqual([])
      })

      test('a call above the limit gets 429 in the action dialect too', async () => {
        const { key } = await hookline.account()
        const url = `${slow}/api/hooks?action=read`
        await earlyInTheMinute()
        for (let count = 0; count < 3; count++) await call(url, { key })
        expectError(await call(url, { key }), 429, 1200)
      })

      test('a credential above the limit is rejected without a database query', async () => {
        const [{ key }, other] = [await hookline.account(), await hookline.account()]
        const url = `${slow}/api/hooks`
        await earlyInTheMinute()
        for (let count = 0; count < 4; count++) await call(url, { key })
        await hookline.database.query('BEGIN')
        await hookline.database.query('LOCK TABLE keys, call_counts IN ACCESS EXCLUSIVE MODE')
        try {
          const rejected = await call(url, { key })
          expectError(rejected, 429, 1200)
          expect(rejected.headers.get('ratelimit')).toMatch(/^"account";r=0;t=\d+$/)
          expect(Number(rejected.headers.get('retry-after'))).toSatisfy(
            (wait: number) => wait > 0 && wait <= 60,
          )
          // Other credentials need a query and wait for the lock.
          const waits = await Promise.race([call(url, { key: other.key }), sleep(500, 'waits')])
          expect(waits).toBe('waits')
        } finally {
          await hookline.database.query('ROLLBACK')
        }
      })
    })
  })

  describe('change history', () => {
    test('a change increments hooks_version and appends the version in one transaction', async () => {
      const { accountId, key } = await hookline.account()
      const filtered = { ...hookA, event_filter: '4915', headers: 'X-A: 1' }
      const { id } = (await create(key, filtered)).json
      expect(await lastChange(accountId)).toEqual({ change: 'created', enabled: true, inOneCommit: true })
      expect(await hooksVersion(accountId)).toBe(1)

      await hookline.database.query('UPDATE hooks SET enabled = false WHERE id = $1', [id])
      await create(key, filtered)
      expect(await lastChange(accountId)).toEqual({ change: 'enabled', enabled: true, inOneCommit: true })
      expect(await hooksVersion(accountId)).toBe(2)

      await remove(key, { id: String(id) })
      expect(await lastChange(accountId)).toEqual({ change: 'deleted', enabled: true, inOneCommit: true })
      expect(await hooksVersion(accountId)).toBe(3)

      await create(key, { ...hookA, action: 'subscribe' })
      await create(key, { ...hookA, action: 'unsubscribe' })
      expect((await versions(accountId)).map(({ change, version }) => `${version} ${change}`)).toEqual([
        '1 created',
        '2 enabled',
        '3 deleted',
        '4 created',
        '5 deleted',
      ])
    })

    test('a version stores the actor and the webhook', async () => {
      const { accountId, key, keyId, loginId, alias, password } = await hookline.account()
      const { id } = (await create(key, { ...hookA, event_filter: '4915', request_method: 'JSON' })).json
      await create(undefined, { u: alias, p: password, action: 'unsubscribe', id: String(id) })
      const shape = {
        hook_id: id,
        target_url: 'https://example.com/a',
        event_type: 'sms_mo',
        request_method: 'JSON',
        event_filter: '4915',
      }
      expect(await versions(accountId)).toEqual([
        { ...shape, version: 1, change: 'created', actor: `key:${keyId}` },
        { ...shape, version: 2, change: 'deleted', actor: `login:${loginId}` },
      ])
    })

    test('a call that fails or changes nothing adds no version', async () => {
      const { accountId, key } = await hookline.account()
      await create(key, { ...hookA, event_filter: '1' })
      await create(key, { ...hookA, event_filter: '2' })

      expectError(await create(key, { ...hookA, target_url: 'nowhere' }), 400, 1020)
      expectError(await create(key, { ...hookA, headers: 'Host: x' }), 400, 1021)
      expectError(await remove(key, { id: '2147483647' }), 404, 1100)
      expectError(await remove(key, hookA), 409, 1101)
      expectError(await remove(key, { ...hookA, event_type: 'dlr' }), 404, 1100)
      expect((await create(key, { ...hookA, event_filter: '2' })).json).toEqual(success)
      await list(key)

      expect(await hooksVersion(accountId)).toBe(2)
      expect((await versions(accountId)).map(({ change }) => change)).toEqual(['created', 'created'])
    })

    test('a change rolls back completely when one part fails', async () => {
      const { accountId, key } = await hookline.account()
      await create(key, hookA)
      await breakVersions(accountId)
      expectError(await create(key, { ...hookA, event_type: 'dlr' }), 500, 1300)
      expectError(await remove(key, hookA), 500, 1300)
      expect(await list(key)).toEqual([listedA])
      expect(await hooksVersion(accountId)).toBe(1)
    })
  })

  describe('two concurrent processes', () => {
    let both: string[]
    beforeAll(async () => {
      both = [hooks, `${(await hookline.startAnother()).url}/api/hooks`]
    })

    test('concurrent creates of the same webhook return one ID', async () => {
      const { accountId, key } = await hookline.account()
      const responses = await Promise.all(
        Array.from({ length: 10 }).flatMap(() => both.map((url) => create(key, hookA, url))),
      )
      const id = responses[0]?.json.id
      expect(responses).toHaveLength(20)
      for (const { json } of responses) expect(json).toStrictEqual({ ...success, id })
      expect(await list(key)).toEqual([{ ...listedA, id: String(id) }])
      expect((await versions(accountId)).map(({ change }) => change)).toEqual(['created'])
    })

    test('concurrent creates never exceed 100 webhooks per account', async () => {
      const { accountId, key } = await hookline.account()
      const responses = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          both.map((url, side) =>
            create(key, { ...hookA, target_url: `https://example.com/${n}/${side}` }, url),
          ),
        ).flat(),
      )
      const rejected = responses.filter(({ json }) => json.success === false)
      expect(rejected).toHaveLength(20)
      for (const response of rejected) expectError(response, 409, 1201)
      expect(await list(key)).toHaveLength(100)
      expect(await hooksVersion(accountId)).toBe(100)
    })

    test('concurrent deletes succeed once', async () => {
      const { key } = await hookline.account()
      const { id } = (await create(key, hookA)).json
      const responses = await Promise.all(
        Array.from({ length: 5 }).flatMap(() => both.map((url) => remove(key, { id: String(id) }, url))),
      )
      expect(responses.filter(({ json }) => json.success)).toHaveLength(1)
      const rejected = responses.filter(({ json }) => !json.success)
      expect(rejected).toHaveLength(9)
      for (const response of rejected) expectError(response, 404, 1100)
    })

    test('a change by one process is visible in the other', async () => {
      const { key } = await hookline.account()
      await create(key, hookA, both[0])
      expect(await list(key, both[1])).toEqual([listedA])
      await remove(key, hookA, both[1])
      expect(await list(key, both[0])).toEqual([])
    })
  })
})

async function hooksVersion(accountId: number): Promise<number> {
  const sql = 'SELECT hooks_version::integer AS version FROM accounts WHERE id = $1'
  const [row] = await hookline.database.query<{ version: number }>(sql, [accountId])
  return row?.version ?? -1
}

function versions(accountId: number) {
  return hookline.database.query<{ version: number; change: string }>(
    `SELECT hook_id, version::integer, change, actor, target_url, event_type, request_method, event_filter
   FROM hook_versions WHERE account_id = $1 ORDER BY version`,
    [accountId],
  )
}

/** Compares `xmin`, which is equal for rows written by one transaction. */
async function lastChange(accountId: number): Promise<unknown> {
  const [row] = await hookline.database.query(
    `SELECT change, enabled, hook_versions.xmin = accounts.xmin AS "inOneCommit"
   FROM hook_versions JOIN accounts ON accounts.id = account_id AND hooks_version = version
   WHERE account_id = $1`,
    [accountId],
  )
  return row
}

/** Calls are counted per minute of the database clock. Waits until at least ten seconds of the minute remain. */
async function earlyInTheMinute(): Promise<void> {
  const sql = 'SELECT 60 - extract(second FROM clock_timestamp())::float AS left'
  const [row] = await hookline.database.query<{ left: number }>(sql)
  const left = row?.left ?? 60
  if (left < 10) await new Promise((resolve) => setTimeout(resolve, left * 1000 + 100))
}

function manyHeaders(count: number): string {
  return Array.from({ length: count }, (_, n) => `X-${n}: 1`).join('\n')
}

/** Returns three lines, each within the limit of one line. */
function headersOf(bytes: number): string {
  return `X-A: ${'a'.repeat(4000)}\nX-B: ${'b'.repeat(4000)}\nX-C: ${'c'.repeat(bytes - 8017)}`
}
