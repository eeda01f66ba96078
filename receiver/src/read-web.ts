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

/** Stops at the limit, so that a request never takes more memory. */
export async function readBytes(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | ReceiveFailure> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      size += chunk.length
      if (size > maxBytes) return tooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch {
    return connectionLost()
  }
  return Buffer.concat(chunks)
}
