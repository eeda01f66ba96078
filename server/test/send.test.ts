/** The sender against real receivers on loopback that misbehave in every way it has a name for. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Outcome } from '../src/model/outcome.ts'
import { type Connections, createConnections } from '../src/pipeline/dispatch/connections.ts'
import { createResolver } from '../src/pipeline/dispatch/resolve.ts'
import { createSend, type OutgoingRequest, type Send } from '../src/pipeline/dispatch/send.ts'

/** What to do with the nth request of all, counted from 1, when its head and body have come. */
type Behave = (socket: Socket, request: number) => void

interface Misbehaving {
  url: string
  /** Requests that arrived completely. */
  requests: () => number
  connections: () => number
  /** When the sender has closed all its connections. */
  isLeftAlone: () => boolean
}

let connections: Connections
let send: Send
let servers: Array<{ server: Server; sockets: Set<Socket> }>

beforeEach(() => {
  servers = []
  connections = createConnections(
    createResolver({ servers: [], isOpen: (ip) => ip === '127.0.0.1', allowPrivate: false }).resolve,
  )
  send = createSend(connections)
})
afterEach(async () => {
  await connections.close()
  for (const { server, sockets } of servers) {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listen(server: Server, scheme = 'http'): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  servers.push({ server, sockets })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `${scheme}://127.0.0.1:${(server.address() as { port: number }).port}/`
}

async function misbehaving(behave: Behave): Promise<Misbehaving> {
  let requests = 0
  let opened = 0
  let open = 0
  const server = createServer((socket) => {
    opened++
    open++
    socket.on('close', () => open--)
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk.toString()
      if (!got.endsWith('\r\n\r\n{"a":1}')) return
      got = ''
      requests++
      behave(socket, requests)
    })
  })
  const url = await listen(server)
  return { url, requests: () => requests, connections: () => opened, isLeftAlone: () => open === 0 }
}

function attempt(url: string, more: Partial<OutgoingRequest> = {}): Promise<Outcome> {
  return send({ method: 'POST', url, headers: [], body: '{"a":1}', deadlineMs: 20_000, ...more })
}

const tickMs = 10

/**
 * How long an attempt took, and how much of that this process was running: of a pause between two ticks, in which a busy
 * machine ran others, only two ticks count. Sender and receivers are all in this process and pause together.
 */
async function timed(act: () => Promise<Outcome>): Promise<{ reason: string; ms: number; ownMs: number }> {
  const startedAt = performance.now()
  let tickedAt = startedAt
  let ownMs = 0
  const tick = (): void => {
    const now = performance.now()
    ownMs += Math.min(now - tickedAt, 2 * tickMs)
    tickedAt = now
  }
  const ticking = setInterval(tick, tickMs)
  const { reason } = await act()
  clearInterval(ticking)
  tick()
  return { reason, ms: tickedAt - startedAt, ownMs }
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

function dribble(socket: Socket, start: string, again: string): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(again), 20)
  socket.on('close', () => clearInterval(timer))
}

