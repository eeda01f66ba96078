/**
 * Listens on one port with several sockets. The event loop accepts one connection per socket and iteration. With a single
 * socket and slow iterations, a few hundred simultaneous connections delay new clients by seconds.
 */
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface Listening {
  url: string
  /** Stops accepting connections. Resolves when the accepted connections have ended. */
  stopAccepting: () => Promise<void>
}

const sockets = 16
/** Other platforms reject a second socket on a port. */
const canSharePort = process.platform === 'linux'

export async function listen(
  app: FastifyInstance,
  address: { host: string; port: number },
): Promise<Listening> {
  if (!canSharePort) return { url: await app.listen(address), stopAccepting: async () => {} }
  await rejectTakenPort(address)
  const first = { ...address, reusePort: true }
  const url = await app.listen(first)
  const { address: host, port } = app.server.address() as AddressInfo
  const others = Array.from({ length: sockets - 1 }, () =>
    // The same options as those of an HTTP server.
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket)),
  )
  await Promise.all(others.map((server) => startListening(server, { host, port, reusePort: true })))
  return {
    url,
    async stopAccepting() {
      await Promise.all(others.map(close))
    },
  }
}

/** Fails if the port is in use. With `reusePort`, a second process started by mistake would get half of the calls. */
async function rejectTakenPort(address: ListenOptions): Promise<void> {
  if (address.port === 0) return
  const server = createServer()
  await startListening(server, address)
  await close(server)
}

function startListening(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
