/** The client library against a running service, directly and through a proxy that loses responses. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ApiError,
  createClient,
  type HooklineError,
  isHooklineError,
  type ListItem,
  listAll,
} from '@hookline/client'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

let hookline: TestService
let account: TestAccount

beforeAll(async () => {
  hookline = await startTestService({}, 'api')
  account = await hookline.account()
})
afterAll(() => hookline.close())

test('a client with a key registers, lists and deletes a webhook', async () => {
  const client = createClient({ baseUrl: hookline.url, apiKey: account.key })
  const body = { target_url: 'https://example.com/hook?a=ä&b=1', event_type: 'sms_mo' } as const
  const { id } = await client.post('/api/hooks', { body })
  const { hooks } = await client.get('/api/hooks')
  expect(hooks.map(({ target_url }) => target_url)).toEqual([body.target_url])
  await client.delete('/api/hooks', { query: { id } })
  expect((await client.get('/api/hooks')).hooks).toEqual([])
})

test('an API error is thrown with its status, code, message and request ID', async () => {
  const client = createClient({ baseUrl: hookline.url, apiKey: account.key })
  const thrown = await client.delete('/api/hooks', { query: { id: 1 } }).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(ApiError)
  expect(thrown).toMatchObject({
    status: 404,
    code: 1100,
    message: 'There is no webhook with the id 1.',
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
  })
})

test('path parameters are encoded', async () => {
  const client = createClient({ baseUrl: hookline.url, apiKey: account.key })
  // Without encoding, this would be the path of the webhooks, which the key can list.
  const thrown = await client
    .get('/api/interactions/{id}', { path: { id: '../hooks' } })
    .catch((error: unknown) => error)
  expect(thrown).toMatchObject({ status: 404 })
})

test('an invalid token is rejected, and an unreachable service has status 0', async () => {
  const guessed = createClient({ baseUrl: hookline.url, token: 'guessed' })
  await expect(guessed.get('/api/hooks')).rejects.toMatchObject({ status: 401, code: 900 })
  const unreachable = createClient({ baseUrl: `http://127.0.0.1:${await freePort()}`, apiKey: 'k' })
  await expect(unreachable.get('/api/hooks')).rejects.toMatchObject({ status: 0, code: 0 })
})

test.each([
  [{ baseUrl: '' }, 'baseUrl must be a URL'],
  [{ baseUrl: 'localhost:8080' }, 'baseUrl must be a URL'],
  [{ apiKey: '' }, 'apiKey is empty'],
  [{ apiKey: 'secret\n' }, 'apiKey is empty'],
])('options that cannot work are an error at once: %j', (options, message) => {
  const create = () => createClient({ baseUrl: hookline.url, apiKey: 'k', ...options })
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
  expect(create).not.toThrow('secret')
})

test.each(['', '.', '..'])('a path parameter %j leads to no other path', async (id) => {
  const client = createClient({ baseUrl: hookline.url, apiKey: account.key })
  await expect(client.get('/api/events/{id}', { path: { id } })).rejects.toThrow(TypeError)
})

/** What the proxy does with the next requests, in this order. Without entries it forwards them. */
type Fault = 'lose the response' | 'never respond' | { status: number; retryAfter: string }
const faults: Fault[] = []
const proxied: Array<{ method: string; path: string }> = []

const proxy = createServer((request, response) => void forward(request, response))

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  proxied.push({ method: request.method ?? '', path: request.url ?? '' })
  const fault = faults.shift()
  if (fault === 'never respond') return
  if (fault !== undefined && typeof fault === 'object') return respond(response, fault)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { host: _host, connection: _connection, ...headers } = request.headers
  const upstream = await fetch(`${hookline.url}${request.url}`, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
  const body = Buffer.from(await upstream.arrayBuffer())
  if (fault === 'lose the response') request.socket.destroy()
  else response.writeHead(upstream.status, { 'content-type': 'application/json' }).end(body)
}

function respond(response: ServerResponse, { status, retryAfter }: Exclude<Fault, string>): void {
  response.writeHead(status, { 'retry-after': retryAfter }).end()
}

/** Returns a client behind the proxy. */
async function unreliable(next: readonly Fault[], key = account.key) {
  if (!proxy.listening) await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  faults.splice(0, Infinity, ...next)
  proxied.length = 0
  const { port } = proxy.address() as AddressInfo
  return createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: key })
}
afterAll(() => {
  proxy.close().closeAllConnections()
})

const newHook = { target_url: 'https://example.com/once', request_method: 'JSON', event_type: 'dlr' } as const

test('a call whose response is lost is repeated and takes effect once', async () => {
  const { key } = await hookline.account()
  const client = await unreliable(['lose the response'], key)
  const { hook } = await client.post('/api/hooks/create', { body: newHook })
  expect(proxied).toHaveLength(2)
  const { hooks } = await client.get('/api/hooks')
  expect(hooks.map(({ id }) => Number(id))).toEqual([hook.id])
})

