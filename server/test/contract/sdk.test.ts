/** The SDK client against a running service. */
import { ApiError, createClient } from '@hookline/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
