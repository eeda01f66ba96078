/**
 * A TCP proxy between one process and NATS that recognizes hand-offs: what an api process publishes for a worker, and what a
 * worker receives. A fault replaces what happens with the next hand-offs.
 */
import { connect, createServer, type Socket } from 'node:net'

/** `drop` loses the message, `cut` also closes the connection. */
export type Passage = 'pass' | 'drop' | 'cut'

/** Called with each chunk that has a hand-off, before it is passed on. */
type OnHandOff = () => Passage | Promise<Passage>

export interface NatsProxy {
  url: string
  /** Hand-offs that passed so far. */
  handedOff: () => number
  /** Replaces what happens with hand-offs. Undefined: they pass. */
  intercept: (onHandOff: OnHandOff | undefined) => void
  close: () => Promise<void>
}

/** In the protocol of NATS: `PUB subject …` to the server, `MSG subject …` from it. */
const handOff = /(?:PUB|MSG) hookline\.[^ ]+\.worker\./

export async function startNatsProxy(natsUrl: string): Promise<NatsProxy> {
  const target = Number(new URL(natsUrl).port)
  const sockets = new Set<Socket>()
  let onHandOff: OnHandOff | undefined
  let handedOff = 0

  /** Passes data on in order, also while a hand-off is delayed. */
  function pipe(from: Socket, to: Socket): void {
    async function pass(chunk: Buffer, earlier: Promise<void>): Promise<void> {
      const isHandOff = handOff.test(chunk.toString('latin1'))
      const intercepted = isHandOff ? onHandOff : undefined
      await earlier
      const passage = (await intercepted?.()) ?? 'pass'
      if (passage === 'pass' && isHandOff) handedOff++
      if (passage === 'pass') to.write(chunk)
      if (passage === 'cut') for (const socket of [from, to]) socket.destroy()
    }
    let previous: Promise<void> = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      previous = pass(chunk, previous)
    })
  }

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        for (const either of [client, upstream]) either.destroy()
      })
    }
    pipe(client, upstream)
    pipe(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    handedOff: () => handedOff,
    url: `nats://127.0.0.1:${address.port}`,
    intercept(replacement) {
      onHandOff = replacement
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
