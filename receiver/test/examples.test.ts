/** The examples of docs/examples/receive/ take genuine requests of all formats, and respond to others with 401. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { serve } from '@hono/node-server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import file from '../vectors.json' with { type: 'json' }

type Vector = (typeof file.vectors)[number]
type Send = (request: Vector['request']) => Promise<{ status: number; text: string }>

const [{ secrets, now }] = file.vectors as [Vector]
const logged = vi.spyOn(console, 'log').mockImplementation(() => {})
const closing: Array<() => unknown> = []

beforeEach(() => {
  vi.stubEnv('HOOKLINE_SECRET', secrets[0])
  vi.useFakeTimers({ now: now * 1_000, toFake: ['Date'] })
  // Each example keeps the ids in memory.
  vi.resetModules()
  logged.mockClear()
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function requestOf(url: string, { method, headers, body }: Vector['request']): Request {
  const init = { method, headers: headers as Array<[string, string]> }
  return new Request(url, method === 'POST' ? { ...init, body } : init)
}

async function readResponse(response: Response): Promise<{ status: number; text: string }> {
  return { status: response.status, text: await response.text() }
}

async function sendTo(server: Server): Promise<Send> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return async (request) => {
    const { search } = new URL(request.url)
    return readResponse(await fetch(requestOf(`http://127.0.0.1:${port}/webhooks${search}`, request)))
  }
}

const examples: Record<string, () => Promise<Send>> = {
  'node.ts': async () => sendTo((await import('../../docs/examples/receive/node.ts')).server),
  'express.ts': async () =>
    sendTo(createServer((await import('../../docs/examples/receive/express.ts')).app)),
  'fastify.ts': async () => {
    const { app } = await import('../../docs/examples/receive/fastify.ts')
    await app.listen({ host: '127.0.0.1', port: 0 })
    closing.push(() => app.close())
    return sendTo(app.server)
  },
  'hono.ts': async () => {
    const { app } = await import('../../docs/examples/receive/hono.ts')
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
    await vi.waitUntil(() => server.listening)
    return sendTo(server)
  },
  'next-route.ts': async () => {
    const { GET, POST } = await import('../../docs/examples/receive/next-route.ts')
    return async (request) =>
      readResponse(await (request.method === 'GET' ? GET : POST)(requestOf(request.url, request)))
  },
  'lambda.ts': async () => {
    const { handler } = await import('../../docs/examples/receive/lambda.ts')
    return async ({ method, url, headers, body }) => {
      const { statusCode: status, body: text = '' } = await handler({
        headers: Object.fromEntries(headers as Array<[string, string]>),
        rawQueryString: new URL(url).search.slice(1),
        requestContext: { http: { method } },
        body,
      })
      return { status, text }
    }
  },
}

function vectorOf(name: string): Vector['request'] {
  const found = file.vectors.find((vector) => vector.name === name)
  if (found === undefined) throw new Error(name)
  return found.request
}

const cases = Object.keys(examples).flatMap((name) =>
  ['JSON', 'form', 'flat form', 'query'].map((format) => [name, format] as const),
)

test.each(cases)('%s takes each event of the format %s once', async (name, format) => {
  const send = await examples[name]?.()
  if (send === undefined) throw new Error(name)
  const request = vectorOf(`${format}: sample`)
  expect([await send(request), await send(request)]).toEqual([
    { status: 204, text: '' },
    { status: 204, text: '' },
  ])
  expect(logged.mock.calls).toEqual([['sms_mo', expect.objectContaining({ text: 'Hello from Hookline' })]])
  const wrong = { status: 401, text: expect.stringContaining('No signature matches') }
  expect(await send(vectorOf('tampered data'))).toEqual(wrong)
})

test('the package shows every example, as it is', () => {
  const folder = new URL('../../docs/examples/receive/', import.meta.url)
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const names = readdirSync(folder)
  expect(names.toSorted()).toEqual(Object.keys(examples).toSorted())
  for (const name of names)
    expect(page).toContain(`\`\`\`ts\n${readFileSync(new URL(name, folder), 'utf8')}\`\`\``)
})

test('the package shows how to test a receiver', async () => {
  vi.useRealTimers()
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, program = ''] = /```ts\n(import \{ sign \} [^]*?)```/.exec(page) ?? []
  const { server } = await import('../../docs/examples/receive/node.ts')
  await sendTo(server)
  const { port } = server.address() as AddressInfo
  const args = ['--input-type=module', '--eval', program.replace('3000', String(port))]
  await promisify(execFile)(process.execPath, args)
  expect(logged.mock.calls).toEqual([['sms_mo', { text: 'Hello' }]])
})
