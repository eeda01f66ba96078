/**
 * Receivers that violate TLS or HTTP, one per violation, with the expected reason of an attempt. They use raw loopback
 * sockets because no HTTP server sends such bytes.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { gzipSync } from 'node:zlib'
import type { AttemptReason } from '../../../src/model/delivery/outcome.ts'
import type { Certificates } from './broken-certificates.ts'
import { listenOnLoopback, type LoopbackServer } from './loopback-server.ts'

export interface BrokenReceiver {
  name: string
  url: string
  /** The expected reason of an attempt. */
  reason: AttemptReason
  connections: () => number
}

export interface BrokenReceivers {
  all: BrokenReceiver[]
  close: () => Promise<void>
}

/** Runs after the receiver has read a request. */
type Respond = (socket: Socket) => void

type Case = [name: string, reason: AttemptReason, respond: Respond]

function sends(text: string): Respond {
  return (socket) => socket.write(text, 'latin1')
}

/** Writes the text, then closes the connection. */
function sendsAndCloses(text: string): Respond {
  return (socket) => socket.end(text, 'latin1')
}

/** Writes `start`, then repeats `again` as fast as the sender reads. */
function floods(start: string, again: string): Respond {
  const block = Buffer.from(again.repeat(Math.ceil(16_384 / again.length)), 'latin1')
  return (socket) => {
    socket.write(start, 'latin1')
    const flood = (): void => {
      while (!socket.destroyed && socket.write(block));
    }
    socket.on('drain', flood)
    flood()
  }
}

function resets(text: string): Respond {
  return (socket) => socket.write(text, 'latin1', () => setTimeout(() => socket.resetAndDestroy(), 50))
}

