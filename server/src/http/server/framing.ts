/** Rejects requests that the Node.js parser accepts but that a proxy could interpret differently. */
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../model/errors.ts'

/** Closes the connection, because the end of the request is ambiguous. */
const closing = { headers: { connection: 'close' } }

export function validateFraming(request: IncomingMessage): void {
  const lines = (name: string): string[] => request.headersDistinct[name] ?? []

  const hosts = lines('host')
  if (hosts.length > 1 || (hosts.length === 0 && request.httpVersion !== '1.0'))
    throw new ApiError('malformedRequest', 'The request must have exactly one Host header.', closing)
  if (lines('transfer-encoding').some((coding) => coding.trim().toLowerCase() !== 'chunked'))
    throw new ApiError('malformedRequest', 'The only supported transfer coding is chunked.', closing)
  if (lines('content-encoding').some((coding) => coding.trim().toLowerCase() !== 'identity'))
    throw new ApiError('unsupportedMediaType', 'Send the body without compression.')
  if (new Set(lines('content-type')).size > 1)
    throw new ApiError('unsupportedMediaType', 'Two different Content-Type headers were sent.')
}
