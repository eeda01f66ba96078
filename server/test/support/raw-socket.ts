/** Sends raw bytes that no HTTP client would send, and returns everything that the server writes. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface RawOptions {
  /** Maximum silence after the last byte before the read stops. */
  idleMs?: number
  /** Maximum time until the first byte. */
  firstByteMs?: number
  /** Sends the first `atOnce` bytes in one write and the rest in small chunks with pauses. */
  dribble?: { atOnce: number; bytes: number; everyMs: number }
}

export async function rawRequest(
  url: string,
  bytes: string | Buffer,
  options: RawOptions = {},
): Promise<string> {
  const { idleMs = 300, firstByteMs = 15_000, dribble } = options
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  const received: Buffer[] = []
  const ended = new Promise<void>((resolve) => {
    socket.setTimeout(firstByteMs, resolve)
    socket.on('data', (chunk) => {
      received.push(chunk)
      socket.setTimeout(idleMs)
    })
    socket.on('close', () => resolve())
    // The server may reset the connection during the write; the bytes received before count.
    socket.on('error', () => resolve())
  })
  void write(socket, Buffer.from(bytes), dribble)
  await ended
  socket.destroy()
  return Buffer.concat(received).toString()
}

async function write(socket: Socket, bytes: Buffer, dribble: RawOptions['dribble']): Promise<void> {
  socket.write(bytes.subarray(0, dribble?.atOnce))
  if (dribble === undefined) return
  for (let start = dribble.atOnce; start < bytes.length && socket.writable; start += dribble.bytes) {
    await sleep(dribble.everyMs)
    socket.write(bytes.subarray(start, start + dribble.bytes))
  }
}

export interface RawResponse {
  status: number
  /** The status line and all header lines. */
  headers: string
  body: string
}

/** Splits the received bytes into HTTP responses. */
export function splitResponses(text: string): RawResponse[] {
  const responses: RawResponse[] = []
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    const headers = rest.subarray(0, end).toString()
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(headers)?.[1])
    if (end === -1 || Number.isNaN(status)) throw new Error(`not an HTTP response: ${rest.toString()}`)
    const length = Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? emptyChunk(headers).length)
    responses.push({ status, headers, body: rest.subarray(end + 4, end + 4 + length).toString() })
    rest = rest.subarray(end + 4 + length)
  }
  return responses
}

/** The service sends Content-Length; only Node's built-in responses are chunked, and those are empty. */
function emptyChunk(headers: string): string {
  return /^transfer-encoding: chunked$/im.test(headers) ? '0\r\n\r\n' : ''
}
