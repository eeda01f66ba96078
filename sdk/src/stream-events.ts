/** Reads the live tail of an account: server-sent events of one connection. */
import type { Client } from './client.ts'
import { ApiError } from './errors.ts'

export interface StreamMessage {
  /** A cursor: `from` of the next connection. Messages about routes have none. */
  id: string | undefined
  event: string
  data: Record<string, unknown>
}

interface StreamOptions {
  /** `now`, a time, or a cursor. */
  from: string
  /** Only events of this type. */
  type?: string | undefined
  signal?: AbortSignal | undefined
}

/** Far more than the message of the largest event. */
const maxMessageLength = 8 * 1024 * 1024

/** Ends with an error when the connection is lost. Heartbeats are not returned. */
export async function* streamEvents(
  client: Client,
  { from, type, signal }: StreamOptions,
): AsyncGenerator<StreamMessage, void, undefined> {
  const response = await client.open('/api/events/stream', {
    query: { from, type },
    ...(signal && { signal }),
  })
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body ?? []) {
      // The separator can begin with the last character before this chunk.
      let searched = Math.max(0, text.length - 1)
      text += decoder.decode(chunk, { stream: true })
      for (let end = text.indexOf('\n\n', searched); end >= 0; end = text.indexOf('\n\n', searched)) {
        const message = readMessage(text.slice(0, end))
        text = text.slice(end + 2)
        searched = 0
        if (message !== undefined) yield message
      }
      if (text.length > maxMessageLength)
        throw new ApiError('The service sent a message that is too large.', { status: 0 })
    }
  } catch (error) {
    if (signal?.aborted) return
    throw error instanceof TypeError ? new ApiError('The connection was lost.', { status: 0 }) : error
  }
  throw new ApiError('The service ended the stream.', { status: 0 })
}

function readMessage(block: string): StreamMessage | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart())
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  return {
    id: fields.get('id'),
    event: fields.get('event') ?? 'message',
    data: JSON.parse(data) as Record<string, unknown>,
  }
}
