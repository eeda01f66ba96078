/**
 * Tests that custom headers of a webhook add only header lines. A real worker delivers every text that can be registered,
 * in each format, to a receiver that records raw bytes: exactly one request, with exactly the expected lines.
 */
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/http-call.ts'
import headerCases from '../support/fixtures/custom-headers.json' with { type: 'json' }
import { createGateway, type Gateway } from '../support/gateway.ts'
import { listenOnLoopback } from '../support/servers/loopback-server.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

/** Lines that each text adds, by the note of the fixture. */
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
  'legal value; must be escaped in the dashboard': ['X-A: <script>alert(1)</script>'],
  'percent signs are literal, never decoded a second time': ['X-A: %0d%0aX-B: 1'],
  'a receiver may want a cookie': ['Cookie: a=b'],
  harmless: ['Accept: application/json'],
  'one trailing CRLF ignored': ['X-A: 1'],
  'the use the contract names': ['Authorization: Basic dXNlcjpwYXNz'],
}

const accepted = headerCases.filter(({ verdict }) => verdict === 'accept')

/** Lines before the added ones. `<…>` varies. */
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

let hookline: TestService
let gateway: Gateway
let receiver: RawReceiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startRawReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

test('every text that can be registered is covered', () => {
  expect(accepted.map(({ note }) => note)).toEqual(Object.keys(addedLines))
})

describe.each(['JSON', 'POST', 'GET'] as const)('%s', (requestMethod) => {
  const { requestLine, typeLines, bodyStart } = formats[requestMethod]

  test.each(accepted)('$note: adds only its lines', async ({ value, note }) => {
    const { accountId, key } = await hookline.account()
    const form = {
      target_url: `${receiver.url}/${requestMethod}`,
      event_type: 'all',
      request_method: requestMethod,
      headers: value,
    }
    const created = await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })
    expect(created.json.success).toBe(true)
    const received = await receiver.bytesOf(() => gateway.event(accountId))

    const boundary = received.indexOf('\r\n\r\n')
    const [first = '', ...lines] = received.slice(0, boundary).split('\r\n')
    const body = received.slice(boundary + 4)
    expect(first.replace(/(?<=GET \S+77001&)\S+/, '<query>')).toBe(requestLine)
    const contentLength = requestMethod === 'GET' ? [] : [`content-length: ${body.length}`]
    expect(lines.map(normalizeLine)).toEqual([
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
    // A second request would be part of the counted length, or follow it.
    expect(received.match(/ HTTP\/1\.1\r\n/g)).toHaveLength(1)
  })
})

function normalizeLine(line: string): string {
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
  /** Returns all bytes received because of an action, until all connections are closed and idle. */
  bytesOf: (action: () => Promise<unknown>) => Promise<string>
  close: () => Promise<void>
}

/** Responds 204 to the first request on a connection without parsing it. */
async function startRawReceiver(): Promise<RawReceiver> {
  let received = ''
  let lastAt = 0
  const server = createServer((socket) => {
    let hasResponded = false
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      lastAt = performance.now()
      if (hasResponded || !received.includes('\r\n\r\n')) return
      hasResponded = true
      // Each delivery gets a separate connection, so that bytes after the response belong to that delivery.
      socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    })
  })
  const { port, openSockets, close } = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    async bytesOf(action) {
      received = ''
      await action()
      const isFinished = () => received !== '' && openSockets.size === 0 && performance.now() - lastAt > 60
      const deadline = performance.now() + 25_000
      while (!isFinished()) {
        if (performance.now() > deadline) throw new Error(`not received in time; so far: ${received}`)
        await sleep(10)
      }
      return received
    },
    close,
  }
}
