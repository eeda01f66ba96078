/**
 * A TCP proxy that can swallow: connections stay open and nothing passes any more, as behind a firewall that forgot them.
 * It can also cut: connections are closed and new ones refused until it is mended.
 */
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** From now on, nothing passes on the connections that are open; new ones work. */
  swallow: () => void
  cut: () => void
  mend: () => void
  close: () => Promise<void>
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(targetPort, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    near.pipe(far)
    far.pipe(near)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => pair.forEach((either) => either.destroy()))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    swallow() {
      for (const [near, far] of pairs) {
        near.unpipe(far)
        far.unpipe(near)
        near.resume()
        far.resume()
      }
      pairs.clear()
    },
    cut() {
      isCut = true
      for (const pair of pairs) for (const socket of pair) socket.destroy()
    },
    mend() {
      isCut = false
    },
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
