/**
 * Keep-alive connections to receivers, limited in number. One undici client is one connection. So each request knows
 * whether its connection is new, and how long opening it took, or reused.
 */
import { type buildConnector, Client } from 'undici'
import { openSocket, type Phases } from './connect.ts'
import type { Resolve } from './resolve.ts'

interface Connection {
  client: Client
  /** Set if this request opened the socket; undefined on a reused one. */
  opened: Phases | undefined
  /** Of the receiver, if this request opened the socket with TLS. */
  certificateUntil: number | undefined
  failure: unknown
  /** Bytes received on the socket since it was opened. */
  bytesRead: () => number
  /** Deadline of the current request, on the monotonic clock. Nothing is sent after it. */
  endsAt: number
}

export interface Connections {
  /** Returns an idle connection, or a new one. */
  acquire: (origin: string, endsAt: number) => Connection
  open: (origin: string, endsAt: number) => Connection
  /** Releases a connection. A broken or unfinished one is closed. */
  release: (origin: string, connection: Connection, isReusable: boolean) => void
  close: () => Promise<void>
}

const maxIdle = 512
const idleMs = 20_000

export function createConnections(resolve: Resolve): Connections {
  const idle = new Map<string, Connection[]>()
  let idleCount = 0
  let isClosed = false

  function create(origin: string, endsAt: number): Connection {
    const url = new URL(origin)
    const isSecure = url.protocol === 'https:'
    const target = {
      host: url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''),
      port: Number(url.port || (isSecure ? 443 : 80)),
      isSecure,
    }
    const client = new Client(origin, {
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 32 * 1024,
      connect: (_options, callback) => void open(callback),
    })
    const connection: Connection = {
      client,
      opened: undefined,
      certificateUntil: undefined,
      failure: undefined,
      bytesRead: () => 0,
      endsAt,
    }

    async function open(callback: buildConnector.Callback): Promise<void> {
      try {
        const isFinished = (): boolean => client.destroyed || performance.now() > connection.endsAt
        const { socket, phases, certificateUntil } = await openSocket(resolve, target, isFinished)
        connection.opened = phases
        connection.certificateUntil = certificateUntil
        connection.bytesRead = () => socket.bytesRead
        callback(null, socket)
      } catch (error) {
        connection.failure = error
        callback(error instanceof Error ? error : new Error('no socket'), null)
      }
    }

    return connection
  }

  function close(connection: Connection): void {
    connection.client.destroy().catch(() => {})
  }

  /** Relies on the insertion order of the map. */
  function closeLongestIdle(): void {
    const [first] = idle
    if (first === undefined) return
    const [origin, idleOfOrigin] = first
    const connection = idleOfOrigin.shift()
    if (idleOfOrigin.length === 0) idle.delete(origin)
    if (connection === undefined) return
    idleCount--
    close(connection)
  }

  function addIdle(origin: string, connection: Connection): void {
    if (isClosed) return close(connection)
    if (idleCount >= maxIdle) closeLongestIdle()
    const idleOfOrigin = idle.get(origin)
    if (idleOfOrigin === undefined) idle.set(origin, [connection])
    else idleOfOrigin.push(connection)
    idleCount++
  }

  return {
    open: create,
    acquire(origin, endsAt) {
      const idleOfOrigin = idle.get(origin)
      const connection = idleOfOrigin?.pop()
      if (connection === undefined) return create(origin, endsAt)
      if (idleOfOrigin?.length === 0) idle.delete(origin)
      idleCount--
      connection.opened = undefined
      connection.certificateUntil = undefined
      connection.failure = undefined
      connection.endsAt = endsAt
      return connection
    },
    release(origin, connection, isReusable) {
      if (!isReusable || connection.client.destroyed) close(connection)
      else addIdle(origin, connection)
    },
    async close() {
      isClosed = true
      const all = [...idle.values()].flat()
      idle.clear()
      await Promise.all(all.map((connection) => connection.client.destroy()))
    },
  }
}
