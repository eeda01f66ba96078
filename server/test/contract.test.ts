/** The contract, sentence by sentence, against a started process over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from './call.ts'
import { startWorld, type TestWorld } from './service.ts'

let world: TestWorld
let hooks: string

beforeAll(async () => {
  world = await startWorld()
  hooks = `${world.url}/api/hooks`
})
afterAll(() => world.close())

test('a webhook is registered, listed and deleted', async () => {
  const { key } = await world.account()
  const form = { target_url: 'https://example.com/a', event_type: 'sms_mo' }
  const created = await call(hooks, { method: 'POST', key, form })
  expect(created.json).toEqual({ success: true, code: null, id: expect.any(Number), error_message: null })
  const listed = await call(hooks, { key })
  expect(listed.json.hooks).toHaveLength(1)
  const deleted = await call(hooks, { method: 'DELETE', key, form: { id: String(created.json.id) } })
  expect(deleted.json).toEqual({ success: true, code: null, id: created.json.id, error_message: null })
  expect((await call(hooks, { key })).json.hooks).toEqual([])
})
