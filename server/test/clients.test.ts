/**
 * Existing clients, unmodified: two npm packages as they are published, and the recorded requests of the others, sent
 * byte for byte, with what each client reads from the answer.
 */
import { Client, HooksResource } from '@seven.io/client'
import sms77 from 'sms77-client'
import { HooksAction } from 'sms77-client/dist/constants/byEndpoint/hooks/HooksAction.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from './call.ts'
import fixtures from './fixtures/client-requests.json' with { type: 'json' }
import { rawCall } from './raw-call.ts'
import { startWorld, type TestWorld } from './service.ts'

// The package exports the class itself, while its types promise an object that holds it.
const Sms77Client = sms77 as unknown as typeof sms77.Sms77Client
/** Holds the address that sms77-client calls; the same static on the class itself has no effect. */
const sms77Base: { BASE_URL: string } = Object.getPrototypeOf(Sms77Client)

let world: TestWorld
let api: string

beforeAll(async () => {
  world = await startWorld()
  api = `${world.url}/api`
  Object.assign(Client, { BASE_URL: api })
  Object.assign(sms77Base, { BASE_URL: api })
})
afterAll(() => world.close())

// No call may ever go to the vendor: without our own address no test runs.
beforeEach(() => {
  expect(api).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
  expect(Client.BASE_URL).toBe(api)
  expect(sms77Base.BASE_URL).toBe(api)
})

describe('@seven.io/client', () => {
  test('creates, lists and deletes a webhook', async () => {
    const { key } = await world.account()
    const client = new HooksResource(new Client({ apiKey: key }))
    const created = await client.subscribe({
      targetUrl: 'https://my.tld/y?a=1&b=ü',
      eventType: 'sms_mo',
      requestMethod: 'JSON',
      eventFilter: '491771783130',
      headers: 'X-A: 1\nX-B: 2',
    })
    expect(created).toEqual({ success: true, code: null, id: expect.any(Number), error_message: null })

    const { id } = created
    expect(await client.read()).toEqual({
      success: true,
      code: null,
      hooks: [
        {
          id: String(id),
          target_url: 'https://my.tld/y?a=1&b=ü',
          event_type: 'sms_mo',
          event_filter: '491771783130',
          request_method: 'JSON',
          headers: 'X-A: 1\nX-B: 2',
          enabled: true,
          // The client makes a Date of it: an unreadable text would be an invalid one.
          created: expect.toSatisfy((at: Date) => !Number.isNaN(at.getTime())),
        },
      ],
    })
    expect(await client.unsubscribe(id ?? 0)).toEqual({ success: true, code: null, id, error_message: null })
    expect((await client.read()).hooks).toEqual([])
  })

  test('reads a refusal', async () => {
    const { key } = await world.account()
    const client = new HooksResource(new Client({ apiKey: key }))
    expect(await client.subscribe({ targetUrl: 'my.tld', eventType: 'dlr' })).toEqual({
      success: false,
      code: 1020,
      error_message: 'Invalid URL',
    })
  })

  test('is served when it signs its requests', async () => {
    const { key } = await world.account()
    const client = new HooksResource(new Client({ apiKey: key, signingSecret: 'not known to the service' }))
    const created = await client.subscribe({ targetUrl: 'https://my.tld/signed', eventType: 'dlr' })
    expect(created).toEqual({ success: true, code: null, id: expect.any(Number), error_message: null })
  })
})

describe('sms77-client', () => {
  test('creates, lists and deletes a webhook', async () => {
    const { key } = await world.account()
    const client = new Sms77Client(key, 'test')
    const created = await client.hooks({
      action: HooksAction.Subscribe,
      target_url: 'https://my.tld/x?a=1&b=ü',
      event_type: 'dlr',
      request_method: 'GET',
      event_filter: null,
    })
    expect(created).toEqual({ success: true, code: null, id: expect.any(Number), error_message: null })

    const { id } = created as { id: number }
    expect(await client.hooks({ action: HooksAction.Read })).toEqual({
      success: true,
      code: null,
      hooks: [
        {
          id: String(id),
          target_url: 'https://my.tld/x?a=1&b=ü',
          event_type: 'dlr',
          event_filter: null,
          request_method: 'GET',
          headers: '',
          enabled: true,
          created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        },
      ],
    })
    const deleted = await client.hooks({ action: HooksAction.Unsubscribe, id })
    expect(deleted).toEqual({ success: true, code: null, id, error_message: null })
    expect(await client.hooks({ action: HooksAction.Read })).toMatchObject({ hooks: [] })
  })
})

