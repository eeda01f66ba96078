/** Tests the sender against real receivers on loopback with every named kind of misbehavior. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Outcome } from '../../src/model/delivery/outcome.ts'
import type { OutgoingRequest } from '../../src/model/delivery/outgoing-request.ts'
import { type Connections, createConnections } from '../../src/delivery/transport/connections.ts'
import { createResolver } from '../../src/delivery/transport/resolve.ts'
import { createSend, type Send } from '../../src/delivery/transport/send.ts'
import { listenOnLoopback, type LoopbackServer } from '../support/servers/loopback-server.ts'

/** Handles the nth request overall, counted from 1, after its head and body have arrived. */
type Behave = (socket: Socket, request: number) => void

interface MisbehavingReceiver {
  url: string
  /** Complete requests. */
  requests: () => number
  connections: () => number
  /** Whether the sender has closed all its connections. */
  hasNoConnections: () => boolean
}

let connections: Connections
let send: Send
let servers: LoopbackServer[]

beforeEach(() => {
  servers = []
  connections = createConnections(
    createResolver({ servers: [], isAllowed: (ip) => ip === '127.0.0.1', allowPrivate: false }).resolve,
  )
  send = createSend(connections)
})
afterEach(async () => {
  await connections.close()
  for (const server of servers) await server.close()
})

async function listen(server: Server, scheme = 'http'): Promise<string> {
  const listening = await listenOnLoopback(server)
  servers.push(listening)
  return `${scheme}://127.0.0.1:${listening.port}/`
}

async function startMisbehaving(behave: Behave): Promise<MisbehavingReceiver> {
  let requests = 0
  let opened = 0
  let open = 0
  const server = createServer((socket) => {
    opened++
    open++
    socket.on('close', () => open--)
    let buffer = ''
    socket.on('data', (chunk) => {
      buffer += chunk.toString()
      if (!buffer.endsWith('\r\n\r\n{"a":1}')) return
      buffer = ''
      requests++
      behave(socket, requests)
    })
  })
  const url = await listen(server)
  return { url, requests: () => requests, connections: () => opened, hasNoConnections: () => open === 0 }
}

function attempt(url: string, overrides: Partial<OutgoingRequest> = {}): Promise<Outcome> {
  return send({
    accountId: 1,
    method: 'POST',
    url,
    headers: [],
    body: '{"a":1}',
    deadlineMs: 20_000,
    ...overrides,
  })
}

const tickMs = 10

/**
 * Returns the duration of an attempt and the time in which this process was running. A pause between two ticks counts as at
 * most two ticks, because a busy machine ran other processes. Sender and receivers share this process and pause together.
 */
async function timed(
  action: () => Promise<Outcome>,
): Promise<{ reason: string; ms: number; activeMs: number }> {
  const startedAt = performance.now()
  let tickedAt = startedAt
  let activeMs = 0
  const tick = (): void => {
    const now = performance.now()
    activeMs += Math.min(now - tickedAt, 2 * tickMs)
    tickedAt = now
  }
  const ticking = setInterval(tick, tickMs)
  const { reason } = await action()
  clearInterval(ticking)
  tick()
  return { reason, ms: tickedAt - startedAt, activeMs }
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

function dribble(socket: Socket, start: string, repeated: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(repeated), 20)
  socket.on('close', () => clearInterval(timer))
}

