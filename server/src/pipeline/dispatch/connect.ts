/** Opens a socket to a vetted address and to nothing else, and says how long each phase took. */
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Timings } from '../../model/outcome.ts'
import type { Resolve } from './resolve.ts'

export type Phases = Pick<Timings, 'dnsMs' | 'connectMs' | 'tlsMs'>

interface Target {
  host: string
  port: number
  isSecure: boolean
}

export class ConnectTimeout extends Error {}

/** The connection was made and TLS was not. `cause` says why: the certificate, an alert, a cut. */
export class HandshakeFailed extends Error {}

const connectTimeoutMs = 3_000

export async function openSocket(
  resolve: Resolve,
  target: Target,
  /** The attempt is over, so no socket must be opened for it any more. */
  isOver: () => boolean,
): Promise<{ socket: Socket; phases: Phases }> {
  const startedAt = performance.now()
  const addresses = await resolve(target.host)
  const resolvedAt = performance.now()
  if (isOver()) throw new ConnectTimeout()
  const tcp = await firstThatConnects(addresses, target.port, resolvedAt + connectTimeoutMs)
  const connectedAt = performance.now()
  if (isOver()) {
    tcp.destroy()
    throw new ConnectTimeout()
  }
  const phases: Phases = { dnsMs: resolvedAt - startedAt, connectMs: connectedAt - resolvedAt }
  if (!target.isSecure) return { socket: tcp, phases }

  const socket = await secure(tcp, target.host, connectedAt + connectTimeoutMs)
  return { socket, phases: { ...phases, tlsMs: performance.now() - connectedAt } }
}

/** One after the other, within one time limit. */
async function firstThatConnects(
  addresses: readonly string[],
  port: number,
  endsAt: number,
): Promise<Socket> {
  let failure: unknown
  for (const address of addresses) {
    try {
      const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true })
      return await settled(socket, 'connect', endsAt)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** The certificate must fit the name that was asked for, not the address. */
function secure(tcp: Socket, host: string, endsAt: number): Promise<Socket> {
  const socket = connectTls({
    socket: tcp,
    host,
    servername: /^[\d.]+$|:/.test(host) ? '' : host,
    ALPNProtocols: ['http/1.1'],
  })
  return settled(socket, 'secureConnect', endsAt).catch((error: unknown) => {
    throw error instanceof ConnectTimeout
      ? error
      : new HandshakeFailed('TLS handshake failed', { cause: error })
  })
}

function settled(socket: Socket, event: 'connect' | 'secureConnect', endsAt: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new ConnectTimeout()), Math.max(0, endsAt - performance.now()))
    const fail = (error: Error): void => {
      clearTimeout(timer)
      // A later error of a socket that was given up has nobody else to go to, and would end the process.
      socket.on('error', () => {})
      socket.destroy()
      reject(error)
    }
    socket.once('error', fail)
    socket.once(event, () => {
      // A process that was held for a while gets this before its timers: the clock decides, not who comes first.
      if (performance.now() > endsAt) return fail(new ConnectTimeout())
      clearTimeout(timer)
      socket.off('error', fail)
      return resolve(socket)
    })
  })
}
