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