describe('one deadline covers', () => {
  const cases: Array<[string, Behave]> = [
    ['a response that never arrives', () => {}],
    ['half a status line', (socket) => socket.write('HTTP/1.1 20')],
    ['headers that arrive one byte at a time', (socket) => dribble(socket, 'HTTP/1.1 200 OK\r\n', 'x')],
    ['an endless body', (socket) => dribble(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', 'x')],
    [
      'endless chunks',
      (socket) => dribble(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
    ],
    ['endless interim responses', (socket) => dribble(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n')],
  ]

  test.each(cases)('%s', async (_label, behave) => {
    const receiver = await startMisbehaving(behave)
    const { reason, ms, activeMs } = await timed(() => attempt(receiver.url, { deadlineMs: 500 }))
    expect(reason).toBe('timeout')
    expect(ms).toBeGreaterThanOrEqual(490)
    expect(activeMs).toBeLessThan(1_000)
    expect(receiver.requests()).toBe(1)
    await expect.poll(receiver.hasNoConnections, { timeout: 10_000 }).toBe(true)
  })

  test('an endless TLS handshake', async () => {
    const url = (await listen(createServer(() => {}))).replace('http:', 'https:')
    const { reason, activeMs } = await timed(() => attempt(url, { deadlineMs: 500 }))
    expect(reason).toBe('timeout')
    expect(activeMs).toBeLessThan(1_000)
  })

  test('a name that resolves too late, without opening a socket afterwards', async () => {
    let opened = 0
    const url = new URL(await listen(createServer(() => opened++)))
    url.hostname = 'late.example.com'
    const resolved = Promise.withResolvers<void>()
    const late = createConnections(async () => {
      await resolved.promise
      return ['127.0.0.1']
    })
    const sendLate = createSend(late)
    const request: OutgoingRequest = {
      accountId: 1,
      method: 'POST',
      url: url.href,
      headers: [],
      body: '{}',
      deadlineMs: 300,
    }
    expect((await sendLate(request)).reason).toBe('timeout')
    resolved.resolve()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(opened).toBe(0)
    await late.close()
  })

  test('the second request of a broken connection', async () => {
    const receiver = await startMisbehaving((socket, request) => {
      if (request === 1) socket.write(ok)
      if (request === 2) setTimeout(() => socket.resetAndDestroy(), 1_000)
    })
    await attempt(receiver.url)
    const { reason, activeMs } = await timed(() => attempt(receiver.url, { deadlineMs: 2_000 }))
    expect([reason, receiver.requests()]).toEqual(['timeout', 3])
    // With a separate deadline the second request would end after 3 s.
    expect(activeMs).toBeLessThan(2_800)
  })
})

describe('a connection', () => {
  test('that is not established within 3 s times out', async () => {
    // A receiver that drops packets: the connect is attempted and gets no reply.
    const connect = vi.spyOn(Socket.prototype, 'connect').mockReturnThis()
    try {
      const { reason, ms, activeMs } = await timed(() =>
        attempt('http://127.0.0.1:9/', { deadlineMs: 10_000 }),
      )
      expect(reason).toBe('connect_timeout')
      expect(ms).toBeGreaterThanOrEqual(2_990)
      expect(activeMs).toBeLessThan(3_500)
    } finally {
      connect.mockRestore()
    }
  })

  test('that is refused is reported as refused', async () => {
    // No server listens on this port. A recently free port could be in use again.
    expect((await attempt('http://127.0.0.1:1/')).reason).toBe('connection_refused')
  })

  test('with an untrusted certificate is not used', async () => {
    let secured = 0
    const folder = mkdtempSync(join(tmpdir(), 'hookline-tls-'))
    const certArgs = ['-keyout', join(folder, 'key'), '-out', join(folder, 'cert'), '-subj', '/CN=127.0.0.1']
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...certArgs],
      {
        stdio: 'ignore',
      },
    )
    const [key, cert] = [readFileSync(join(folder, 'key')), readFileSync(join(folder, 'cert'))]
    rmSync(folder, { recursive: true })
    const server = createTlsServer({ key, cert }, (socket) => {
      socket.on('error', () => {})
      socket.on('data', () => secured++)
    })
    const url = await listen(server, 'https')
    expect((await attempt(url)).reason).toBe('tls')
    expect(secured).toBe(0)
  })

  test('without TLS where TLS is expected is a TLS failure', async () => {
    const url = (
      await listen(createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    ).replace('http:', 'https:')
    expect((await attempt(url)).reason).toBe('tls')
  })

  test('is reused for the next request, whose timings have no connect phase', async () => {
    const receiver = await startMisbehaving((socket) => socket.write(ok))
    const [first, second, third] = [
      await attempt(receiver.url),
      await attempt(receiver.url),
      await attempt(receiver.url),
    ]
    expect([receiver.connections(), receiver.requests()]).toEqual([1, 3])
    const all = ['bodyMs', 'connectMs', 'dnsMs', 'firstByteMs', 'totalMs']
    expect(Object.keys(first.timings).toSorted()).toEqual(all)
    expect(Object.keys(second.timings).toSorted()).toEqual(['bodyMs', 'firstByteMs', 'totalMs'])
    expect(third.reason).toBe('delivered')
  })

  test('is not shared by concurrent requests', async () => {
    const receiver = await startMisbehaving((socket) => setTimeout(() => socket.write(ok), 50))
    await Promise.all([1, 2, 3].map(() => attempt(receiver.url)))
    expect([receiver.connections(), receiver.requests()]).toEqual([3, 3])
  })

  test('is closed if the receiver requests it', async () => {
    const closing = 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'
    const receiver = await startMisbehaving((socket) => socket.end(closing))
    const reasons = [(await attempt(receiver.url)).reason, (await attempt(receiver.url)).reason]
    expect(reasons).toEqual(['delivered', 'delivered'])
    expect([receiver.connections(), receiver.requests()]).toEqual([2, 2])
  })
})

describe('a reset before any response', () => {
  test('on a new connection is the outcome, and the request is not repeated', async () => {
    const receiver = await startMisbehaving((socket) => socket.resetAndDestroy())
    expect((await attempt(receiver.url)).reason).toBe('connection_reset')
    expect(receiver.requests()).toBe(1)
  })

  test('by a plain close has the same outcome', async () => {
    const receiver = await startMisbehaving((socket) => socket.end())
    expect((await attempt(receiver.url)).reason).toBe('connection_reset')
    expect(receiver.requests()).toBe(1)
  })

  test.each([
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
    ['closed', (socket: Socket) => socket.destroy()],
  ])('on a reused connection that is %s repeats the request immediately', async (_label, closeSocket) => {
    const receiver = await startMisbehaving((socket, request) => {
      if (request === 2) closeSocket(socket)
      else socket.write(ok)
    })
    await attempt(receiver.url)
    const { reason, activeMs } = await timed(() => attempt(receiver.url))
    expect([reason, receiver.requests(), receiver.connections()]).toEqual(['delivered', 3, 2])
    expect(activeMs).toBeLessThan(500)
  })

  test('repeats the request once, not twice', async () => {
    const receiver = await startMisbehaving((socket, request) => {
      if (request === 1) socket.write(ok)
      else socket.resetAndDestroy()
    })
    await attempt(receiver.url)
    expect((await attempt(receiver.url)).reason).toBe('connection_reset')
    expect(receiver.requests()).toBe(3)
  })

  test('after the response has started does not repeat the request', async () => {
    const receiver = await startMisbehaving((socket, request) => {
      if (request === 1) socket.write(ok)
      else {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')
        setTimeout(() => socket.resetAndDestroy(), 50)
      }
    })
    await attempt(receiver.url)
    const { reason } = await attempt(receiver.url)
    expect([reason, receiver.requests()]).toEqual(['connection_reset', 2])
  })
})

describe('a response that is not HTTP', () => {
  test.each([
    ['another protocol', '220 smtp.example.com ESMTP ready\r\n'],
    ['binary data', '\x15\x03\x01\x00\x02\x02\x16'],
    ['a status that is not a number', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['a length that is not a number', 'HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
    ['headers beyond 32 KiB', `HTTP/1.1 200 OK\r\n${`x-long: ${'a'.repeat(1_000)}\r\n`.repeat(40)}\r\n`],
    ['a NUL in a header', 'HTTP/1.1 200 OK\r\nx-a: a\0b\r\ncontent-length: 0\r\n\r\n'],
  ])('%s is an invalid response', async (_label, response) => {
    const receiver = await startMisbehaving((socket) => socket.write(response, 'latin1'))
    expect((await attempt(receiver.url)).reason).toBe('invalid_response')
    expect(receiver.requests()).toBe(1)
    await expect.poll(receiver.hasNoConnections, { timeout: 10_000 }).toBe(true)
  })

  test('bytes after a response are not used as the next response', async () => {
    const receiver = await startMisbehaving((socket, request) => {
      socket.write(request === 1 ? `${ok}HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n` : ok)
    })
    await attempt(receiver.url)
    expect((await attempt(receiver.url)).reason).toBe('delivered')
  })
})

describe('of a response', () => {
  test('4 KiB are stored; up to 16 KiB are read and the connection is reused', async () => {
    const body = 'a'.repeat(16 * 1_024)
    const receiver = await startMisbehaving((socket) =>
      socket.write(`HTTP/1.1 500 No\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
    )
    const { reason, status, answerBody } = await attempt(receiver.url)
    expect([reason, status, answerBody?.toString()]).toEqual(['status', 500, 'a'.repeat(4_096)])
    await attempt(receiver.url)
    expect(receiver.connections()).toBe(1)
  })

  test('at most 16 KiB are read: the status counts, and the connection is closed', async () => {
    let written = 0
    const receiver = await startMisbehaving((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const chunk = `2000\r\n${'a'.repeat(8_192)}\r\n`
      const timer = setInterval(() => {
        socket.write(chunk)
        written += 8_192
      }, 10)
      socket.on('close', () => clearInterval(timer))
    })
    const { reason, activeMs } = await timed(() => attempt(receiver.url))
    expect(reason).toBe('delivered')
    expect(activeMs).toBeLessThan(1_000)
    await expect.poll(receiver.hasNoConnections, { timeout: 10_000 }).toBe(true)
    expect(written).toBeLessThan(200_000)
  })

  test('compressed bytes are stored as received', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n'
    const bytes = Buffer.from([0x1f, 0x8b, 0x00, 0xff])
    const receiver = await startMisbehaving((socket) =>
      socket.write(Buffer.concat([Buffer.from(head), bytes])),
    )
    const { reason, answerBody } = await attempt(receiver.url)
    expect([reason, answerBody]).toEqual(['delivered', bytes])
  })

  test('binary bytes of the body are stored as received', async () => {
    const bytes = Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x00])
    const head = Buffer.from('HTTP/1.1 200 OK\r\nx-latin: caf\xe9\r\ncontent-length: 5\r\n\r\n', 'latin1')
    const receiver = await startMisbehaving((socket) => socket.write(Buffer.concat([head, bytes])))
    const { reason, answerBody, answerHeaders } = await attempt(receiver.url)
    expect([reason, answerBody]).toEqual(['delivered', bytes])
    expect(answerHeaders).toMatch(/^x-latin: caf.+\ncontent-length: 5$/)
  })

  test('interim responses are skipped', async () => {
    const receiver = await startMisbehaving((socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${ok}`),
    )
    const { reason, status, answerBody } = await attempt(receiver.url)
    expect([reason, status, answerBody?.toString()]).toEqual(['delivered', 200, 'ok'])
  })

  test('headers up to the limit are read, and 8 KiB of them are stored', async () => {
    const lines = `x-long: ${'a'.repeat(1_000)}\r\n`.repeat(20)
    const receiver = await startMisbehaving((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${lines}content-length: 0\r\n\r\n`),
    )
    const { reason, answerHeaders } = await attempt(receiver.url)
    expect([reason, answerHeaders?.length]).toEqual(['delivered', 8_192])
  })

  test.each([
    [200, 'delivered'],
    [201, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [300, 'redirect'],
    [301, 'redirect'],
    [304, 'redirect'],
    [308, 'redirect'],
    [400, 'status'],
    [404, 'status'],
    [410, 'gone'],
    [429, 'status'],
    [500, 'status'],
    [599, 'status'],
  ])('the status %i is %s, and a redirect is not followed', async (status, reason) => {
    const receiver = await startMisbehaving((socket) => {
      const location = `location: http://127.0.0.1:${socket.localPort}/other`
      const length = status === 204 || status === 304 ? '' : 'content-length: 0\r\n'
      socket.write(`HTTP/1.1 ${status} X\r\n${location}\r\n${length}\r\n`)
    })
    expect(await attempt(receiver.url)).toMatchObject({ reason, status })
    expect(receiver.requests()).toBe(1)
  })

  test.each([
    ['seconds', '120', 120_000],
    ['zero', '0', 0],
    ['a date in the past', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['a negative number', '-5', 0],
    ['a fraction', '1.5', 0],
    ['a word', 'soon', 0],
    ['a sentence', 'not before 2099', 0],
    ['an empty value', '', 0],
  ])('Retry-After with %s', async (_label, value, retryAfterMs) => {
    const receiver = await startMisbehaving((socket) =>
      socket.write(`HTTP/1.1 503 X\r\nretry-after: ${value}\r\ncontent-length: 0\r\n\r\n`),
    )
    // A missing value and zero are equivalent.
    expect((await attempt(receiver.url)).retryAfterMs ?? 0).toBe(retryAfterMs)
  })
})
