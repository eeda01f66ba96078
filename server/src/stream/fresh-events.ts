/**
 * The stream that carries fresh events from api processes to workers, and how they are written in it. A memory stream is
 * enough and each message is handed out once: whatever becomes of it, the event is in the inbox until it is routed.
 */
import { AckPolicy, DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import type { DeliverableType, Event } from '../model/event.ts'

/** Events travel together in messages of at most this many: each message costs, however small it is. */
export const mostEventsAMessage = 8
const mostCharactersAMessage = 64 * 1024

/** After this time the inbox has taken it; what is still in the stream then is in the way. */
const keptMs = 10_000
/** Reserved by the server as soon as the stream is made; some seconds of a busy gateway. */
const mostBytes = 64 * 1024 * 1024
const mostUnacknowledged = 50_000

export const consumerName = 'workers'

/** Names of one installation's own, so that several can share a server. */
export function streamNames(installation: string): { stream: string; subject: string } {
  return { stream: `hookline-${installation}`, subject: `hookline.${installation}.fresh` }
}

/** Makes stream and consumer where they are missing: a restarted server has forgotten both. */
export async function ensureStream(connection: NatsConnection, installation: string): Promise<void> {
  const { stream, subject } = streamNames(installation)
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 2_000 })
  const config = {
    name: stream,
    subjects: [subject],
    storage: StorageType.Memory,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.Old,
    max_age: nanos(keptMs),
    max_bytes: mostBytes,
    duplicate_window: nanos(keptMs),
  }
  // One that another version of the service has made is changed to what this one wants.
  await manager.streams.add(config).catch(() => manager.streams.update(stream, config))
  await manager.consumers.add(stream, {
    durable_name: consumerName,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(keptMs),
    max_deliver: 1,
    max_ack_pending: mostUnacknowledged,
  })
}

/** Messages of so many events that none is too large. */
export function* encodeEvents(events: readonly Event[]): Generator<string> {
  let message: string[] = []
  let characters = 0
  for (const { id, accountId, type, testHookId, acceptedAt, data } of events) {
    if (
      message.length >= mostEventsAMessage ||
      (characters > 0 && characters + data.length > mostCharactersAMessage)
    ) {
      yield message.join('\n')
      message = []
      characters = 0
    }
    // Data is JSON without white space between its parts: it has no line feed.
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
      type: type as DeliverableType,
      ...(testHookId !== undefined && { testHookId: Number(testHookId) }),
      acceptedAt: new Date(Number(acceptedAt)),
      data: line.slice(id.length + accountId.length + kind.length + acceptedAt.length + 4),
    }
  })
}
