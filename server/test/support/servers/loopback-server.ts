/** Runs a raw server on loopback. Closing it also ends its open connections. */
import { once } from 'node:events'
import type { Server, Socket } from 'node:net'

export interface LoopbackServer {
  port: number
  openSockets: ReadonlySet<Socket>
  close: () => Promise<void>
}

export async function listenOnLoopback(server: Server): Promise<LoopbackServer> {
  const openSockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    openSockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => openSockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    openSockets,
    async close() {
      for (const socket of openSockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
