/** The encoding of a hand-off: deliveries that were leased to a worker by one commit. */

export interface HandOff {
  lease: { id: string; seconds: number }
  committedAt: Date
  stopsVersion: string
  events: readonly HandedOffEvent[]
}

export interface HandedOffEvent {
  id: string
  accountId: number
  type: string
  data: string
  traceparent: string | null
  /** The version of the account's hooks that the event was matched against. */
  version: string
  hookIds: readonly number[]
}

const noTrace = '-'

export function encodeHandOff({ lease, committedAt, stopsVersion, events }: HandOff): string {
  const head = `${lease.id} ${lease.seconds} ${committedAt.getTime()} ${stopsVersion}`
  return [head, ...events.map(encodeEvent)].join('\n')
}

/** More bytes than the first line of a message has, and more than an event has without its data and hooks. */
const maxOtherBytes = 512
const bytesPerHook = 11

/** Returns the maximum number of bytes that an event adds to a message. */
export function maxBytesOf(data: string, hooks: number): number {
  return Buffer.byteLength(data) + hooks * bytesPerHook + maxOtherBytes
}

function encodeEvent({ id, accountId, type, data, traceparent, version, hookIds }: HandedOffEvent): string {
  // Data is compact JSON, so it has no line feed.
  return `${id} ${accountId} ${version} ${type} ${hookIds.join(',')} ${traceparent ?? noTrace} ${data}`
}

export function decodeHandOff(message: string): HandOff {
  const [head = '', ...lines] = message.split('\n')
  const [id = '', seconds = '', committedAt = '', stopsVersion = ''] = head.split(' ')
  return {
    lease: { id, seconds: Number(seconds) },
    committedAt: new Date(Number(committedAt)),
    stopsVersion,
    events: lines.map(decodeEvent),
  }
}

const fields = 6

function decodeEvent(line: string): HandedOffEvent {
  const values = line.split(' ', fields)
  const [id = '', accountId = '', version = '', type = '', hookIds = '', traceparent = ''] = values
  return {
    id,
    accountId: Number(accountId),
    type,
    data: line.slice(values.join(' ').length + 1),
    traceparent: traceparent === noTrace ? null : traceparent,
    version,
    hookIds: hookIds.split(',').map(Number),
  }
}
