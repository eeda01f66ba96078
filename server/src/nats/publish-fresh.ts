/**
 * Publishes accepted events to any free worker, without waiting. An event that cannot be published is not lost and
 * needs no retry: the inbox source reads it two seconds later.
 */
import { createInbox, type Msg } from '@nats-io/transport-node'
import type { Event } from '../model/event.ts'
import { encodeEvents, streamNames } from './fresh-events.ts'
import { monitorStream } from './stream-monitor.ts'
import type { Nats } from './nats.ts'

export interface FreshPublisher {
  publish: (events: readonly Event[]) => void
}

/** Limits unacknowledged messages: a server that does not respond must not fill this process. */
const maxUnacknowledged = 5_000

/** Of the traces of one message. An event in a message without room for them loses only its trace. */
const maxHeaderBytes = 1_024

/** Acknowledgments later than this never come: the stream has no leader or does not exist. */
const acknowledgeTimeoutMs = 5_000

export function createFreshPublisher(
  nats: Nats,
  installation: string,
  onError: (error: unknown) => void,
): FreshPublisher {
  const { subject } = streamNames(installation)
  const monitor = monitorStream(nats, installation, onError)
  // One inbox for all acknowledgments: a subscription per message would cost many times as much.
  const replyTo = createInbox()
  let unacknowledged = 0
  let acknowledgedAt = performance.now()

  async function subscribe(): Promise<void> {
    const connection = await nats.first
    connection.subscribe(replyTo, { callback: (_error, response) => onReply(response) })
    await monitor.ensure()
    // Acknowledgments of messages sent before a disconnect never come.
    for await (const { type } of connection.status()) if (type === 'reconnect') unacknowledged = 0
  }

  function onReply(response: Msg): void {
    unacknowledged = Math.max(0, unacknowledged - 1)
    acknowledgedAt = performance.now()
    // No responders, or an error: the stream does not exist.
    if (response.headers !== undefined || response.string().startsWith('{"error"')) renew()
  }

  function renew(): void {
    monitor.invalidate()
    void monitor.ensure()
  }

  /** Whether another message may be in flight. */
  function isBelowLimit(): boolean {
    if (unacknowledged === 0) acknowledgedAt = performance.now()
    if (performance.now() - acknowledgedAt > acknowledgeTimeoutMs) {
      unacknowledged = 0
      acknowledgedAt = performance.now()
      renew()
    }
    return unacknowledged < maxUnacknowledged
  }

  void subscribe()
  return {
    publish(events) {
      const connection = nats.live()
      if (connection === undefined || events.length === 0) return
      const maxBytes = connection.info?.max_payload ?? 0
      for (const { body, headers } of encodeEvents(events)) {
        if (!isBelowLimit()) return
        const message = Buffer.from(body)
        if (message.length > maxBytes) continue
        const hasRoom = message.length + maxHeaderBytes <= maxBytes
        connection.publish(subject, message, { reply: replyTo, ...(headers && hasRoom && { headers }) })
        unacknowledged++
      }
    },
  }
}
