/**
 * The stream that carries fresh events from API processes to workers, and its encoding. A memory stream suffices and
 * each message is delivered once: whatever happens to it, the event is in the inbox until it is routed.
 */
import { AckPolicy, DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { headers, type MsgHdrs, type NatsConnection, nanos } from '@nats-io/transport-node'
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

/** A header with the traceparent of each event, separated by commas. Workers of earlier versions ignore it. */
const tracesHeader = 'Traceparents'

interface FreshMessage {
  body: string
  /** Undefined if no event has a trace. */
  headers: MsgHdrs | undefined
}

/** Encodes events into messages within the size limits. */
export function* encodeEvents(events: readonly Event[]): Generator<FreshMessage> {
  let group: Event[] = []
  let characters = 0
  for (const event of events) {
    const { length } = event.data
    if (
      group.length >= maxEventsPerMessage ||
      (characters > 0 && characters + length > maxCharactersPerMessage)
    ) {
      yield encodeMessage(group)
      group = []
      characters = 0
    }
    group.push(event)
    characters += length
  }
  if (group.length > 0) yield encodeMessage(group)
}

function encodeMessage(events: readonly Event[]): FreshMessage {
  return { body: events.map(encodeEvent).join('\n'), headers: encodeTraces(events) }
}

function encodeEvent({ id, accountId, type, testHookId, acceptedAt, data }: Event): string {
  // Data is compact JSON, so it has no line feed.
  const kind = testHookId == null ? type : `${type}:${testHookId}`
  return `${id} ${accountId} ${kind} ${acceptedAt.getTime()} ${data}`
}

function encodeTraces(events: readonly Event[]): MsgHdrs | undefined {
  if (events.every(({ traceparent }) => traceparent == null)) return undefined
  const encoded = headers()
  encoded.set(tracesHeader, events.map(({ traceparent }) => traceparent ?? '').join(','))
  return encoded
}

export function decodeEvents(body: string, messageHeaders?: MsgHdrs): Event[] {
  const traceparents = messageHeaders?.get(tracesHeader).split(',')
  return body.split('\n').map((line, index) => {
    const traceparent = traceparents?.[index]
    const [id = '', accountId = '', kind = '', acceptedAt = ''] = line.split(' ', 4)
    const [type = '', testHookId] = kind.split(':')
    return {
      id,
      accountId: Number(accountId),
      // Written by encodeEvents, from an event.
      type,
      ...(testHookId !== undefined && { testHookId: Number(testHookId) }),
      acceptedAt: new Date(Number(acceptedAt)),
      ...(traceparent && { traceparent }),
      data: line.slice(id.length + accountId.length + kind.length + acceptedAt.length + 4),
    }
  })
}
