/**
 * The connection to NATS. It may be missing at start, interrupted or permanently lost. Nothing waits for it, since
 * nothing exists only there. Callers request the live connection each time and work without it if there is none.
 */
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node'

export interface Nats {
  /** Returns undefined while disconnected: messages published to a broken connection would pile up in memory. */
  live: () => NatsConnection | undefined
  /** Resolves with the connection once established. It and its subscriptions reconnect automatically. */
  first: Promise<NatsConnection>
  close: () => Promise<void>
}

/** Connection state, reported on change for the log. */
export type NatsState = 'connected' | 'gone' | 'unusable'

/** A broken connection is detected after two of these, well before the inbox takes over. */
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
