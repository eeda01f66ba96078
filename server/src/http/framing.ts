/** What Node's parser lets through, but what a proxy in front of us might read otherwise than we do. */
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../model/errors.ts'

/** Where the request ends is in doubt, so nothing after it is read. */
const closing = { headers: { connection: 'close' } }

export function judgeFraming(request: IncomingMessage): void {
  const lines = (name: string): string[] => request.headersDistinct[name] ?? []

  const hosts = lines('host')
  if (hosts.length > 1 || (hosts.length === 0 && request.httpVersion !== '1.0'))
    throw new Refusal('unreadableRequest', 'A request has exactly one Host header.', closing)
  if (lines('transfer-encoding').some((coding) => coding.trim().toLowerCase() !== 'chunked'))
    throw new Refusal('unreadableRequest', 'The only transfer coding that is understood is chunked.', closing)
  if (lines('content-encoding').some((coding) => coding.trim().toLowerCase() !== 'identity'))
    throw new Refusal('unsupportedMediaType', 'Send the body without compression.')
  if (new Set(lines('content-type')).size > 1)
    throw new Refusal('unsupportedMediaType', 'Two different Content-Type headers were sent.')
}