function status(line: string): string {
  return `${line}\r\ncontent-length: 0\r\n\r\n`
}

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`
const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))

const httpCases: Case[] = [
  ['status 000', 'invalid_response', sends(status('HTTP/1.1 000 None'))],
  ['status 000, closed', 'invalid_response', sendsAndCloses('HTTP/1.1 000 None\r\n\r\n')],
  ['status 001', 'invalid_response', sends(status('HTTP/1.1 001 None'))],
  ['status 099', 'invalid_response', sends(status('HTTP/1.1 099 None'))],
  ['status 099, closed', 'invalid_response', sendsAndCloses('HTTP/1.1 099 None\r\n\r\n')],
  [
    'status 099, then 200',
    'invalid_response',
    sends(`HTTP/1.1 099 None\r\n\r\n${status('HTTP/1.1 200 OK')}`),
  ],
  ['status 600', 'status', sends(status('HTTP/1.1 600 What'))],
  ['status 999', 'status', sends(status('HTTP/1.1 999 No'))],
  ['status of one digit', 'invalid_response', sends(status('HTTP/1.1 2 OK'))],
  ['status of four digits', 'invalid_response', sends(status('HTTP/1.1 2000 OK'))],
  ['status -1', 'invalid_response', sends(status('HTTP/1.1 -1 OK'))],
  ['no status', 'invalid_response', sends('HTTP/1.1\r\n\r\n')],
  ['no reason phrase', 'delivered', sends(status('HTTP/1.1 200'))],
  ['HTTP/2 in a status line', 'invalid_response', sends(status('HTTP/2 200'))],
  ['HTTP/3.0', 'invalid_response', sends(status('HTTP/3.0 200 OK'))],
  ['HTTP/0.9', 'invalid_response', sendsAndCloses('<html>ok</html>')],
  ['HTTP/1.0 without length', 'delivered', sendsAndCloses('HTTP/1.0 200 OK\r\n\r\nok')],
  ['an HTTP/2 preface', 'invalid_response', sends('\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80\0\x04\0\x01\0\0')],
  ['another protocol', 'invalid_response', sends('SSH-2.0-OpenSSH_9.2\r\n')],
  ['a TLS record', 'invalid_response', sends('\x15\x03\x01\x00\x02\x02\x46')],
  ['a request', 'invalid_response', sends('GET / HTTP/1.1\r\nhost: a\r\n\r\n')],
  ['endless line feeds', 'invalid_response', floods('', '\r\n')],
  ['a chunk of no size', 'invalid_response', sends(`${chunked}zz\r\n`)],
  ['a chunk of negative size', 'invalid_response', sends(`${chunked}-1\r\nx\r\n`)],
  ['a chunk beyond 64 bits', 'invalid_response', sends(`${chunked}${'f'.repeat(17)}\r\nx`)],
  ['a chunk longer than its size', 'invalid_response', sends(`${chunked}1\r\nxyz\r\n0\r\n\r\n`)],
  ['chunks that stop', 'connection_reset', sendsAndCloses(`${chunked}5\r\nhe`)],
  ['endless chunk extensions', 'invalid_response', floods(`${chunked}1;`, 'a=b;')],
  [
    'trailers',
    'delivered',
    sends(`${ok}transfer-encoding: chunked\r\ntrailer: x-a\r\n\r\n2\r\nok\r\n0\r\nx-a: 1\r\n\r\n`),
  ],
  [
    'endless trailers',
    'invalid_response',
    floods(`${chunked}2\r\nok\r\n0\r\n`, `x-a: ${'b'.repeat(500)}\r\n`),
  ],
  [
    'length and chunks',
    'invalid_response',
    sends(`${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
  ],
  [
    'chunks and length',
    'invalid_response',
    sends(`${ok}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
  ],
  ['an unknown transfer encoding', 'delivered', sendsAndCloses(`${ok}transfer-encoding: wobble\r\n\r\nok`)],
  ['a negative length', 'invalid_response', sends(`${ok}content-length: -1\r\n\r\n`)],
  ['a length with a sign', 'invalid_response', sends(`${ok}content-length: +2\r\n\r\nok`)],
  ['a length beyond 64 bits', 'invalid_response', sends(`${ok}content-length: ${'9'.repeat(30)}\r\n\r\nok`)],
  [
    'two lengths that differ',
    'invalid_response',
    sends(`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nok`),
  ],
  [
    'the same length twice',
    'invalid_response',
    sends(`${ok}content-length: 2\r\ncontent-length: 2\r\n\r\nok`),
  ],
  ['a length list', 'invalid_response', sends(`${ok}content-length: 2, 2\r\n\r\nok`)],
  ['an empty length', 'invalid_response', sends(`${ok}content-length:\r\n\r\nok`)],
  ['a body shorter than its length', 'connection_reset', sendsAndCloses(`${ok}content-length: 10\r\n\r\nok`)],
  ['headers of 1 MB', 'invalid_response', sends(`${ok}x-a: ${'a'.repeat(1_000_000)}\r\n\r\n`)],
  ['10,000 headers', 'invalid_response', sends(`${ok}${'x-a: b\r\n'.repeat(10_000)}\r\n`)],
  ['endless headers', 'invalid_response', floods(ok, `x-a: ${'b'.repeat(500)}\r\n`)],
  ['an endless header name', 'invalid_response', floods(ok, 'a')],
  ['an endless reason phrase', 'invalid_response', floods('HTTP/1.1 200 ', 'a')],
  ['a header without a colon', 'invalid_response', sends(`${ok}nothing\r\n\r\n`)],
  ['a header name with a space', 'invalid_response', sends(`${ok}x a: b\r\n\r\n`)],
  ['a bare line feed', 'invalid_response', sends('HTTP/1.1 200 OK\ncontent-length: 0\n\n')],
  ['a bare carriage return', 'invalid_response', sends('HTTP/1.1 200 OK\rcontent-length: 0\r\r')],
  ['a NUL in a header', 'invalid_response', sends(`${ok}x-a: a\0b\r\ncontent-length: 0\r\n\r\n`)],
  ['a folded header', 'invalid_response', sends(`${ok}x-a: a\r\n b\r\ncontent-length: 0\r\n\r\n`)],
  [
    'an unsolicited 100 Continue',
    'invalid_response',
    sends(`HTTP/1.1 100 Continue\r\n\r\n${status('HTTP/1.1 200 OK')}`),
  ],
  ['endless 100 Continue responses', 'invalid_response', floods('', 'HTTP/1.1 100 Continue\r\n\r\n')],
  ['endless 102 Processing responses', 'invalid_response', floods('', 'HTTP/1.1 102 Processing\r\n\r\n')],
  [
    'endless 103 Early Hints responses',
    'invalid_response',
    floods('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  ],
  [
    'an unsolicited 101',
    'invalid_response',
    sends('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
  ['200 with an upgrade', 'delivered', sends(`${ok}upgrade: h2c\r\ncontent-length: 0\r\n\r\n`)],
  ['a close before the response', 'connection_reset', (socket) => socket.end()],
  ['a reset before the response', 'connection_reset', (socket) => socket.resetAndDestroy()],
  ['a close in the status line', 'connection_reset', sendsAndCloses('HTTP/1.1 20')],
  ['a close in the headers', 'connection_reset', sendsAndCloses(`${ok}x-a: `)],
  ['a reset after the headers', 'connection_reset', resets(`${ok}content-length: 10\r\n\r\n`)],
  ['a reset in a chunk', 'connection_reset', resets(`${chunked}5\r\nhe`)],
  ['a half close after the response', 'delivered', sendsAndCloses(status('HTTP/1.1 200 OK'))],
  ['an endless body', 'delivered', floods(`${ok}\r\n`, 'a')],
  ['a body of 9 exabytes', 'delivered', floods(`${ok}content-length: 9223372036854775807\r\n\r\n`, 'a')],
  [
    'a gzip bomb',
    'delivered',
    (socket) => {
      socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    },
  ],
  [
    'a Retry-After of 30,000 years',
    'status',
    sends(`HTTP/1.1 503 No\r\nretry-after: 999999999999\r\ncontent-length: 0\r\n\r\n`),
  ],
]

/** Every alert description of RFC 8446 and its predecessors. */
const alerts = [
  10, 20, 21, 22, 30, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 60, 70, 71, 80, 86, 100, 109, 110, 111,
  112, 113, 114, 115, 116, 120,
]

/** Runs after the receiver has read the ClientHello. */
const handshakeCases: Case[] = [
  ...alerts.map((alert): Case => [
    `TLS alert ${alert}`,
    'tls',
    (socket) => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, alert])),
  ]),
  ['endless TLS warnings', 'tls', floods('', '\x15\x03\x03\0\x02\x01\x5a')],
  [
    'an unknown TLS alert',
    'connection_reset',
    (socket) => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 255])),
  ],
  ['TLS close_notify', 'connection_reset', (socket) => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 1, 0]))],
  ['plain HTTP on a TLS port', 'tls', sendsAndCloses('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['garbage instead of TLS', 'tls', sendsAndCloses('\x16\x03\x03\xff\xff')],
  ['a close in the handshake', 'connection_reset', (socket) => socket.end()],
  ['a reset in the handshake', 'connection_reset', (socket) => socket.resetAndDestroy()],
  ['a record that stops', 'connection_reset', sendsAndCloses('\x16\x03\x03\x00\x40\x02')],
]

export async function startBrokenReceivers(certificates: Certificates): Promise<BrokenReceivers> {
  const { good, broken } = certificates
  const servers: LoopbackServer[] = []

  async function start(
    name: string,
    reason: AttemptReason,
    scheme: string,
    server: Server,
  ): Promise<BrokenReceiver> {
    let connections = 0
    server.on('connection', () => connections++)
    const listening = await listenOnLoopback(server)
    servers.push(listening)
    return { name, url: `${scheme}://127.0.0.1:${listening.port}/`, reason, connections: () => connections }
  }

  const secured = (options: TlsOptions, respond: Respond = sends(status('HTTP/1.1 200 OK'))): Server =>
    createTlsServer(
      { ...good, ...options, ciphers: options.ciphers ?? 'DEFAULT@SECLEVEL=0' },
      afterRequest(respond),
    ).on('tlsClientError', () => {})

  const all = await Promise.all([
    ...httpCases.map(([name, reason, respond]) =>
      start(name, reason, 'http', createServer(afterRequest(respond))),
    ),
    ...handshakeCases.map(([name, reason, respond]) =>
      start(
        name,
        reason,
        'https',
        createServer((socket) => socket.once('data', () => respond(socket))),
      ),
    ),
    ...Object.entries(broken).map(([name, certificate]) =>
      start(`a certificate ${name}`, 'tls', 'https', secured(certificate)),
    ),
    start('a valid certificate', 'delivered', 'https', secured({})),
    start('TLS 1.0 only', 'tls', 'https', secured({ minVersion: 'TLSv1', maxVersion: 'TLSv1' })),
    start('TLS 1.1 only', 'tls', 'https', secured({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' })),
    start(
      'a cipher without encryption',
      'tls',
      'https',
      secured({ maxVersion: 'TLSv1.2', ciphers: 'eNULL@SECLEVEL=0' }),
    ),
    start('no common protocol', 'tls', 'https', secured({ ALPNProtocols: ['h2'] })),
    start(
      'a required client certificate, TLS 1.2',
      'tls',
      'https',
      secured({ requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }),
    ),
    start(
      'a required client certificate, TLS 1.3',
      'connection_reset',
      'https',
      secured({ requestCert: true, rejectUnauthorized: true }),
    ),
    start(
      'TLS closed after the request',
      'connection_reset',
      'https',
      secured({}, (socket) => socket.destroy()),
    ),
  ])
  return {
    all,
    async close() {
      for (const server of servers) await server.close()
    },
  }
}

/** Calls `respond` once the head and a JSON body have arrived. */
function afterRequest(respond: Respond): (socket: Socket) => void {
  return (socket) => {
    socket.on('error', () => {})
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (!/\r\n\r\n[^]*\}$/.test(received)) return
      received = ''
      respond(socket)
    })
  }
}