test('an own idempotency key repeats a call of another client', async () => {
  const { key } = await hookline.account()
  const options = { body: newHook, idempotencyKey: randomUUID() }
  const first = await createClient({ baseUrl: hookline.url, apiKey: key }).post('/api/hooks/create', options)
  const repeated = await createClient({ baseUrl: hookline.url, apiKey: key }).post(
    '/api/hooks/create',
    options,
  )
  expect(repeated).toEqual(first)
})

test('a call is retried after Retry-After, unless that is too long', async () => {
  const client = await unreliable([
    { status: 429, retryAfter: '1' },
    { status: 503, retryAfter: '1' },
  ])
  const startedAt = performance.now()
  await client.get('/api/hooks')
  expect(performance.now() - startedAt).toBeGreaterThan(2_000)
  expect(proxied).toHaveLength(3)

  const busy = await unreliable([{ status: 503, retryAfter: '31' }])
  await expect(busy.get('/api/hooks')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 31 })
  expect(proxied).toHaveLength(1)
})

test('a call is retried twice at most, and not at all if its input is at fault', async () => {
  const failing = Array.from({ length: 4 }, () => 'lose the response' as const)
  const client = await unreliable(failing)
  await expect(client.get('/api/hooks')).rejects.toMatchObject({ reason: 'unreachable' })
  expect(proxied).toHaveLength(3)

  const once = await unreliable(failing)
  await expect(once.get('/api/hooks', { maxRetries: 0 })).rejects.toMatchObject({ reason: 'unreachable' })
  expect(proxied).toHaveLength(1)

  const invalid = await unreliable([])
  await expect(
    invalid.post('/api/hooks/create', { body: { ...newHook, target_url: 'nowhere' } }),
  ).rejects.toMatchObject({ reason: 'invalidUrl', code: 1020, status: 400 })
  expect(proxied).toHaveLength(1)
})

test('a try ends after its timeout, and the call when it is aborted', async () => {
  const client = await unreliable(['never respond'])
  expect((await client.get('/api/hooks', { timeoutMs: 300 })).success).toBe(true)

  const hanging = await unreliable(['never respond'])
  await expect(hanging.get('/api/hooks', { timeoutMs: 200, maxRetries: 0 })).rejects.toMatchObject({
    reason: 'unreachable',
    message: 'The service did not respond in time.',
  })

  const waiting = await unreliable([{ status: 503, retryAfter: '20' }])
  const signal = AbortSignal.timeout(300)
  const startedAt = performance.now()
  await expect(waiting.get('/api/hooks', { signal })).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

test('a list of several pages is one iterator, which reads pages as the loop needs them', async () => {
  const { key } = await hookline.account()
  const direct = createClient({ baseUrl: hookline.url, apiKey: key })
  const { hook } = await direct.post('/api/hooks/create', { body: newHook })
  const edits = 60
  for (let edit = 1; edit <= edits; edit++)
    await direct.post('/api/hooks/{id}', { path: { id: hook.id }, body: { name: `edit ${edit}` } })

  const client = await unreliable([], key)
  const versions = listAll(client, '/api/hooks/{id}/versions', { path: { id: hook.id } })
  const ids: number[] = []
  for await (const { version } of versions) ids.push(version)
  expect(new Set(ids).size).toBe(edits + 1)
  expect(ids).toEqual(ids.toSorted((one, other) => other - one))
  const pages = proxied.length
  expect(pages).toBeGreaterThan(1)

  proxied.length = 0
  for await (const _ of listAll(client, '/api/hooks/{id}/versions', { path: { id: hook.id } })) break
  expect(proxied).toHaveLength(1)

  const sent: string[] = []
  for (let count = 0; count < 3; count++)
    sent.push((await client.post('/api/hooks/{id}/test', { path: { id: hook.id }, body: {} })).event_id)
  const found: string[] = []
  for await (const { id } of listAll(client, '/api/events', { query: { limit: 1 } })) found.push(id)
  expect(found).toEqual(sent.toReversed())
  expectTypeOf<ListItem<'/api/events'>>().toHaveProperty('id').toBeString()
})

test('a comparison of the reason narrows the code of an error', async () => {
  const client = createClient({ baseUrl: hookline.url, apiKey: account.key })
  const error: unknown = await client
    .get('/api/hooks/{id}', { path: { id: 1 } })
    .catch((thrown: unknown) => thrown)
  if (!isHooklineError(error)) throw error
  expect(error.reason).toBe('notFound')
  if (error.reason === 'notFound') expectTypeOf(error.code).toEqualTypeOf<1102>()
  if (error.reason === 'unreachable') expectTypeOf(error.code).toEqualTypeOf<0>()
  expectTypeOf<Extract<HooklineError, { code: 1103 }>['reason']>().toEqualTypeOf<'hookExists'>()
})
