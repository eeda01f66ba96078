/** A filter can ask about messages, but what it answers or fails by never tells what stands in them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, type CallAnswer } from './call.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

let world: TestWorld
let gateway: Gateway
let account: TestAccount
const eventIds: string[] = []

const canaryText = 'zirp-Kanarienvogel-7391-quom'
const canaryNumber = 4_915_557_391_264
/** The same in every kind, so that what is said can only differ by what stands in them. */
const contents = [
  { text: canaryText, number: canaryNumber },
  { text: 'nehm-Rotkehlchen#-8204-dapf', number: 4_917_778_204_853 },
]

const expressions = [
  // Answers.
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

/** The webhook of each expression that one can have. */
const hookIds = new Map<string, number>()

beforeAll(async () => {
  world = await startWorld({ CALLS_PER_MINUTE: '100000' })
  gateway = await createGateway(world)
  account = await world.account()
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
afterAll(() => world.close())

function post(path: string, json: object): Promise<CallAnswer> {
  return call(`${world.url}/api/hooks${path}`, { method: 'POST', key: account.key, json })
}

function hookWith(expression: string): Record<'target_url' | 'event_type' | 'event_filter', string> {
  return { target_url: 'https://example.com/', event_type: 'sms_mo', event_filter: `cel:${expression}` }
}

/** Made by chance for every answer: six digits of a number may stand there by chance too. */
const chance =
  /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|"name":"(?:webhook-signature|x-signature|x-nonce)","value":"[^"]+"/g

/** Parts of what was stored that nothing shows: masked values keep four characters at the start and two at the end. */
function expectNothingOf(answer: string): void {
  const said = answer.replaceAll(chance, '')
  for (const { text, number } of contents) {
    const secrets = [text, String(number), String(number / 1_000)]
    const hex = [Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64').slice(0, -2)]
    for (const secret of [...secrets, ...hex])
      for (let start = 0; start + 6 <= secret.length; start++)
        expect(said).not.toContain(secret.slice(start, start + 6))
    // A day or a minute of it may be one that is named for another reason.
    expect(said).not.toContain(new Date(number / 4).toISOString().slice(0, 16))
  }
}

test.each(expressions)('cel:%s', async (expression) => {
  const hook = hookWith(expression)
  const [tried, previewed, saved] = [
    await post('/try-filter', hook),
    await post('/preview', hook),
    await post('', hook),
  ]
  for (const { text } of [tried, previewed, saved]) expectNothingOf(text)
  const hookId = hookIds.get(expression)
  if (hookId === undefined) {
    // It never answers true or false, so nobody can have it.
    expect([tried.json.code, saved.json.code, previewed.json.problems.length]).toEqual([1022, 1022, 1])
    return
  }
  const whys = tried.json.samples.not_matched.map(({ why }: { why: string }) => why)
  expect(whys).toHaveLength(contents.length)
  expect(new Set(whys).size, whys.join(' | ')).toBe(1)
  const beside = await post('/try-filter', { ...hook, event_type: 'all', hook_id: hookId })
  expect(beside.json.current_matched).toBe(0)
  expectNothingOf(beside.text)
})

test('why a webhook did not get an event holds no value either', async () => {
  const explained = await Promise.all(eventIds.map(explain))
  expect(hookIds.size).toBeGreaterThan(40)
  for (const expression of hookIds.keys()) {
    const whys = explained.map((hooks) => hooks.get(`cel:${expression}`))
    for (const why of whys) expectNothingOf(JSON.stringify(why))
    const errors = whys.filter((why) => why?.kind === 'filter_error')
    expect(new Set(errors.map((why) => why?.sentence)).size, expression).toBeLessThanOrEqual(1)
  }
})

interface Why {
  kind: string
  sentence: string
}

/** Once it was matched against the webhooks: the reason for each filter. */
async function explain(eventId: string): Promise<Map<string, Why>> {
  await expect
    .poll(() => world.database.query('SELECT FROM inbox WHERE event_id = $1', [eventId]), { timeout: 30_000 })
    .toEqual([])
  const { json } = await call(`${world.url}/api/events/${eventId}`, { key: account.key })
  const hooks: Array<{ event_filter: string; why: Why }> = json.hooks
  expect(hooks).toHaveLength(hookIds.size)
  return new Map(hooks.map(({ event_filter, why }) => [event_filter, why]))
}

async function whyNot(expression: string): Promise<string> {
  const answer = await post('/try-filter', { event_type: 'sms_mo', event_filter: `cel:${expression}` })
  return answer.json.samples.not_matched[0].why
}

test('what is said still helps: a field that is not there, the kind of an answer, types that do not fit', async () => {
  expect(await whyNot('data.nothing == 1')).toBe('The expression could not be run: No such key: data.nothing')
  expect(await whyNot('data.text')).toBe('The expression answered a text.')
  expect(await whyNot('data.text == "x"')).toBe('The expression answered false.')
  expect(await whyNot('data.text < 1')).toMatch(/could not be run: no such overload: \S+ < int$/)
})
