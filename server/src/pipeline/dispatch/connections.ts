/**
 * Keep-alive connections to receivers, bounded in number. One undici client is one connection, so that it is known
 * whether a request went over a new one (and how long opening it took) or a used one.
 */
import { type buildConnector, Client } from 'undici'
import { openSocket, type Phases } from './connect.ts'
import type { Resolve } from './resolve.ts'

interface Connection {
  client: Client
  /** Set when this request opened the socket; undefined on a reused one. */
  opened: Phases | undefined
  failure: unknown
  /** What has come in over its socket since it was opened. */
  bytesRead: () => number
  /** When the request it was taken for must be over, on the monotonic clock: nothing is sent after that. */
  endsAt: number
}

export interface Connections {
  /** One that is open and idle, or a new one. */
  take: (origin: string, endsAt: number) => Connection
  open: (origin: string, endsAt: number) => Connection
  /** Gives a connection back; a broken or unfinished one is closed. */
  giveBack: (origin: string, connection: Connection, isReusable: boolean) => void
  close: () => Promise<void>
}

const mostIdle = 512
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
      failure: undefined,
      bytesRead: () => 0,
      endsAt,
    }

    async function open(callback: buildConnector.Callback): Promise<void> {
      try {
        const isOver = (): boolean => client.destroyed || performance.now() > connection.endsAt
        const { socket, phases } = await openSocket(resolve, target, isOver)
        connection.opened = phases
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

  /** A map keeps the order in which origins were added. */
  function closeLongestIdle(): void {
    const [first] = idle
    if (first === undefined) return
    const [origin, waiting] = first
    const connection = waiting.shift()
    if (waiting.length === 0) idle.delete(origin)
    if (connection === undefined) return
    idleCount--
    close(connection)
  }

  function keep(origin: string, connection: Connection): void {
    if (isClosed) return close(connection)
    if (idleCount >= mostIdle) closeLongestIdle()
    const waiting = idle.get(origin)
    if (waiting === undefined) idle.set(origin, [connection])
    else waiting.push(connection)
    idleCount++
  }

  return {
    open: create,
    take(origin, endsAt) {
      const waiting = idle.get(origin)
      const connection = waiting?.pop()
      if (connection === undefined) return create(origin, endsAt)
      if (waiting?.length === 0) idle.delete(origin)
      idleCount--
      connection.opened = undefined
      connection.failure = undefined
      connection.endsAt = endsAt
      return connection
    },
    giveBack(origin, connection, isReusable) {
      if (!isReusable || connection.client.destroyed) close(connection)
      else keep(origin, connection)
    },
    async close() {
      isClosed = true
      const all = [...idle.values()].flat()
      idle.clear()
      await Promise.all(all.map((connection) => connection.client.destroy()))
    },
  }
}
