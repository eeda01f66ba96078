/**
 * The connection to NATS. It may be absent at start, cut, or gone for good: nobody waits for it, since nothing is only
 * there. Whoever uses it asks for the live connection each time and does without while there is none.
 */
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node'

export interface Nats {
  /** Undefined: there is no connection now. What is given to a connection that is down would pile up in memory. */
  live: () => NatsConnection | undefined
  /** The connection, once there is one. It heals by itself, and so do its subscriptions. */
  first: Promise<NatsConnection>
  close: () => Promise<void>
}

/** Said when it changes, for the log. */
export type NatsState = 'connected' | 'gone' | 'unusable'

/** A cut line is noticed after two of these, well within the time after which the inbox takes over. */
const pingMs = 700

export function openNats(url: URL, onState: (state: NatsState, error?: unknown) => void): Nats {
  const { promise: first, resolve: resolveFirst } = Promise.withResolvers<NatsConnection>()
  let connection: NatsConnection | undefined
  let isUp = false
  let isClosed = false

  async function follow(): Promise<void> {
    try {
      connection = await connect(optionsOf(url))
    } catch (error) {
      if (!isClosed) onState('unusable', error)
      return
    }
    if (isClosed) return connection.close()
    isUp = true
    resolveFirst(connection)
    onState('connected')
    for await (const { type } of connection.status()) {
      if (type !== 'disconnect' && type !== 'reconnect') continue
      isUp = type === 'reconnect'
      if (!isClosed) onState(isUp ? 'connected' : 'gone')
    }
  }

  void follow()
  return {
    first,
    live: () => (isUp ? connection : undefined),
    async close() {
      isClosed = true
      isUp = false
      await connection?.close()
    },
  }
}

function optionsOf(url: URL): ConnectionOptions {
  const user = decodeURIComponent(url.username)
  const pass = decodeURIComponent(url.password)
  return {
    servers: url.host,
    name: 'hookline',
    ...(pass === '' ? user !== '' && { token: user } : { user, pass }),
    ...(url.protocol === 'tls:' && { tls: {} }),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    pingInterval: pingMs,
    maxPingOut: 2,
    timeout: 2_000,
    noAsyncTraces: true,
  }
}
