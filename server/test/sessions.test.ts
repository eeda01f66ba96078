/** Signing in with a browser: the cookie, what it can do, and what it must prove. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from './call.ts'
import { signIn } from './person.ts'
import { startAreaWorld, type TestAccount, type TestWorld } from './service.ts'

let world: TestWorld
let account: TestAccount

beforeAll(async () => {
  world = await startAreaWorld()
  account = await world.account()
})
afterAll(() => world.close())

test('alias or e-mail and password start a session that says who is signed in', async () => {
  for (const login of [account.alias, account.email.toUpperCase()]) {
    const person = await signIn(world.url, { ...account, alias: login })
    const { status, json } = await person.call('/api/session')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      success: true,
      code: null,
      login: { id: account.loginId, alias: account.alias, email: account.email, second_factor: false },
      account: { id: account.accountId },
    })
  }
})

test('the cookie is a credential of the API, and what changes something needs the token of the page', async () => {
  const person = await signIn(world.url, account)
  expect((await person.call('/api/hooks')).status).toBe(200)
  const hook = { target_url: 'https://example.com/in', event_type: 'sms_mo' }
  const created = await person.call('/api/hooks', { method: 'POST', json: hook })
  expect(created.status).toBe(200)
  const bare = { method: 'POST', json: hook, headers: { cookie: person.cookie, origin: world.url } }
  expect((await call(`${world.url}/api/hooks`, bare)).json.code).toBe(909)
})

test('signing out ends it', async () => {
  const person = await signIn(world.url, account)
  expect((await person.call('/api/session', { method: 'DELETE' })).status).toBe(200)
  expect((await person.call('/api/session')).json.code).toBe(900)
})

test('an API key is no person', async () => {
  const { status, json } = await call(`${world.url}/api/session`, { key: account.key })
  expect([status, json.code]).toEqual([403, 908])
})
