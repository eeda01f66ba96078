/**
 * Keep-alive connections to receivers, bounded in number. One undici client is one connection, so that it is known
 * whether a request went over a new one (and how long opening it took) or a used one.
 */
import { setImmediate } from 'node:timers/promises'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { openSocket, type Phases } from './connect.ts'
import type { Resolve } from './resolve.ts'

export interface Connection {
  client: Client
  /** Set when this request opened the socket; undefined on a reused one. */
  opened: Phases | undefined
  failure: unknown
  /** When the request it was taken for must be over, on the monotonic clock: nothing is sent after that. */
  endsAt: number
}

export interface Connections {
  /** One that is open and idle, or a new one. */
  take: (origin: string, endsAt: number) => Connection
  open: (origin: string, endsAt: number) => Connection
  /** Gives a connection back; a broken or unfinished one is closed. */
  giveBack: (origin: string, connection: Connection, isReusable: boolean) => Promise<void>
  close: () => Promise<void>
}

/**
 * The client may keep a request for some milliseconds before it writes it, to see whether a used socket is still good. A
 * process that is stopped in that time would write it when it goes on, long after its lease is lost. So the clock is
 * asked once more at the last moment before a byte leaves.
 */
class FencedClient extends Client {
  readonly #isOver: () => boolean

  constructor(origin: string, isOver: () => boolean, options: Client.Options) {
    super(origin, options)
    this.#isOver = isOver
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(options, this.#fence(handler))
  }

  /** The handler as it is, but for the two names of the call that comes before the first byte. */
  #fence(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
    const isOver = this.#isOver
    return new Proxy(handler, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        if (name !== 'onConnect' && name !== 'onRequestStart') return member.bind(target)
        return (stop: Abort | { abort: Abort }, ...rest: unknown[]): unknown => {
          const answer: unknown = member.call(target, stop, ...rest)
          const abort: Abort = typeof stop === 'function' ? stop : (reason) => stop.abort(reason)
          if (isOver()) abort(new Error('the request came too late to be sent'))
          return answer
        }
      },
    })
  }
}

type Abort = (reason: Error) => void

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
    const client = new FencedClient(origin, () => performance.now() > connection.endsAt, {
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 32 * 1024,
      connect: (_options, callback) => void open(callback),
    })
    const connection: Connection = { client, opened: undefined, failure: undefined, endsAt }

    async function open(callback: buildConnector.Callback): Promise<void> {
      try {
        const isOver = (): boolean => client.destroyed || performance.now() > connection.endsAt
        const { socket, phases } = await openSocket(resolve, target, isOver)
        connection.opened = phases
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
    idle.set(origin, [...(idle.get(origin) ?? []), connection])
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
    async giveBack(origin, connection, isReusable) {
      if (!isReusable || connection.client.destroyed) {
        close(connection)
        return
      }
      // The client itself waits a turn of the event loop before it uses a socket again. Taken earlier, it would hold the
      // request until then, and a process that is stopped in between would send it when its lease is long lost.
      await setImmediate()
      keep(origin, connection)
    },
    async close() {
      isClosed = true
      const all = [...idle.values()].flat()
      idle.clear()
      await Promise.all(all.map((connection) => connection.client.destroy()))
    },
  }
}
