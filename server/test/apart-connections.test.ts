/** Connections are set apart for intake and for calls of strangers, so that none of them can use up those of the others. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from './call.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { startWorld, type TestWorld } from './service.ts'

let world: TestWorld
let gateway: Gateway
beforeAll(async () => {
  world = await startWorld({ DATABASE_POOL: '2' }, 'api')
  gateway = await createGateway(world)
})
afterAll(() => world.close())

test('events are accepted while calls of accounts hold every connection of the API', async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => world.account()))
  await world.database.query('BEGIN')
  await world.database.query('LOCK TABLE keys IN ACCESS EXCLUSIVE MODE')
  let answered = 0
  const calls = accounts.map(async ({ key }) => {
    const { status } = await call(`${world.url}/api/hooks`, { key })
    answered++
    return status
  })
  try {
    expect(await gateway.event(accounts[0]?.accountId ?? 0)).toEqual(expect.any(String))
    expect(answered).toBe(0)
  } finally {
    await world.database.query('ROLLBACK')
  }
  expect(await Promise.all(calls)).toEqual([200, 200, 200, 200])
})

test('accounts are answered while sign-ins and resets of strangers hold all their connections', async () => {
  const { key } = await world.account()
  const headers = { origin: 'http://localhost:8080' }
  await world.database.query('BEGIN')
  await world.database.query('LOCK TABLE logins IN ACCESS EXCLUSIVE MODE')
  let answered = 0
  const signIns = Array.from({ length: 12 }, async (_, at) => {
    const json = { login: `stranger-${at}`, password: 'not the password' }
    const { status } = await call(`${world.url}/api/session`, { method: 'POST', json, headers })
    answered++
    return status
  })
  try {
    expect((await call(`${world.url}/api/hooks`, { key })).status).toBe(200)
    expect(answered).toBe(0)
  } finally {
    await world.database.query('ROLLBACK')
  }
  expect(new Set(await Promise.all(signIns))).toEqual(new Set([401]))
})
