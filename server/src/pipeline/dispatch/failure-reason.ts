/**
 * Why an exchange with a receiver failed, by what was thrown. Only errors that are known to be ours are ours: they use up
 * no attempt, so a receiver that could cause one would be called again without end. Everything else that is thrown
 * between the first packet and the last is the receiver's, `protocol_error` if there is no better name for it.
 */
import { errors } from 'undici'
import type { Reason } from '../../model/outcome.ts'
import { ConnectTimeout, HandshakeFailed } from './connect.ts'
import { DeadlinePassed, InvalidAnswer } from './exchange.ts'
import { Unresolved } from './resolve.ts'

/** Without these no worker can send anything: an outage, whichever delivery meets it. */
const noResources = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'ENETDOWN', 'ERR_MEMORY_ALLOCATION_FAILED']

/** We used the client wrongly, or closed it under a request. */
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

const reasonOfCode = new Map<string, Reason>([
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
  ['UND_ERR_HEADERS_OVERFLOW', 'invalid_answer'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'invalid_answer'],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'invalid_answer'],
])

export function failureReason(thrown: unknown): Reason {
  if (thrown instanceof Unresolved) return thrown.reason
  if (thrown instanceof ConnectTimeout) return 'connect_timeout'
  if (thrown instanceof DeadlinePassed) return 'timeout'
  if (thrown instanceof InvalidAnswer) return 'invalid_answer'
  const isHandshake = thrown instanceof HandshakeFailed
  const code = errorCode(thrown)
  const known = reasonOfCode.get(code)
  if (known !== undefined) return known
  // A certificate is rejected with one of OpenSSL's codes, many of which Node calls UNSPECIFIED.
  if (isHandshake || /^ERR_(TLS|SSL|OSSL)/.test(code)) return 'tls'
  if (thrown instanceof errors.HTTPParserError || code.startsWith('HPE_')) return 'invalid_answer'
  if (thrown instanceof errors.SocketError)
    // The others are answers that nobody asked for: 100 Continue, an upgrade, one before the request.
    return /^(other side )?closed$/.test(thrown.message) ? 'connection_reset' : 'invalid_answer'
  return 'protocol_error'
}

/** Of Node, undici or the operating system, never text of the receiver. Empty: it has none. */
export function errorCode(thrown: unknown): string {
  const error = thrown instanceof HandshakeFailed ? thrown.cause : thrown
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[\w/ ]{1,80}$/.test(code) ? code : ''
}
