/** Tests that neither results nor errors of a filter reveal the content of messages. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, type CallResponse } from '../support/http-call.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let gateway: Gateway
let account: TestAccount
const eventIds: string[] = []

const canaryText = 'zirp-Kanarienvogel-7391-quom'
const canaryNumber = 4_915_557_391_264
/** Both have the same shape, so that messages can differ only by content. */
const contents = [
  { text: canaryText, number: canaryNumber },
  { text: 'nehm-Rotkehlchen#-8204-dapf', number: 4_917_778_204_853 },
]

const expressions = [
  // Results.
  'data.text',
  'data.sender',
  'data.number',
  'data.price',
  'data.list',
  'data.map',
  'data.odd',
  'data',
  'dyn(data.text.substring(5, 12))',
  'dyn(int(data.digits))',
  'dyn(timestamp(data.when))',
  'dyn(bytes(data.text))',
  'dyn(bytes(data.text).hex())',
  'dyn(duration(data.digits + "s"))',
  'dyn({data.text: data.number})',
  'dyn([data.text])',
  'dyn(data.text.split("-"))',
  'data.list.exists(one, one == "") ? data.text : data.number',
  // Errors.
  'data[data.text] == 1',
  'data[data.text.substring(5, 12)] == 1',
  'data[data.text.substring(6, 7)] == "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789"',
  'data.map[data.digits] == 1',
  'data.map[data.number] == 1',
  'data.list[int(data.digits)] == 1',
  'data.list[data.number] == 1',
  'data.list[-int(data.digits)] == 1',
  'data.list.exists(one, data[one] == 1)',
  'data.odd == 1',
  'data.odd.name == 1',
  'data.odd + 1 == 1',
  'data.odd.exists(one, data.odd[one] == 1)',
  'data.text.name == 1',
  'data.text + data.number == 1',
  'data.text < data.number',
  'data.text && true',
  'data.text ? true : false',
  'bool(data.text)',
  'int(data.text) == 1',
  'uint(data.text) == 1u',
  'double(data.text) == 1.0',
  'int(data.digits) * 9223372036854775807 > 0',
  'int(data.price * 1e300) > 0',
  '-int(data.digits) * 9223372036854775807 > 0',
  'data.text.substring(int(data.digits)) == ""',
  'data.text.indexOf("a", int(data.digits)) == 0',
  'data.text.startsWith(data.number)',
  'data.list.join(data.text) == ""',
  'bytes(data.text).json().a == 1',
  'bytes(data.text).at(int(data.digits)) == 1',
  'duration(data.text) > duration("1s")',
  'timestamp(data.text) > event.accepted_at',
  'timestamp(int(data.digits) * 1000000) > event.accepted_at',
  'event.accepted_at.getHours(data.text) == 1',
  'timestamp(data.when).getFullYear(data.text.substring(5, 12)) == 1',
  'event[data.text] == 1',
  'data.?text.orValue("").unknown == 1',
]

/** Webhook id by expression, for expressions that can be registered. */
const hookIds = new Map<string, number>()

beforeAll(async () => {
  hookline = await startTestService({ CALLS_PER_MINUTE: '100000' })
  gateway = await createGateway(hookline)
  account = await hookline.account()
  for (const expression of expressions) {
    const { json } = await post('', hookWith(expression))
    if (json.success) hookIds.set(expression, json.id)
  }
  for (const { text, number } of contents)
    eventIds.push(
      await gateway.event(account.accountId, {
        text,
        sender: String(number),
        system: String(number),
        number,
        digits: String(number),
        price: number / 1_000,
        list: [text, number],
        map: { text, number },
        odd: { constructor: { name: text } },
        when: new Date(number / 4).toISOString(),
        bytes: Buffer.from(text).toString('hex'),
      }),
    )
})
afterAll(() => hookline.close())

