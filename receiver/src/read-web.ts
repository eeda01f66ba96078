import { alreadyParsed, connectionLost, type ReceiveFailure, tooLarge } from './receive-failure.ts'
import { queryOf, type SignedRequest } from './request.ts'

/** A request of the web, of any implementation. */
export interface WebRequest {
  method: string
  url: string
  headers: { forEach: (visit: (value: string, name: string) => void) => void }
  /** A stream, which older types do not call iterable. */
  body: object | null
  bodyUsed: boolean
}

export async function readWeb(
  request: WebRequest,
  maxBytes: number,
): Promise<SignedRequest | ReceiveFailure> {
  const { method, url, body, bodyUsed } = request
  if (bodyUsed)
    return alreadyParsed(
      'another reader of the request',
      'Call receive() first, or read a clone() of the request.',
    )
  const headers: Record<string, string> = {}
  request.headers.forEach((value, name) => (headers[name] = value))
  const read = await readBytes((body ?? []) as AsyncIterable<Uint8Array>, maxBytes)
  return read instanceof Uint8Array ? { method, query: queryOf(url), headers, body: read } : read
}

const startBytes = 16 * 1024

/** Stops at the limit, so that a request never takes more memory. */
export async function readBytes(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | ReceiveFailure> {
  // One buffer: a chunk can be as small as a byte, and an object for each would take a hundred times more.
  let bytes = Buffer.alloc(Math.min(maxBytes, startBytes))
  let size = 0
  try {
    for await (const chunk of stream) {
      const needed = size + chunk.length
      if (needed > maxBytes) return tooLarge(maxBytes)
      if (needed > bytes.length)
        bytes = Buffer.concat([bytes], Math.min(maxBytes, Math.max(needed, 2 * bytes.length)))
      bytes.set(chunk, size)
      size = needed
    }
  } catch {
    return connectionLost()
  }
  return bytes.subarray(0, size)
}
