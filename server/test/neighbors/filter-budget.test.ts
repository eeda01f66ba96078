/** Tests that a filter which is too expensive for an event does not match it, and that every API reports so. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
let account: TestAccount

const squared = (times: number): string =>
  times === 0 ? 's == ""' : `cel.bind(s, s.split("").join(s), ${squared(times - 1)})`
/** Without a budget it would need more memory than any machine has. */
const killer = `cel:data.is_killer && cel.bind(s, data.text, ${squared(6)})`
const search = 'cel:data.text.split(" ").exists(x, data.text.contains(x + x + x))'
const large = { text: `${'a'.repeat(39_999)} `.repeat(3), is_killer: true }

beforeAll(async () => {
  hookline = await startTestService({
    ALLOW_PRIVATE_TARGETS: 'true',
    CALLS_PER_MINUTE: '100000',
    HOOKS_PER_ACCOUNT: '1000',
  })
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
  account = await hookline.account()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function post(path: string, json: object, key = account.key): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks${path}`, { method: 'POST', key, json })
}

async function createHook(path: string, filter: string | null, key = account.key): Promise<number> {
  const hook = {
    target_url: receiver.url(path),
    event_type: 'sms_mo',
    request_method: 'JSON',
    event_filter: filter,
  }
  const { json } = await post('', hook, key)
  expect(json.success, JSON.stringify(json)).toBe(true)
  return json.id
}

interface EventHook {
  hook_id: number
  verdict: string
  why: { kind: string; clause?: string; message: string }
  deliveries: Array<{ state: string }>
}

async function routedHooks(eventId: string, key = account.key): Promise<EventHook[]> {
  await expect
    .poll(() => hookline.database.query('SELECT FROM inbox WHERE event_id = $1', [eventId]), {
      timeout: 60_000,
    })
    .toEqual([])
  return (await call(`${hookline.url}/api/events/${eventId}`, { key })).json.hooks
}

async function countTooExpensive(): Promise<number> {
  const { text } = await call(`${hookline.service.internalUrl}/metrics`)
  return Number(/^hookline_filters_too_expensive_total (\S+)$/m.exec(text)?.[1])
}

test('an event page names the filter that was too expensive, and other webhooks get the event', async () => {
  const [first, second, plain] = [
    await createHook('/killer', killer),
    await createHook('/search', search),
    await createHook('/plain', 'cel:data.text.startsWith("aaa")'),
  ]
  const before = await countTooExpensive()
  const hooks = new Map(
    (await routedHooks(await gateway.event(account.accountId, large))).map((hook) => [hook.hook_id, hook]),
  )
  expect(hooks.get(plain)).toMatchObject({ verdict: 'matched' })
  expect(hooks.get(first)).toMatchObject({
    verdict: 'not_matched',
    why: { kind: 'too_expensive', clause: expect.stringMatching(/^cel\.bind\(/) },
  })
  expect(hooks.get(second)?.why).toEqual({
    kind: 'too_expensive',
    clause: search.slice('cel:'.length),
    message: `The filter is too expensive for this event: it exceeded its budget of 1,000,000 units at ${search.slice('cel:'.length)}.`,
  })
  expect((await countTooExpensive()) - before).toBe(2)
})

test('a filter backtest names the events for which the filter is too expensive', async () => {
  await gateway.event(account.accountId, large)
  // On a busy machine a third of a second can pass before an event is read.
  await expect
    .poll(
      async () => {
        const { json } = await post('/backtest-filter', { event_type: 'sms_mo', event_filter: search })
        return json.samples.not_matched[0]?.why
      },
      { timeout: 60_000 },
    )
    .toBe('The expression exceeds its budget on this event.')
})

test('a filter that is too expensive on every event is rejected by preview, backtest and registration', async () => {
  const filter = `cel:cel.bind(s, "${'a'.repeat(100)}", ${squared(3)})`
  const hook = { target_url: 'https://example.com/', event_type: 'sms_mo', event_filter: filter }
  const message = expect.stringMatching(/^The filter is too expensive on every event/)
  expect((await post('/preview', hook)).json.problems).toMatchObject([
    { field: 'event_filter', code: 1022, message },
  ])
  for (const path of ['', '/backtest-filter'])
    expect((await post(path, hook)).json).toMatchObject({ code: 1022, error_message: message })
})

test('many expensive filters of one account do not delay events of another', async () => {
  const busyAccount = await hookline.account()
  const other = await hookline.account()
  await createHook('/other', 'cel:data.text == "quick"', other.key)
  await Promise.all(
    Array.from({ length: 60 }, (_, at) => createHook(`/crowd-${at}`, search, busyAccount.key)),
  )
  const flood = Array.from({ length: 20 }, () => gateway.event(busyAccount.accountId, large))
  const quick = await gateway.event(other.accountId, { text: 'quick' })
  await expect.poll(() => receiver.at('/other').length > 0, { timeout: 60_000 }).toBe(true)
  expect((await routedHooks(quick, other.key))[0]).toMatchObject({ verdict: 'matched' })
  for (const id of await Promise.all(flood)) {
    const hooks = await routedHooks(id, busyAccount.key)
    expect(new Set(hooks.map(({ why: message }) => message.kind))).toEqual(new Set(['too_expensive']))
    expect(hooks[0]?.why.message).toContain('its budget of 83,333 units')
  }
  expect(await hookline.database.query('SELECT FROM parked')).toEqual([])
})