function post(path: string, json: object): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks${path}`, { method: 'POST', key: account.key, json })
}

function hookWith(expression: string): Record<'target_url' | 'event_type' | 'event_filter', string> {
  return { target_url: 'https://example.com/', event_type: 'sms_mo', event_filter: `cel:${expression}` }
}

/** Values that are random in every response. They could contain six digits of a number by chance. */
const randomParts =
  /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|"name":"(?:webhook-signature|x-signature|x-nonce)","value":"[^"]+"/g

/** Expects no part of the stored content. Masked values keep four characters at the start and two at the end. */
function expectNoLeak(response: string): void {
  const visible = response.replaceAll(randomParts, '')
  for (const { text, number } of contents) {
    const secrets = [text, String(number), String(number / 1_000)]
    const hex = [Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64').slice(0, -2)]
    for (const secret of [...secrets, ...hex])
      for (let start = 0; start + 6 <= secret.length; start++)
        expect(visible).not.toContain(secret.slice(start, start + 6))
    // A day or minute of the timestamp can occur for another reason.
    expect(visible).not.toContain(new Date(number / 4).toISOString().slice(0, 16))
  }
}

test.each(expressions)('cel:%s', async (expression) => {
  const hook = hookWith(expression)
  const [backtested, previewed, saved] = [
    await post('/backtest-filter', hook),
    await post('/preview', hook),
    await post('', hook),
  ]
  for (const { text } of [backtested, previewed, saved]) expectNoLeak(text)
  const hookId = hookIds.get(expression)
  if (hookId === undefined) {
    // The expression never returns true or false, so it cannot be registered.
    expect([backtested.json.code, saved.json.code, previewed.json.problems.length]).toEqual([1022, 1022, 1])
    return
  }
  const reasons = backtested.json.samples.not_matched.map(({ why }: { why: string }) => why)
  expect(reasons).toHaveLength(contents.length)
  expect(new Set(reasons).size, reasons.join(' | ')).toBe(1)
  const comparison = await post('/backtest-filter', { ...hook, event_type: 'all', hook_id: hookId })
  expect(comparison.json.current_matched).toBe(0)
  expectNoLeak(comparison.text)
})

test('the explanation for a mismatch contains no value either', async () => {
  const explained = await Promise.all(eventIds.map(explain))
  expect(hookIds.size).toBeGreaterThan(40)
  for (const expression of hookIds.keys()) {
    const reasons = explained.map((hooks) => hooks.get(`cel:${expression}`))
    for (const why of reasons) expectNoLeak(JSON.stringify(why))
    const errors = reasons.filter((why) => why?.kind === 'filter_error')
    expect(new Set(errors.map((why) => why?.message)).size, expression).toBeLessThanOrEqual(1)
  }
})

interface Why {
  kind: string
  message: string
}

/** Waits until the event is matched and returns the reason per filter. */
async function explain(eventId: string): Promise<Map<string, Why>> {
  await expect
    .poll(() => hookline.database.query('SELECT FROM inbox WHERE event_id = $1', [eventId]), {
      timeout: 30_000,
    })
    .toEqual([])
  const { json } = await call(`${hookline.url}/api/events/${eventId}`, { key: account.key })
  const hooks: Array<{ event_filter: string; why: Why }> = json.hooks
  expect(hooks).toHaveLength(hookIds.size)
  return new Map(hooks.map(({ event_filter, why }) => [event_filter, why]))
}

async function backtestReason(expression: string): Promise<string> {
  const response = await post('/backtest-filter', { event_type: 'sms_mo', event_filter: `cel:${expression}` })
  return response.json.samples.not_matched[0].why
}

test('messages still help: a missing field, the type of the result, types that do not fit', async () => {
  expect(await backtestReason('data.nothing == 1')).toBe(
    'The expression could not be evaluated: No such key: data.nothing',
  )
  expect(await backtestReason('data.text')).toBe('The expression returned a string.')
  expect(await backtestReason('data.text == "x"')).toBe('The expression returned false.')
  expect(await backtestReason('data.text < 1')).toMatch(
    /could not be evaluated: no such overload: \S+ < int$/,
  )
})
