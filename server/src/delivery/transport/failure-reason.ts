/**
 * Maps a thrown error to an attempt reason. Only known service errors are service faults: they use up no attempt, so
 * a receiver that could cause one would be called without limit. Any other error between the first packet and the
 * last is the receiver's, `protocol_error` if there is no better reason.
 */
import { errors } from 'undici'
import type { AttemptReason } from '../../model/delivery/outcome.ts'
import { ConnectTimeout, HandshakeFailed } from './connect.ts'
import { DeadlinePassed, InvalidResponse } from './exchange.ts'
import { ResolveError } from './resolve.ts'

/** Without these resources no worker can send anything: an outage, whichever delivery it affects. */
const noResources = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'ENETDOWN', 'ERR_MEMORY_ALLOCATION_FAILED']

/** Wrong use of the client, or the client was closed during a request. */
const internal = [
  'UND_ERR_INVALID_ARG',
  'UND_ERR_INVALID_RETURN_VALUE',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
  'ERR_INVALID_ARG_TYPE',
  'ERR_INVALID_ARG_VALUE',
  'ERR_INVALID_URL',
]

const reasonOfCode = new Map<string, AttemptReason>([
  ...noResources.map((code) => [code, 'no_resources'] as const),
  ...internal.map((code) => [code, 'internal'] as const),
  ['ECONNREFUSED', 'connection_refused'],
  ['ECONNRESET', 'connection_reset'],
  ['ECONNABORTED', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'connection_reset'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
  ['ETIMEDOUT', 'connect_timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['EHOSTUNREACH', 'unreachable'],
  ['EHOSTDOWN', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['EAFNOSUPPORT', 'unreachable'],
  ['EACCES', 'unreachable'],
  ['EPERM', 'unreachable'],
  ['EINVAL', 'unreachable'],
  ['EPROTO', 'tls'],
  ['UND_ERR_HEADERS_OVERFLOW', 'invalid_response'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'invalid_response'],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'invalid_response'],
])

export function failureReason(thrown: unknown): AttemptReason {
  if (thrown instanceof ResolveError) return thrown.reason
  if (thrown instanceof ConnectTimeout) return 'connect_timeout'
  if (thrown instanceof DeadlinePassed) return 'timeout'
  if (thrown instanceof InvalidResponse) return 'invalid_response'
  const isHandshake = thrown instanceof HandshakeFailed
  const code = errorCode(thrown)
  const reason = reasonOfCode.get(code)
  if (reason !== undefined) return reason
  // Certificates are rejected with OpenSSL codes, many of which Node reports as UNSPECIFIED.
  if (isHandshake || /^ERR_(TLS|SSL|OSSL)/.test(code)) return 'tls'
  if (thrown instanceof errors.HTTPParserError || code.startsWith('HPE_')) return 'invalid_response'
  if (thrown instanceof errors.SocketError)
    // Other socket errors are unexpected responses: 100 Continue, an upgrade, a response before the request.
    return /^(other side )?closed$/.test(thrown.message) ? 'connection_reset' : 'invalid_response'
  return 'protocol_error'
}

/** Returns a code of Node, undici or the operating system, never text of the receiver. Empty if there is none. */
export function errorCode(thrown: unknown): string {
  const error = thrown instanceof HandshakeFailed ? thrown.cause : thrown
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[\w/ ]{1,80}$/.test(code) ? code : ''
}
