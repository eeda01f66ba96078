/**
 * A webhook's own headers can add header lines and nothing else. Every text that can be registered is delivered by a real
 * worker in each format to a receiver that keeps the bytes as they came: one request, its lines as expected, no more.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from './call.ts'
import headerCases from './fixtures/custom-headers.json' with { type: 'json' }
import { createGateway, type Gateway } from './gateway.ts'
import { startWorld, type TestWorld } from './service.ts'

/** The lines each text adds, by its note. */
const addedLines: Record<string, string[]> = {
  'empty string = no headers': [],
  usual: ['Authorization: Bearer abc'],
  'two headers': ['X-A: 1', 'X-B: 2'],
  'CRLF from an HTML textarea: split on CRLF or LF': ['X-A: 1', 'X-B: 2'],
  'one trailing LF ignored': ['X-A: 1'],
  'no space after colon': ['X-A: 1'],
  'OWS trimmed': ['X-A: 1'],
  'colon in value': ['X-A: a:b:c'],
  'empty value (RFC 9110 allows)': ['X-A: '],
  'underscore is a token character (warn: many proxies drop it)': ['x_a: 1'],
  'every tchar': ["!#$%&'*+-.^_`|~09azAZ: 1"],
  'HTAB inside value': ['X-A: tab inside\tvalue'],
  'visible ASCII': ['X-A: ~!@#$%^&*()'],
  three: ['X-Api-Key: k', 'X-Tenant: t', 'X-Env: prod'],
  'legal token: must not touch Object.prototype': ['constructor: 1'],
  'legal value; must be inert in our logs': ['X-A: ${jndi:ldap://x/a}'],
  'legal value; must be escaped in the developer area': ['X-A: <script>alert(1)</script>'],
  'percent signs are literal, never decoded a second time': ['X-A: %0d%0aX-B: 1'],
  'a receiver may want a cookie': ['Cookie: a=b'],
  harmless: ['Accept: application/json'],
  'one trailing CRLF ignored': ['X-A: 1'],
  'the use the contract names': ['Authorization: Basic dXNlcjpwYXNz'],
}

const accepted = headerCases.filter(({ verdict }) => verdict === 'accept')

/** What stands before the added lines; `<…>` is another one each time. */
const signatureLines = [
  'webhook-id: <uuid>',
  'webhook-timestamp: <seconds>',
  'webhook-signature: v1,<base64>',
  'x-signature: <hex>',
  'x-timestamp: <seconds>',
  'x-nonce: <nonce>',
  'x-hookline-hook: <number>',
  'x-hookline-attempt: 1',
]
const formats = {
  JSON: {
    requestLine: 'POST /JSON HTTP/1.1',
    typeLines: ['content-type: application/json'],
    bodyStart: '{"data":{"id":"77001",',
  },
  POST: {
    requestLine: 'POST /POST HTTP/1.1',
    typeLines: ['content-type: application/x-www-form-urlencoded'],
    bodyStart: 'data%5Bid%5D=77001&',
  },
  GET: {
    requestLine: 'GET /GET?id=77001&<query> HTTP/1.1',
    typeLines: [],
    bodyStart: '',
  },
}

let world: TestWorld
let gateway: Gateway
let receiver: RawReceiver

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(world)
  receiver = await startRawReceiver()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

test('every text that can be registered is here', () => {
  expect(accepted.map(({ note }) => note)).toEqual(Object.keys(addedLines))
})

describe.each(['JSON', 'POST', 'GET'] as const)('%s', (requestMethod) => {
  const { requestLine, typeLines, bodyStart } = formats[requestMethod]

  test.each(accepted)('$note: adds its lines and nothing else', async ({ value, note }) => {
    const { accountId, key } = await world.account()
    const form = {
      target_url: `${receiver.url}/${requestMethod}`,
      event_type: 'all',
      request_method: requestMethod,
      headers: value,
    }
    const created = await call(`${world.url}/api/hooks`, { method: 'POST', key, form })
    expect(created.json.success).toBe(true)
    const received = await receiver.bytesOf(() => gateway.event(accountId))

    const boundary = received.indexOf('\r\n\r\n')
    const [first = '', ...lines] = received.slice(0, boundary).split('\r\n')
    const body = received.slice(boundary + 4)
    expect(first.replace(/(?<=GET \S+77001&)\S+/, '<query>')).toBe(requestLine)
    const contentLength = requestMethod === 'GET' ? [] : [`content-length: ${body.length}`]
    expect(lines.map(withoutWhatVaries)).toEqual([
      `host: ${new URL(receiver.url).host}`,
      'connection: keep-alive',
      'user-agent: Hookline',
      ...typeLines,
      ...signatureLines,
      ...(addedLines[note] ?? ['an unknown note']),
      ...contentLength,
    ])
    expect(body.slice(0, bodyStart.length)).toBe(bodyStart)
    expect(body.length > 0).toBe(requestMethod !== 'GET')
    // A second request would stand in what the length counts, or behind it.
    expect(received.match(/ HTTP\/1\.1\r\n/g)).toHaveLength(1)
  })
})

function withoutWhatVaries(line: string): string {
  return line
    .replace(/^(webhook-id): [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, '$1: <uuid>')
    .replace(/^((?:webhook|x)-timestamp): \d{10}$/, '$1: <seconds>')
    .replace(/^(webhook-signature): v1,[\w+/]{43}=$/, '$1: v1,<base64>')
    .replace(/^(x-signature): [0-9a-f]{64}$/, '$1: <hex>')
    .replace(/^(x-nonce): [0-9a-f]{32}$/, '$1: <nonce>')
    .replace(/^(x-hookline-hook): \d+$/, '$1: <number>')
}

interface RawReceiver {
  url: string
  /** Everything that arrives because of an act, on whatever connection, until all are closed and it has been silent. */
  bytesOf: (act: () => Promise<unknown>) => Promise<string>
  close: () => Promise<void>
}

/** It answers whatever arrives first with 204 and understands nothing of it. */
async function startRawReceiver(): Promise<RawReceiver> {
  let received = ''
  let lastAt = 0
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    let isAnswered = false
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      lastAt = performance.now()
      if (isAnswered || !received.includes('\r\n\r\n')) return
      isAnswered = true
      // A connection of its own for each delivery: what follows an answer belongs to it.
      socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    async bytesOf(act) {
      received = ''
      await act()
      const isOver = () => received !== '' && sockets.size === 0 && performance.now() - lastAt > 60
      const endsAt = performance.now() + 25_000
      while (!isOver()) {
        if (performance.now() > endsAt) throw new Error(`not received in time; so far: ${received}`)
        await sleep(10)
      }
      return received
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