interface Recorded {
  client: string
  act: string
  method: string
  path: string
  headers: Record<string, string | undefined>
  body?: string
}

const recorded: Recorded[] = fixtures
const withToken = recorded.filter((request) => JSON.stringify(request).includes('{token}'))
const withKey = recorded.filter((request) => !withToken.includes(request))

test('all 51 recorded requests are sent, four of them with an access token', () => {
  expect(recorded).toHaveLength(51)
  expect(withToken.map(({ client, act }) => `${client}: ${act}`)).toEqual([
    'axios-based MCP server: create',
    'Zapier: create',
    'Zapier: delete',
    'Pipedream: create',
  ])
})

describe('recorded requests', () => {
  test.each(withKey.filter(({ act }) => act === 'list'))('$client lists: $method $path', async (request) => {
    const { key } = await world.account()
    const form = { target_url: 'https://my.tld/listed', event_type: 'voice_call' }
    const { id } = (await call(`${api}/hooks`, { method: 'POST', key, form })).json
    const answer = await send(request, { key })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      success: true,
      code: null,
      hooks: [
        {
          id: String(id),
          target_url: 'https://my.tld/listed',
          event_type: 'voice_call',
          event_filter: null,
          request_method: 'POST',
          headers: '',
          enabled: true,
          created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        },
      ],
    })
  })

  test.each(withKey.filter(({ act }) => act === 'create'))(
    '$client creates: $method $path $body',
    async (request) => {
      const { key } = await world.account()
      const answer = await send(request, { key })
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({ success: true, code: null, id: expect.any(Number), error_message: null })

      const sent = parametersOf(request)
      expect((await call(`${api}/hooks`, { key })).json.hooks).toEqual([
        {
          id: String(answer.json.id),
          target_url: sent.target_url,
          event_type: sent.event_type,
          event_filter: isSet(sent.event_filter) ? sent.event_filter : null,
          request_method: isSet(sent.request_method) ? sent.request_method?.toUpperCase() : 'POST',
          headers: sent.headers ?? '',
          enabled: true,
          created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        },
      ])
    },
  )

  test.each(withKey.filter(({ act }) => act === 'delete'))(
    '$client deletes: $method $path $body',
    async (request) => {
      const { key } = await world.account()
      const form = { target_url: 'https://my.tld/deleted', event_type: 'voice_dtmf' }
      const { id } = (await call(`${api}/hooks`, { method: 'POST', key, form })).json
      const answer = await send(request, { key, id: String(id) })
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({ success: true, code: null, id, error_message: null })
      expect((await call(`${api}/hooks`, { key })).json.hooks).toEqual([])
    },
  )

  test.each(withToken)('$client is told that its token is not valid: $act', async (request) => {
    const { key } = await world.account()
    const form = { target_url: 'https://my.tld/kept', event_type: 'dlr' }
    const { id } = (await call(`${api}/hooks`, { method: 'POST', key, form })).json
    const answer = await send(request, { token: 'never-issued', id: String(id) })
    expect(answer.status).toBe(401)
    expect(answer.json).toEqual({
      success: false,
      code: 900,
      error_message: expect.stringMatching(/access token/),
    })
    expect((await call(`${api}/hooks`, { key })).json.hooks).toHaveLength(1)
  })
})

function send(request: Recorded, fill: { key?: string; token?: string; id?: string }) {
  const filled = JSON.stringify(request).replaceAll(
    /\{(key|token|id)\}/g,
    (whole, name: keyof typeof fill) => (fill[name] === undefined ? whole : fill[name]),
  )
  const { method, path, headers, body } = JSON.parse(filled)
  return rawCall(world.url, { method, path, headers, body })
}

/** What a recorded request sends, wherever it stands. */
function parametersOf({ path, headers, body = '' }: Recorded): Record<string, string | undefined> {
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]))
  if (headers['Content-Type'] === 'application/json') return { ...query, ...JSON.parse(body) }
  return { ...query, ...Object.fromEntries(new URLSearchParams(body)) }
}

/** As these clients mean it. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'null'
}
