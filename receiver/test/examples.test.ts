/** The examples of docs/examples/receive/ take genuine requests of all formats, and respond to others with 401. */
import { beforeAll, expect, test, vi } from 'vitest'
import file from '../vectors.json' with { type: 'json' }

type Vector = (typeof file.vectors)[number]

const [{ secrets, now }] = file.vectors as [Vector]
const logged = vi.spyOn(console, 'log').mockImplementation(() => {})

beforeAll(() => {
  vi.stubEnv('HOOKLINE_SECRET', secrets[0])
  vi.useFakeTimers({ now: now * 1_000, toFake: ['Date'] })
})

function vectorOf(name: string): Vector {
  const found = file.vectors.find((vector) => vector.name === name)
  if (found === undefined) throw new Error(name)
  return found
}

function requestOf({ request: { method, url, headers, body } }: Vector): Request {
  return new Request(url, {
    method,
    headers: headers as Array<[string, string]>,
    ...(method === 'POST' && { body }),
  })
}

test.each(['JSON', 'form', 'flat form', 'query'])('the route of Next.js, %s', async (format) => {
  vi.resetModules()
  logged.mockClear()
  const { GET, POST } = await import('../../docs/examples/receive/next-route.ts')
  const vector = vectorOf(`${format}: sample`)
  const route = vector.request.method === 'GET' ? GET : POST
  expect((await route(requestOf(vector))).status).toBe(204)
  expect((await route(requestOf(vector))).status).toBe(204)
  expect(logged.mock.calls).toEqual([['sms_mo', expect.objectContaining({ text: 'Hello from Hookline' })]])
  const wrong = await route(requestOf(vectorOf('tampered data')))
  expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('No signature matches')])
})