describe('one deadline covers', () => {
  const cases: Array<[string, Behave]> = [
    ['an answer that never comes', () => {}],
    ['half a status line', (socket) => socket.write('HTTP/1.1 20')],
    ['headers that come a byte at a time', (socket) => dribble(socket, 'HTTP/1.1 200 OK\r\n', 'x')],
    [
      'a body that never ends',
      (socket) => dribble(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n', 'x'),
    ],
    [
      'chunks that never end',
      (socket) => dribble(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
    ],
    ['interim answers that never end', (socket) => dribble(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n')],
  ]

  test.each(cases)('%s', async (_what, behave) => {
    const receiver = await misbehaving(behave)
    const { reason, ms, ownMs } = await timed(() => attempt(receiver.url, { deadlineMs: 500 }))
    expect(reason).toBe('timeout')
    expect(ms).toBeGreaterThanOrEqual(490)
    expect(ownMs).toBeLessThan(1_000)
    expect(receiver.requests()).toBe(1)
    await expect.poll(receiver.isLeftAlone, { timeout: 10_000 }).toBe(true)
  })

  test('a TLS handshake that never ends', async () => {
    const url = (await listen(createServer(() => {}))).replace('http:', 'https:')
    const { reason, ownMs } = await timed(() => attempt(url, { deadlineMs: 500 }))
    expect(reason).toBe('timeout')
    expect(ownMs).toBeLessThan(1_000)
  })

  test('a name that is resolved too late, and no socket is opened for it after that', async () => {
    let opened = 0
    const url = new URL(await listen(createServer(() => opened++)))
    url.hostname = 'late.example.com'
    const isOver = Promise.withResolvers<void>()
    const late = createConnections(async () => {
      await isOver.promise
      return ['127.0.0.1']
    })
    const sendLate = createSend(late)
    const request: OutgoingRequest = {
      method: 'POST',
      url: url.href,
      headers: [],
      body: '{}',
      deadlineMs: 300,
    }
    expect((await sendLate(request)).reason).toBe('timeout')
    isOver.resolve()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(opened).toBe(0)
    await late.close()
  })

  test('the second request of a broken connection too', async () => {
    const receiver = await misbehaving((socket, request) => {
      if (request === 1) socket.write(ok)
      if (request === 2) setTimeout(() => socket.resetAndDestroy(), 1_000)
    })
    await attempt(receiver.url)
    const { reason, ownMs } = await timed(() => attempt(receiver.url, { deadlineMs: 2_000 }))
    expect([reason, receiver.requests()]).toEqual(['timeout', 3])
    // With a deadline of its own the second one would end after 3 s.
    expect(ownMs).toBeLessThan(2_800)
  })
})

describe('a connection', () => {
  test('that is not made within 3 s is given up', async () => {
    // A receiver that drops what comes: the connect is attempted and nothing follows.
    const connect = vi.spyOn(Socket.prototype, 'connect').mockReturnThis()
    try {
      const { reason, ms, ownMs } = await timed(() => attempt('http://127.0.0.1:9/', { deadlineMs: 10_000 }))
      expect(reason).toBe('connect_timeout')
      expect(ms).toBeGreaterThanOrEqual(2_990)
      expect(ownMs).toBeLessThan(3_500)
    } finally {
      connect.mockRestore()
    }
  })

  test('that is refused is refused', async () => {
    // Nobody listens there; a port that was free a moment ago may have been taken since.
    expect((await attempt('http://127.0.0.1:1/')).reason).toBe('connection_refused')
  })

  test('with a certificate that nobody vouches for is not used', async () => {
    let secured = 0
    const folder = mkdtempSync(join(tmpdir(), 'hookline-tls-'))
    const made = ['-keyout', join(folder, 'key'), '-out', join(folder, 'cert'), '-subj', '/CN=127.0.0.1']
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...made],
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

  test('that speaks no TLS where it should is a failure of TLS', async () => {
    const url = (
      await listen(createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    ).replace('http:', 'https:')
    expect((await attempt(url)).reason).toBe('tls')
  })

  test('is kept for the next request, whose timings have no opening', async () => {
    const receiver = await misbehaving((socket) => socket.write(ok))
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

  test('is not shared by requests at the same time', async () => {
    const receiver = await misbehaving((socket) => setTimeout(() => socket.write(ok), 50))
    await Promise.all([1, 2, 3].map(() => attempt(receiver.url)))
    expect([receiver.connections(), receiver.requests()]).toEqual([3, 3])
  })

  test('is not kept where the receiver says so', async () => {
    const closing = 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'
    const receiver = await misbehaving((socket) => socket.end(closing))
    const reasons = [(await attempt(receiver.url)).reason, (await attempt(receiver.url)).reason]
    expect(reasons).toEqual(['delivered', 'delivered'])
    expect([receiver.connections(), receiver.requests()]).toEqual([2, 2])
  })
})

describe('a reset before any answer', () => {
  test('on a new connection is the outcome, and nothing is sent again', async () => {
    const receiver = await misbehaving((socket) => socket.resetAndDestroy())
    expect((await attempt(receiver.url)).reason).toBe('connection_reset')
    expect(receiver.requests()).toBe(1)
  })

  test('by a plain close is the same', async () => {
    const receiver = await misbehaving((socket) => socket.end())
    expect((await attempt(receiver.url)).reason).toBe('connection_reset')
    expect(receiver.requests()).toBe(1)
  })

  test.each([
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
    ['closed', (socket: Socket) => socket.destroy()],
  ])('on a used connection that is %s is sent once more at once', async (_what, end) => {
    const receiver = await misbehaving((socket, request) => {
      if (request === 2) end(socket)
      else socket.write(ok)
    })
    await attempt(receiver.url)
    const { reason, ownMs } = await timed(() => attempt(receiver.url))
    expect([reason, receiver.requests(), receiver.connections()]).toEqual(['delivered', 3, 2])
    expect(ownMs).toBeLessThan(500)
  })

  test('is sent once more and not twice', async () => {
    const receiver = await misbehaving((socket, request) => {
      if (request === 1) socket.write(ok)
      else socket.resetAndDestroy()
    })
    await attempt(receiver.url)
    expect((await attempt(receiver.url)).reason).toBe('connection_reset')
    expect(receiver.requests()).toBe(3)
  })

  test('after the answer has begun is not sent again', async () => {
    const receiver = await misbehaving((socket, request) => {
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

describe('an answer that is not HTTP', () => {
  test.each([
    ['another protocol', '220 smtp.example.com ESMTP ready\r\n'],
    ['binary rubbish', '\x15\x03\x01\x00\x02\x02\x16'],
    ['a status that is no number', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
    ['headers beyond 32 KiB', `HTTP/1.1 200 OK\r\n${`x-long: ${'a'.repeat(1_000)}\r\n`.repeat(40)}\r\n`],
    ['a NUL in a header', 'HTTP/1.1 200 OK\r\nx-a: a\0b\r\ncontent-length: 0\r\n\r\n'],
  ])('%s is an invalid answer', async (_what, answer) => {
    const receiver = await misbehaving((socket) => socket.write(answer, 'latin1'))
    expect((await attempt(receiver.url)).reason).toBe('invalid_answer')
    expect(receiver.requests()).toBe(1)
    await expect.poll(receiver.isLeftAlone, { timeout: 10_000 }).toBe(true)
  })

  test('what follows an answer is not taken for the next one', async () => {
    const receiver = await misbehaving((socket, request) => {
      socket.write(request === 1 ? `${ok}HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n` : ok)
    })
    await attempt(receiver.url)
    expect((await attempt(receiver.url)).reason).toBe('delivered')
  })
})

describe('of an answer', () => {
  test('4 KiB are kept, and what is within 16 KiB is read and the connection kept', async () => {
    const body = 'a'.repeat(16 * 1_024)
    const receiver = await misbehaving((socket) =>
      socket.write(`HTTP/1.1 500 No\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
    )
    const { reason, status, answerBody } = await attempt(receiver.url)
    expect([reason, status, answerBody?.toString()]).toEqual(['status', 500, 'a'.repeat(4_096)])
    await attempt(receiver.url)
    expect(receiver.connections()).toBe(1)
  })

  test('no more than 16 KiB are read: the status counts, and the connection is closed', async () => {
    let written = 0
    const receiver = await misbehaving((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const chunk = `2000\r\n${'a'.repeat(8_192)}\r\n`
      const timer = setInterval(() => {
        socket.write(chunk)
        written += 8_192
      }, 10)
      socket.on('close', () => clearInterval(timer))
    })
    const { reason, ownMs } = await timed(() => attempt(receiver.url))
    expect(reason).toBe('delivered')
    expect(ownMs).toBeLessThan(1_000)
    await expect.poll(receiver.isLeftAlone, { timeout: 10_000 }).toBe(true)
    expect(written).toBeLessThan(200_000)
  })

  test('compressed bytes are kept as they came', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\n'
    const bytes = Buffer.from([0x1f, 0x8b, 0x00, 0xff])
    const receiver = await misbehaving((socket) => socket.write(Buffer.concat([Buffer.from(head), bytes])))
    const { reason, answerBody } = await attempt(receiver.url)
    expect([reason, answerBody]).toEqual(['delivered', bytes])
  })

  test('bytes that are no text are kept as they came, in the body', async () => {
    const bytes = Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x00])
    const head = Buffer.from('HTTP/1.1 200 OK\r\nx-latin: caf\xe9\r\ncontent-length: 5\r\n\r\n', 'latin1')
    const receiver = await misbehaving((socket) => socket.write(Buffer.concat([head, bytes])))
    const { reason, answerBody, answerHeaders } = await attempt(receiver.url)
    expect([reason, answerBody]).toEqual(['delivered', bytes])
    expect(answerHeaders).toMatch(/^x-latin: caf.+\ncontent-length: 5$/)
  })

  test('interim answers are passed over', async () => {
    const receiver = await misbehaving((socket) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${ok}`),
    )
    const { reason, status, answerBody } = await attempt(receiver.url)
    expect([reason, status, answerBody?.toString()]).toEqual(['delivered', 200, 'ok'])
  })

  test('headers up to the limit are read and 8 KiB of them kept', async () => {
    const lines = `x-long: ${'a'.repeat(1_000)}\r\n`.repeat(20)
    const receiver = await misbehaving((socket) =>
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
    const receiver = await misbehaving((socket) => {
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
    ['a date that has passed', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['a negative number', '-5', 0],
    ['a fraction', '1.5', 0],
    ['a word', 'soon', 0],
    ['a sentence', 'not before 2099', 0],
    ['nothing', '', 0],
  ])('Retry-After with %s', async (_what, value, retryAfterMs) => {
    const receiver = await misbehaving((socket) =>
      socket.write(`HTTP/1.1 503 X\r\nretry-after: ${value}\r\ncontent-length: 0\r\n\r\n`),
    )
    // Nothing said and nothing asked for are the same.
    expect((await attempt(receiver.url)).retryAfterMs ?? 0).toBe(retryAfterMs)
  })
})
