import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'

/** Returns the requested port if it is free, otherwise another free port. */
export async function freePort(requested = 0): Promise<number> {
  if (requested !== 0 && (await isPortInUse(requested))) return freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(requested, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

const reserved = new Set<number>()

/** Returns a port below the ephemeral range, so that it stays free until it is used, and never the same one twice. */
export async function reservedPort(): Promise<number> {
  const port = await freePort(randomInt(20_000, 32_000))
  if (reserved.has(port)) return reservedPort()
  reserved.add(port)
  return port
}

export async function isPortInUse(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
