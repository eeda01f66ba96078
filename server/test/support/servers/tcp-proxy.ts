/**
 * A TCP proxy that can blackhole connections: they stay open but pass no data, as behind a firewall that dropped them.
 * It can also cut connections: they close, and new ones are closed too until `restore`.
 */
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Open connections pass no more data; new ones work. */
  blackhole: () => void
  cut: () => void
  restore: () => void
  close: () => Promise<void>
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(targetPort, '127.0.0.1')
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    client.pipe(upstream)
    upstream.pipe(client)
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
    blackhole() {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream)
        upstream.unpipe(client)
        client.resume()
        upstream.resume()
      }
      pairs.clear()
    },
    cut() {
      isCut = true
      for (const pair of pairs) for (const socket of pair) socket.destroy()
    },
    restore() {
      isCut = false
    },
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
