/**
 * Receivers that misbehave, in a separate process. They use plain sockets, because an HTTP server would not send such
 * responses. The process returns the URLs on request and exits with its parent.
 */
import { setPriority } from 'node:os'
import { createServer, type Socket } from 'node:net'

type Behavior = (socket: Socket) => void

const head = 'HTTP/1.1 200 OK\r\n'
const dripMs = 900

function drip(socket: Socket, first: string): void {
  socket.write(first)
  const timer = setInterval(() => socket.write('x'), dripMs)
  socket.once('close', () => clearInterval(timer))
}

function respondWith(text: string): Behavior {
  return (socket) => void socket.write(text)
}

function later(ms: number, behavior: Behavior): Behavior {
  return (socket) => {
    const timer = setTimeout(() => behavior(socket), ms)
    socket.once('close', () => clearTimeout(timer))
  }
}

const noContent = respondWith('HTTP/1.1 204 No Content\r\n\r\n')

const behaviors: Readonly<Record<string, Behavior>> = {
  'succeeds after 14 s': later(14_000, noContent),
  'never responds': () => {},
  'responds 500 immediately': respondWith('HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n'),
  'responds 503, retry after an hour': respondWith(
    'HTTP/1.1 503 Busy\r\nretry-after: 3600\r\ncontent-length: 0\r\n\r\n',
  ),
  'responds 429, retry after a second': respondWith(
    'HTTP/1.1 429 Slow\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n',
  ),
  'redirects in a loop': respondWith('HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n'),
  'cuts the connection': (socket) => socket.resetAndDestroy(),
  'responds with status 000': respondWith('HTTP/1.1 000 Nothing\r\n\r\n'),
  'responds with something other than HTTP': respondWith('hello, this is not HTTP\r\n\r\n'),
  'drips a body without end': (socket) => drip(socket, `${head}content-length: 1000000\r\n\r\n`),
  'drips headers without end': (socket) => drip(socket, `${head}x-drip: `),
  'responds with a huge body': (socket) => {
    socket.write(`${head}content-length: 50000000\r\n\r\n`)
    const block = Buffer.alloc(65_536, 'x')
    const more = (): void => {
      while (!socket.destroyed && socket.write(block)) if (socket.writableLength > 1_000_000) return
    }
    socket.on('drain', more)
    more()
  },
  'responds with huge headers': respondWith(`${head}x-large: ${'x'.repeat(60_000)}\r\n\r\n`),
  'sends 103 without end': (socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50)
    socket.once('close', () => clearInterval(timer))
  },
  'succeeds half of the time': (socket) =>
    (Math.random() < 0.5 ? noContent : respondWith('HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n'))(
      socket,
    ),
  succeeds: noContent,
}

/** Applies the behavior when the head of a request is complete. Bodies are read and discarded. */
function serve(behavior: Behavior): (socket: Socket) => void {
  return (socket) => {
    let tail = ''
    // Each request on a persistent connection adds a listener.
    socket.setMaxListeners(0)
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      // Keeps the last three characters, so that a split end of the head is found.
      const text = tail + chunk.toString('latin1')
      tail = text.slice(-3)
      if (text.includes('\r\n\r\n') && text.includes('HTTP/1.1\r\n')) behavior(socket)
    })
  }
}

setPriority(10)
const urls: string[] = []
/**
 * Below the ports that the kernel chooses: Hookline rejects webhooks to its own ports at any loopback address, so a
 * receiver must not have the number of one of them.
 */
const port = 20_000 + (process.pid % 10_000)
for (const [index, behavior] of Object.values(behaviors).entries()) {
  const server = createServer(serve(behavior))
  await new Promise<void>((resolve) => server.listen({ host: `127.0.30.${index + 1}`, port }, resolve))
  urls.push(`http://127.0.30.${index + 1}:${port}`)
}
// Nothing listens here: connections are refused.
urls.push('http://127.0.30.250:9')
process.on('message', () => process.send?.({ urls }))
process.on('disconnect', () => process.exit(0))
process.on('SIGINT', () => {})
process.send?.({})
