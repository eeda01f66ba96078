/** Opens a socket only to a vetted address, and measures each phase. */
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Timings } from '../../model/delivery/outcome.ts'
import type { Resolve } from './resolve.ts'

export type Phases = Pick<Timings, 'dnsMs' | 'connectMs' | 'tlsMs'>

interface Target {
  host: string
  port: number
  isSecure: boolean
}

export interface OpenedSocket {
  socket: Socket
  phases: Phases
  /** Until when the certificate is valid, in Unix milliseconds. Undefined without TLS. */
  certificateUntil?: number | undefined
}

export class ConnectTimeout extends Error {}

/** The TCP connection succeeded and TLS failed. `cause` has the reason: certificate, alert or closed connection. */
export class HandshakeFailed extends Error {}

const connectTimeoutMs = 3_000

export async function openSocket(
  resolve: Resolve,
  target: Target,
  /** Whether the attempt is finished, so no socket may be opened for it. */
  isFinished: () => boolean,
): Promise<OpenedSocket> {
  const startedAt = performance.now()
  const addresses = await resolve(target.host)
  const resolvedAt = performance.now()
  if (isFinished()) throw new ConnectTimeout()
  const tcp = await firstThatConnects(addresses, target.port, resolvedAt + connectTimeoutMs)
  const connectedAt = performance.now()
  if (isFinished()) {
    tcp.destroy()
    throw new ConnectTimeout()
  }
  const phases: Phases = { dnsMs: resolvedAt - startedAt, connectMs: connectedAt - resolvedAt }
  if (!target.isSecure) return { socket: tcp, phases }

  const socket = await secure(tcp, target.host, connectedAt + connectTimeoutMs)
  return {
    socket,
    phases: { ...phases, tlsMs: performance.now() - connectedAt },
    certificateUntil: socket.getPeerX509Certificate()?.validToDate.getTime(),
  }
}

/** Tries the addresses one after the other, within one time limit. */
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

/** The certificate must be valid for the requested host name, not the address. */
function secure(tcp: Socket, host: string, endsAt: number): Promise<TLSSocket> {
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

function settled<Opened extends Socket>(
  socket: Opened,
  event: 'connect' | 'secureConnect',
  endsAt: number,
): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new ConnectTimeout()), Math.max(0, endsAt - performance.now()))
    const fail = (error: Error): void => {
      clearTimeout(timer)
      // A later error of an abandoned socket has no other handler and would end the process.
      socket.on('error', () => {})
      socket.destroy()
      reject(error)
    }
    socket.once('error', fail)
    socket.once(event, () => {
      // A stalled process may receive this event before its timers fire, so the clock decides.
      if (performance.now() > endsAt) return fail(new ConnectTimeout())
      clearTimeout(timer)
      socket.off('error', fail)
      return resolve(socket)
    })
  })
}
