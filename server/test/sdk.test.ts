/** The client for programs of others, against the real service. */
import { ApiFailure, createClient } from '@hookline/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

let world: TestWorld
let account: TestAccount

beforeAll(async () => {
  world = await startWorld({}, 'api')
  account = await world.account()
})
afterAll(() => world.close())

test('registers, lists and deletes a webhook with a key', async () => {
  const client = createClient({ baseUrl: world.url, apiKey: account.key })
  const body = { target_url: 'https://example.com/hook?a=ä&b=1', event_type: 'sms_mo' } as const
  const { id } = await client.post('/api/hooks', { body })
  const { hooks } = await client.get('/api/hooks')
  expect(hooks.map(({ target_url }) => target_url)).toEqual([body.target_url])
  await client.delete('/api/hooks', { query: { id } })
  expect((await client.get('/api/hooks')).hooks).toEqual([])
})

test('a refusal is thrown with its status, code, sentence and request id', async () => {
  const client = createClient({ baseUrl: world.url, apiKey: account.key })
  const failure = await client.delete('/api/hooks', { query: { id: 1 } }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiFailure)
  expect(failure).toMatchObject({
    status: 404,
    code: 1100,
    message: 'There is no webhook with the id 1.',
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
  })
})

test('a value of a path stays within its place', async () => {
  const client = createClient({ baseUrl: world.url, apiKey: account.key })
  // Were it not encoded, this would be the path of the webhooks, which the key may list.
  const failure = await client
    .get('/api/interactions/{id}', { path: { id: '../hooks' } })
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ status: 404 })
})

test('a token that is none is refused, and a service that is not there has status 0', async () => {
  const guessed = createClient({ baseUrl: world.url, token: 'guessed' })
  await expect(guessed.get('/api/hooks')).rejects.toMatchObject({ status: 401, code: 900 })
  const nobody = createClient({ baseUrl: `http://127.0.0.1:${await freePort()}`, apiKey: 'k' })
  await expect(nobody.get('/api/hooks')).rejects.toMatchObject({ status: 0, code: 0 })
})
