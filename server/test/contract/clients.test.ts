/**
 * Existing clients, unmodified: two published npm packages, and recorded requests of other clients, sent byte for byte.
 * The tests check the response fields that each client reads.
 */
import { Client, HooksResource } from '@seven.io/client'
import sms77 from 'sms77-client'
import { HooksAction } from 'sms77-client/dist/constants/byEndpoint/hooks/HooksAction.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readSigningKeys } from '../../src/hooks/signing-key.ts'
import { setSignedCallsRequired } from '../../src/identity/accounts/accounts.ts'
import { call } from '../support/http-call.ts'
import fixtures from '../support/fixtures/client-requests.json' with { type: 'json' }
import { rawCall } from '../support/raw-call.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

// The package exports the class itself, while its types declare an object that contains the class.
const Sms77Client = sms77 as unknown as typeof sms77.Sms77Client
/** Holds the base URL of sms77-client; the same static property on the class itself has no effect. */
const sms77Base: { BASE_URL: string } = Object.getPrototypeOf(Sms77Client)

let hookline: TestService
let api: string

beforeAll(async () => {
  hookline = await startTestService()
  api = `${hookline.url}/api`
  Object.assign(Client, { BASE_URL: api })
  Object.assign(sms77Base, { BASE_URL: api })
})
afterAll(() => hookline.close())

// Fails every test before it could call the vendor instead of the local service.
beforeEach(() => {
  expect(api).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
  expect(Client.BASE_URL).toBe(api)
  expect(sms77Base.BASE_URL).toBe(api)
})

describe('@seven.io/client', () => {
  test('creates, lists and deletes a webhook', async () => {
    const { key } = await hookline.account()
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
          // The client parses a Date, which is invalid for a malformed text.
          created: expect.toSatisfy((at: Date) => !Number.isNaN(at.getTime())),
        },
      ],
    })
    expect(await client.unsubscribe(id ?? 0)).toEqual({ success: true, code: null, id, error_message: null })
    expect((await client.read()).hooks).toEqual([])
  })

  test('reads an error', async () => {
    const { key } = await hookline.account()
    const client = new HooksResource(new Client({ apiKey: key }))
    expect(await client.subscribe({ targetUrl: 'my.tld', eventType: 'dlr' })).toEqual({
      success: false,
      code: 1020,
      error_message: 'Invalid URL',
    })
  })

  test('signs requests with the signing key of the account', async () => {
    const { accountId, key } = await hookline.account()
    const { current } = await readSigningKeys(hookline.db, hookline.vault, accountId)
    await setSignedCallsRequired(hookline.db, 'operator', accountId, true)
    const client = new HooksResource(new Client({ apiKey: key, signingSecret: current }))
    const created = await client.subscribe({ targetUrl: 'https://my.tld/signed?ü=1', eventType: 'dlr' })
    expect(created).toEqual({ success: true, code: null, id: expect.any(Number), error_message: null })
    expect((await client.read()).hooks).toHaveLength(1)
    expect(await client.unsubscribe(created.id ?? 0)).toMatchObject({ success: true })
  })

  test('with another signing key is rejected', async () => {
    const { key } = await hookline.account()
    const client = new HooksResource(new Client({ apiKey: key, signingSecret: 'not the key' }))
    const refused = await client.subscribe({ targetUrl: 'https://my.tld/signed', eventType: 'dlr' })
    expect(refused).toMatchObject({ success: false, code: 901 })
    const unsigned = new HooksResource(new Client({ apiKey: key }))
    expect((await unsigned.read()).hooks).toEqual([])
  })
})

describe('sms77-client', () => {
  test('creates, lists and deletes a webhook', async () => {
    const { key } = await hookline.account()
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

interface RecordedRequest {
  client: string
  act: string
  method: string
  path: string
  headers: Record<string, string | undefined>
  body?: string
}

const recorded: RecordedRequest[] = fixtures
const withToken = recorded.filter((request) => JSON.stringify(request).includes('{token}'))
const withKey = recorded.filter((request) => !withToken.includes(request))

test('the fixture contains 51 recorded requests, four of them with an access token', () => {
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
    const { key } = await hookline.account()
    const form = { target_url: 'https://my.tld/listed', event_type: 'voice_call' }
    const { id } = (await call(`${api}/hooks`, { method: 'POST', key, form })).json
    const response = await send(request, { key })
    expect(response.status).toBe(200)
    expect(response.json).toEqual({
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
      const { key } = await hookline.account()
      const response = await send(request, { key })
      expect(response.status).toBe(200)
      expect(response.json).toEqual({
        success: true,
        code: null,
        id: expect.any(Number),
        error_message: null,
      })

      const sent = parametersOf(request)
      expect((await call(`${api}/hooks`, { key })).json.hooks).toEqual([
        {
          id: String(response.json.id),
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
      const { key } = await hookline.account()
      const form = { target_url: 'https://my.tld/deleted', event_type: 'voice_dtmf' }
      const { id } = (await call(`${api}/hooks`, { method: 'POST', key, form })).json
      const response = await send(request, { key, id: String(id) })
      expect(response.status).toBe(200)
      expect(response.json).toEqual({ success: true, code: null, id, error_message: null })
      expect((await call(`${api}/hooks`, { key })).json.hooks).toEqual([])
    },
  )

  test.each(withToken)('$client gets 401 for an invalid token: $act', async (request) => {
    const { key } = await hookline.account()
    const form = { target_url: 'https://my.tld/kept', event_type: 'dlr' }
    const { id } = (await call(`${api}/hooks`, { method: 'POST', key, form })).json
    const response = await send(request, { token: 'never-issued', id: String(id) })
    expect(response.status).toBe(401)
    expect(response.json).toEqual({
      success: false,
      code: 900,
      error_message: expect.stringMatching(/^Access token unknown/),
    })
    expect((await call(`${api}/hooks`, { key })).json.hooks).toHaveLength(1)
  })
})

function send(request: RecordedRequest, fill: { key?: string; token?: string; id?: string }) {
  const filled = JSON.stringify(request).replaceAll(
    /\{(key|token|id)\}/g,
    (whole, name: keyof typeof fill) => (fill[name] === undefined ? whole : fill[name]),
  )
  const { method, path, headers, body } = JSON.parse(filled)
  return rawCall(hookline.url, { method, path, headers, body })
}

/** Returns the parameters of a recorded request from its query and body. */
function parametersOf({ path, headers, body = '' }: RecordedRequest): Record<string, string | undefined> {
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]))
  if (headers['Content-Type'] === 'application/json') return { ...query, ...JSON.parse(body) }
  return { ...query, ...Object.fromEntries(new URLSearchParams(body)) }
}

/** These clients send an empty string or `null` for a missing value. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'null'
}
