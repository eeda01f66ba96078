/** Tests that an error is a fault of the service only if listed as such. */
import { AssertionError } from 'node:assert'
import { errors } from 'undici'
import { describe, expect, test } from 'vitest'
import { attemptReasons } from '../../model/delivery/outcome.ts'
import { HandshakeFailed } from './connect.ts'
import { errorCode, failureReason } from './failure-reason.ts'

function errorWithCode(code: string): Error {
  return Object.assign(new Error('text of the receiver'), { code })
}

/** Codes that Node reports for certificates rejected by OpenSSL, and UNSPECIFIED for errors without a name. */
const certificateCodes =
  `UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_CRL UNABLE_TO_DECRYPT_CERT_SIGNATURE CERT_SIGNATURE_FAILURE
   UNABLE_TO_DECRYPT_CRL_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY CRL_SIGNATURE_FAILURE CERT_NOT_YET_VALID
   CERT_HAS_EXPIRED CRL_NOT_YET_VALID CRL_HAS_EXPIRED OUT_OF_MEM
   ERROR_IN_CERT_NOT_BEFORE_FIELD ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CRL_LAST_UPDATE_FIELD ERROR_IN_CRL_NEXT_UPDATE_FIELD
   DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE
   CERT_CHAIN_TOO_LONG CERT_REVOKED INVALID_CA PATH_LENGTH_EXCEEDED
   INVALID_PURPOSE CERT_UNTRUSTED CERT_REJECTED HOSTNAME_MISMATCH
   UNSPECIFIED ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER EPROTO`.split(/\s+/)

test.each(certificateCodes)('%s in a handshake is a TLS failure', (code) => {
  expect(failureReason(new HandshakeFailed('', { cause: errorWithCode(code) }))).toBe('tls')
})

test.each(['ECONNRESET', 'EPIPE'])('%s in a handshake is a connection reset', (code) => {
  expect(failureReason(new HandshakeFailed('', { cause: errorWithCode(code) }))).toBe('connection_reset')
})

describe('an unknown error is a fault of the receiver', () => {
  test.each([
    ['without a code', new Error('x')],
    ['with a code', errorWithCode('ERR_OF_TOMORROW')],
    ['of an assertion in the client', new AssertionError({ message: 'x' })],
    ['of JavaScript itself', new TypeError('x')],
    ['that is not an Error', 'x'],
    ['that is undefined', undefined],
  ])('%s', (_label, thrown) => {
    expect(failureReason(thrown)).toBe('protocol_error')
    expect(attemptReasons.protocol_error.fault).toBe('receiver')
  })
})

/** All errors exported by undici. A new version may add more. */
const undiciErrors = Object.entries(errors).flatMap(([name, type]) => {
  try {
    return [[name, new (type as new () => Error)()] as const]
  } catch {
    return []
  }
})

test('of the undici errors, only incorrect use of the client is a fault of the service', () => {
  const serviceFaults = undiciErrors
    .filter(([, error]) => attemptReasons[failureReason(error)].fault === 'service')
    .map(([name]) => name)
  expect(serviceFaults.toSorted()).toEqual([
    'ClientClosedError',
    'ClientDestroyedError',
    'InvalidArgumentError',
    'InvalidReturnValueError',
    'NotSupportedError',
    'RequestContentLengthMismatchError',
  ])
  expect(undiciErrors.length).toBeGreaterThan(15)
})

test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'ENETDOWN'])('%s is an outage of the service', (code) => {
  expect(failureReason(errorWithCode(code))).toBe('no_resources')
})

test.each([
  ['other side closed', 'connection_reset'],
  ['closed', 'connection_reset'],
  ['bad response', 'invalid_response'],
  ['bad upgrade', 'invalid_response'],
])('a socket that ends with “%s” is %s', (message, reason) => {
  expect(failureReason(new errors.SocketError(message))).toBe(reason)
})

test('an error code is logged only if it has the format of a code', () => {
  expect(errorCode(errorWithCode('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE'))).toBe(
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  )
  expect(errorCode(errorWithCode('x\n"secret"'))).toBe('')
  expect(errorCode(new Error('x'))).toBe('')
})
