/** Bytes on a socket, for what no HTTP client would send. The answer is everything the server wrote. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface RawOptions {
  /** How long the server may stay silent after its last byte before we stop listening. */
  idleMs?: number
  /** How long the server may take until its first byte. */
  firstByteMs?: number
  /** Sends the first bytes at once and the others a few at a time, with a pause after each. */
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
    // A reset while we still write is the server's right; what it said before that counts.
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

export interface RawAnswer {
  status: number
  /** The status line and all header lines. */
  headers: string
  body: string
}

/** Splits what came on a socket into the answers it holds. */
export function splitAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    const headers = rest.subarray(0, end).toString()
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(headers)?.[1])
    if (end === -1 || Number.isNaN(status)) throw new Error(`this is no HTTP answer: ${rest.toString()}`)
    const length = Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? emptyChunk(headers).length)
    answers.push({ status, headers, body: rest.subarray(end + 4, end + 4 + length).toString() })
    rest = rest.subarray(end + 4 + length)
  }
  return answers
}

/** The service answers with a length; only Node's own answers are chunked, and those are empty. */
function emptyChunk(headers: string): string {
  return /^transfer-encoding: chunked$/im.test(headers) ? '0\r\n\r\n' : ''
}
