/**
 * The stream that carries fresh events from API processes to workers, and its encoding. A memory stream suffices and
 * each message is delivered once: whatever happens to it, the event is in the inbox until it is routed.
 */
import { AckPolicy, DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import type { Event } from '../model/event.ts'

/** Events are grouped, up to this many per message: each message has a fixed cost. */
export const maxEventsPerMessage = 8
const maxCharactersPerMessage = 64 * 1024

/** After this time the inbox source has the event, and its message is obsolete. */
const maxAgeMs = 10_000
/** Reserved by the server when the stream is created; some seconds of a busy gateway. */
const maxBytes = 64 * 1024 * 1024
const maxUnacknowledged = 50_000

export const consumerName = 'workers'

/** Returns the stream names of an installation. Several installations can share a server. */
export function streamNames(installation: string): { stream: string; subject: string } {
  return { stream: `hookline-${installation}`, subject: `hookline.${installation}.fresh` }
}

/** Creates stream and consumer if missing: a restarted server has lost both. */
export async function ensureStream(connection: NatsConnection, installation: string): Promise<void> {
  const { stream, subject } = streamNames(installation)
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 2_000 })
  const config = {
    name: stream,
    subjects: [subject],
    storage: StorageType.Memory,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.Old,
    max_age: nanos(maxAgeMs),
    max_bytes: maxBytes,
    duplicate_window: nanos(maxAgeMs),
  }
  // A stream of another version of the service is updated to this configuration.
  await manager.streams.add(config).catch(() => manager.streams.update(stream, config))
  await manager.consumers.add(stream, {
    durable_name: consumerName,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(maxAgeMs),
    max_deliver: 1,
    max_ack_pending: maxUnacknowledged,
  })
}

/** Encodes events into messages within the size limits. */
export function* encodeEvents(events: readonly Event[]): Generator<string> {
  let message: string[] = []
  let characters = 0
  for (const { id, accountId, type, testHookId, acceptedAt, data } of events) {
    if (
      message.length >= maxEventsPerMessage ||
      (characters > 0 && characters + data.length > maxCharactersPerMessage)
    ) {
      yield message.join('\n')
      message = []
      characters = 0
    }
    // Data is compact JSON, so it has no line feed.
    const kind = testHookId == null ? type : `${type}:${testHookId}`
    message.push(`${id} ${accountId} ${kind} ${acceptedAt.getTime()} ${data}`)
    characters += data.length
  }
  if (message.length > 0) yield message.join('\n')
}

export function decodeEvents(message: string): Event[] {
  return message.split('\n').map((line) => {
    const [id = '', accountId = '', kind = '', acceptedAt = ''] = line.split(' ', 4)
    const [type = '', testHookId] = kind.split(':')
    return {
      id,
      accountId: Number(accountId),
      // Written by encodeEvents, from an event.
      type,
      ...(testHookId !== undefined && { testHookId: Number(testHookId) }),
      acceptedAt: new Date(Number(acceptedAt)),
      data: line.slice(id.length + accountId.length + kind.length + acceptedAt.length + 4),
    }
  })
}
