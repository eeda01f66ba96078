/** Attacks below the API: oversized bodies, malformed requests, slow connections. */
import { connect } from 'node:net'
import type { Activity } from '../activity.ts'
import type { Tenant } from '../tenant.ts'

const byteIntervalMs = 1_000
const connectionMs = 15_000

export const wireActivities: readonly Activity[] = [
  {
    name: 'oversized',
    description: 'bodies, queries and headers that are too large',
    perSecond: 10,
    async call(tenant, count) {
      const calls = [
        { method: 'POST', path: '/api/hooks', body: `target_url=${'x'.repeat(400_000)}` },
        { path: `/api/hooks?x=${'x'.repeat(12_000)}` },
        { method: 'POST', path: '/api/hooks/preview', body: `{"x":${'['.repeat(100_000)}` },
        { path: '/api/hooks', headers: { 'x-large': 'x'.repeat(30_000) } },
      ] as const
      return (await tenant.send(calls[count % calls.length] ?? { path: '/' })).status
    },
  },
  {
    name: 'malformed',
    description: 'requests that violate HTTP',
    perSecond: 10,
    call: (tenant, count) => sendRaw(tenant, malformed[count % malformed.length] ?? ''),
  },
  {
    name: 'pipelined',
    description: 'a hundred requests in one write',
    perSecond: 1,
    call: (tenant) =>
      sendRaw(tenant, `GET /api/hooks HTTP/1.1\r\nhost: x\r\nx-api-key: ${tenant.key}\r\n\r\n`.repeat(100)),
  },
  {
    name: 'slow-loris',
    description: 'requests that arrive at one byte per second',
    perSecond: 20,
    maxInFlight: 300,
    call: (tenant, count) => sendSlowly(tenant, count % 2 === 0 ? slowHeaders : slowBody),
  },
]

const malformed = [
  'GET / HTTP/1.1\r\n\r\n',
  'NOTHING\r\n\r\n',
  'GET / HTTP/9.9\r\nhost: x\r\n\r\n',
  'POST /api/hooks HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /api/hooks HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nFFFFFFFFFF\r\n',
  'POST /api/hooks HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
  `GET /${'\u0000'.repeat(100)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(3_000)}\r\n`,
]
const slowHeaders = `GET /api/hooks HTTP/1.1\r\nhost: x\r\nx-slow: ${'s'.repeat(1_000)}`
const slowBody = `POST /api/hooks HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n${'b'.repeat(999)}`

/** Returns the status of the first response, or how the connection ended. */
function sendRaw(
  { apiUrl }: Tenant,
  text: string,
  write?: (send: (part: string) => void) => void,
): Promise<string> {
  const { hostname, port } = new URL(apiUrl)
  return new Promise((resolve) => {
    let result = 'cut'
    const socket = connect(Number(port), hostname)
    const timer = setTimeout(() => socket.destroy(), connectionMs)
    socket.on('data', (chunk: Buffer) => {
      if (result === 'cut') result = chunk.toString('latin1', 9, 12)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(result)
    })
    socket.write(text)
    write?.((part) => socket.write(part))
    if (write === undefined) setTimeout(() => socket.end(), 1_000)
  })
}

/** Sends text slowly. Sends the headers of a slow body at once, or the header timeout would apply first. */
function sendSlowly(tenant: Tenant, text: string): Promise<string> {
  const headEnd = text.indexOf('\r\n\r\n')
  const first = headEnd === -1 ? 10 : headEnd + 4
  return sendRaw(tenant, text.slice(0, first), (send) => {
    let at = first
    const timer = setInterval(() => {
      send(text.slice(at, ++at))
      if (at >= text.length || at - first > connectionMs / byteIntervalMs) clearInterval(timer)
    }, byteIntervalMs)
  })
}
