/** `npm run demo` can run many times with the same account. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPath, listWebhooks, registerDemoWebhooks } from '../../../dev/demo-webhooks.ts'
import { call } from '../support/http-call.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

let hookline: TestService

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
})
afterAll(() => hookline.close())

test('another run replaces the webhooks of the demo and keeps those of the user', async () => {
  const { key } = await hookline.account()
  const api = { url: hookline.url, key }
  await registerDemoWebhooks(api, [
    { name: 'A', url: `http://127.0.0.1:4001${demoPath}/a` },
    { name: 'B', url: `http://127.0.0.1:4002${demoPath}/b` },
  ])
  const own = [
    'https://example.com/mine',
    'http://127.0.0.1:4001/mine',
    `http://127.0.0.1:4001/mine${demoPath}`,
    `https://example.com${demoPath}/a`,
  ]
  for (const target_url of own)
    await call(`${hookline.url}/api/hooks`, { method: 'POST', key, json: { target_url, event_type: 'dlr' } })

  const latest = [`http://127.0.0.1:5001${demoPath}/a`, `http://127.0.0.1:5002${demoPath}/b`]
  const ids = await registerDemoWebhooks(
    api,
    latest.map((url, index) => ({ name: `Demo ${index + 1}`, url })),
  )
  const hooks = await listWebhooks(api)
  expect(hooks.map(({ target_url }) => target_url).toSorted()).toEqual([...own, ...latest].toSorted())
  const names = ids.map(async (id) => (await call(`${hookline.url}/api/hooks/${id}`, { key })).json.hook.name)
  expect(await Promise.all(names)).toEqual(['Demo 1', 'Demo 2'])
  expect(ids).toEqual(latest.map((url) => hooks.find(({ target_url }) => target_url === url)?.id))
})
