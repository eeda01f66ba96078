/**
 * Receivers that do everything a receiver should not, in a process of their own. Written on bare sockets, because a proper
 * HTTP server refuses to answer like this. Answers its addresses when it is ready; ends with whoever started it.
 */
import { setPriority } from 'node:os'
import { type AddressInfo, createServer, type Socket } from 'node:net'

type Behavior = (socket: Socket) => void

const head = 'HTTP/1.1 200 OK\r\n'
const dripMs = 900

function drip(socket: Socket, first: string): void {
  socket.write(first)
  const timer = setInterval(() => socket.write('x'), dripMs)
  socket.once('close', () => clearInterval(timer))
}

function answer(text: string): Behavior {
  return (socket) => void socket.write(text)
}

function later(ms: number, behavior: Behavior): Behavior {
  return (socket) => {
    const timer = setTimeout(() => behavior(socket), ms)
    socket.once('close', () => clearTimeout(timer))
  }
}

const noContent = answer('HTTP/1.1 204 No Content\r\n\r\n')

const behaviors: Readonly<Record<string, Behavior>> = {
  'succeeds after 14 s': later(14_000, noContent),
  'never answers': () => {},
  'answers 500 at once': answer('HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n'),
  'answers 503 for an hour': answer('HTTP/1.1 503 Busy\r\nretry-after: 3600\r\ncontent-length: 0\r\n\r\n'),
  'answers 429 for a second': answer('HTTP/1.1 429 Slow\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n'),
  'redirects in a circle': answer('HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n'),
  'cuts the connection': (socket) => socket.resetAndDestroy(),
  'answers status 000': answer('HTTP/1.1 000 Nothing\r\n\r\n'),
  'answers no HTTP': answer('hello, this is not HTTP\r\n\r\n'),
  'drips a body for ever': (socket) => drip(socket, `${head}content-length: 1000000\r\n\r\n`),
  'drips headers for ever': (socket) => drip(socket, `${head}x-drip: `),
  'answers a huge body': (socket) => {
    socket.write(`${head}content-length: 50000000\r\n\r\n`)
    const block = Buffer.alloc(65_536, 'x')
    const more = (): void => {
      while (!socket.destroyed && socket.write(block)) if (socket.writableLength > 1_000_000) return
    }
    socket.on('drain', more)
    more()
  },
  'answers huge headers': answer(`${head}x-large: ${'x'.repeat(60_000)}\r\n\r\n`),
  'says 103 without end': (socket) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50)
    socket.once('close', () => clearInterval(timer))
  },
  'is quick every other time': (socket) =>
    (Math.random() < 0.5 ? noContent : answer('HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n'))(socket),
  'answers well': noContent,
}

/** A request counts as arrived when its head is complete; bodies are read and forgotten. */
function serve(behavior: Behavior): (socket: Socket) => void {
  return (socket) => {
    let tail = ''
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      // Only so much is looked at that the end of a head cannot be missed.
      const text = tail + chunk.toString('latin1')
      tail = text.slice(-3)
      if (text.includes('\r\n\r\n') && text.includes('HTTP/1.1\r\n')) behavior(socket)
    })
  }
}

setPriority(10)
const urls: string[] = []
for (const [index, behavior] of Object.values(behaviors).entries()) {
  const server = createServer(serve(behavior))
  await new Promise<void>((resolve) => server.listen({ host: `127.0.30.${index + 1}`, port: 0 }, resolve))
  urls.push(`http://127.0.30.${index + 1}:${(server.address() as AddressInfo).port}`)
}
// Nothing listens here: connections are refused.
urls.push('http://127.0.30.250:9')
process.on('message', () => process.send?.({ urls }))
process.on('disconnect', () => process.exit(0))
process.on('SIGINT', () => {})
process.send?.({})
