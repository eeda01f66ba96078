/** Webhooks registered with an older name of `rcs` receive one part of its events; the explanation says which. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { call } from '../support/http-call.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

const message = { id: 1, agent_id: 'agent', sender: '4917', time: 1, content_type: 'text', text: 'Hi' }
const status = { msg_id: '2', agent_id: 'agent', sender: '4917', status: 'READ', timestamp: '1' }
const names = ['all', 'rcs', 'rcs_mo', 'rcs_dlr', 'sms_mo']

function api({ key }: TestAccount, path: string, json?: object) {
  return call(`${hookline.url}/api${path}`, { key, ...(json && { method: 'POST', json }) })
}

async function register(account: TestAccount, event_type: string, path = `/${event_type}`): Promise<number> {
  const created = await api(account, '/hooks', {
    target_url: receiver.url(path),
    event_type,
    request_method: 'JSON',
  })
  return created.json.id
}

/** Returns the names whose webhook has a delivery of the event. */
async function receivers(account: TestAccount, type: string, data: object) {
  const ids = new Map<number, string>()
  for (const name of names) ids.set(await register(account, name), name)
  const { accepted } = await gateway.submitEvents({ account_id: account.accountId, type, data })
  const [eventId = ''] = accepted
  const detail = async () => (await api(account, `/events/${eventId}`)).json
  await expect.poll(async () => (await detail()).hooks.length, { timeout: 30_000 }).toBe(names.length)
  const { event, hooks } = await detail()
  const explained = hooks as Array<{
    hook_id: number
    verdict: string
    why: { kind: string; message: string }
    deliveries: object[]
  }>
  return {
    type: event.type as string,
    delivered: explained
      .filter(({ deliveries }) => deliveries.length > 0)
      .map(({ hook_id }) => ids.get(hook_id)),
    matched: explained.filter(({ verdict }) => verdict === 'matched').map(({ hook_id }) => ids.get(hook_id)),
    why: (name: string) => explained.find(({ hook_id }) => ids.get(hook_id) === name)?.why,
  }
}

test.each([
  ['rcs', message, ['all', 'rcs', 'rcs_mo']],
  ['rcs_mo', message, ['all', 'rcs', 'rcs_mo']],
  ['rcs', status, ['all', 'rcs', 'rcs_dlr']],
  ['rcs_dlr', status, ['all', 'rcs', 'rcs_dlr']],
])('an event submitted as %s with %j reaches %j', async (type, data, expected) => {
  const found = await receivers(await hookline.account(), type, data)
  expect(found).toMatchObject({ type: 'rcs', delivered: expected, matched: expected })
})

test('the explanation says why a part does not match', async () => {
  const account = await hookline.account()
  const { why } = await receivers(account, 'rcs', status)
  expect(why('rcs_mo')).toMatchObject({
    kind: 'type',
    message:
      'The webhook was registered as rcs_mo and receives only inbound RCS messages. This event is another kind of rcs event.',
  })
  expect(why('rcs_dlr')).toMatchObject({
    kind: 'matched',
    message: 'The webhook receives RCS status events.',
  })
})

test('an earlier name of a webhook explains earlier events', async () => {
  const account = await hookline.account()
  const id = await register(account, 'rcs_mo', '/renamed')
  const { accepted } = await gateway.submitEvents({
    account_id: account.accountId,
    type: 'rcs',
    data: status,
  })
  const read = async () => (await api(account, `/events/${accepted[0]}`)).json.hooks
  await expect.poll(async () => (await read()).length, { timeout: 30_000 }).toBe(1)
  await api(account, `/hooks/${id}`, { event_type: 'rcs' })
  expect((await api(account, `/hooks/${id}`)).json.hook.event_type).toBe('rcs')
  expect(await read()).toMatchObject([{ verdict: 'not_matched', why: { kind: 'type' } }])
})

test.each([
  ['rcs_mo', 'content_type'],
  ['rcs_dlr', 'status'],
])('a webhook for %s shows its name, and its test event has %s', async (name, field) => {
  const account = await hookline.account()
  const path = `/test-${name}`
  const id = await register(account, name, path)
  expect((await api(account, `/hooks/${id}`)).json.hook.event_type).toBe(name)
  expect((await api(account, `/hooks/${id}/test`, {})).json).toMatchObject({ success: true })
  await receiver.until(() => receiver.at(path).length === 1, 30_000)
  expect(JSON.parse(receiver.at(path)[0]?.body ?? '')).toMatchObject({
    webhook_event: 'rcs',
    data: { [field]: expect.any(String) },
  })
})

test('only a webhook with events in common is a duplicate', async () => {
  const account = await hookline.account()
  const ids: Record<string, number> = {}
  for (const name of names) ids[name] = await register(account, name, '/same')
  const duplicatesOf = async (event_type: string) => {
    const preview = { target_url: receiver.url('/same'), event_type, request_method: 'GET' }
    const { warnings } = (await api(account, '/hooks/preview', preview)).json
    return warnings
      .filter(({ code }: { code: string }) => code === 'duplicate')
      .map(({ hook_id }: { hook_id: number }) => names.find((name) => ids[name] === hook_id))
  }
  expect(await duplicatesOf('rcs')).toEqual(['all', 'rcs', 'rcs_mo', 'rcs_dlr'])
  expect(await duplicatesOf('rcs_mo')).toEqual(['all', 'rcs', 'rcs_mo'])
  expect(await duplicatesOf('rcs_dlr')).toEqual(['all', 'rcs', 'rcs_dlr'])
  expect(await duplicatesOf('sms_mo')).toEqual(['all', 'sms_mo'])
})
