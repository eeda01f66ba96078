/** Whose fault an error is: ours only if it is listed as ours. */
import { AssertionError } from 'node:assert'
import { errors } from 'undici'
import { describe, expect, test } from 'vitest'
import { reasons } from '../../model/outcome.ts'
import { HandshakeFailed } from './connect.ts'
import { errorCode, failureReason } from './failure-reason.ts'

function withCode(code: string): Error {
  return Object.assign(new Error('text of the receiver'), { code })
}

/** What Node gives as the code of a certificate that OpenSSL rejects, and UNSPECIFIED for all that it has no name for. */
const certificateCodes =
  `UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_CRL UNABLE_TO_DECRYPT_CERT_SIGNATURE CERT_SIGNATURE_FAILURE
   UNABLE_TO_DECRYPT_CRL_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY CRL_SIGNATURE_FAILURE CERT_NOT_YET_VALID
   CERT_HAS_EXPIRED CRL_NOT_YET_VALID CRL_HAS_EXPIRED OUT_OF_MEM
   ERROR_IN_CERT_NOT_BEFORE_FIELD ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CRL_LAST_UPDATE_FIELD ERROR_IN_CRL_NEXT_UPDATE_FIELD
   DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE
   CERT_CHAIN_TOO_LONG CERT_REVOKED INVALID_CA PATH_LENGTH_EXCEEDED
   INVALID_PURPOSE CERT_UNTRUSTED CERT_REJECTED HOSTNAME_MISMATCH
   UNSPECIFIED ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER EPROTO`.split(/\s+/)

test.each(certificateCodes)('%s in a handshake is TLS', (code) => {
  expect(failureReason(new HandshakeFailed('', { cause: withCode(code) }))).toBe('tls')
})

test.each(['ECONNRESET', 'EPIPE'])('%s in a handshake is a reset', (code) => {
  expect(failureReason(new HandshakeFailed('', { cause: withCode(code) }))).toBe('connection_reset')
})

describe('an error that nobody knows is the receiver’s', () => {
  test.each([
    ['without a code', new Error('x')],
    ['with a code', withCode('ERR_OF_TOMORROW')],
    ['of an assertion in the client', new AssertionError({ message: 'x' })],
    ['of the language', new TypeError('x')],
    ['that is no error', 'x'],
    ['that is nothing', undefined],
  ])('%s', (_what, thrown) => {
    expect(failureReason(thrown)).toBe('protocol_error')
    expect(reasons.protocol_error.fault).toBe('theirs')
  })
})

/** Everything that undici exports: a new version may bring more. */
const ofUndici = Object.entries(errors).flatMap(([name, type]) => {
  try {
    return [[name, new (type as new () => Error)()] as const]
  } catch {
    return []
  }
})

test('of the errors of the client, only a wrong use of it is ours', () => {
  const ours = ofUndici
    .filter(([, error]) => reasons[failureReason(error)].fault === 'ours')
    .map(([name]) => name)
  expect(ours.toSorted()).toEqual([
    'ClientClosedError',
    'ClientDestroyedError',
    'InvalidArgumentError',
    'InvalidReturnValueError',
    'NotSupportedError',
    'RequestContentLengthMismatchError',
  ])
  expect(ofUndici.length).toBeGreaterThan(15)
})

test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'ENETDOWN'])('%s is an outage of ours', (code) => {
  expect(failureReason(withCode(code))).toBe('no_resources')
})

test.each([
  ['other side closed', 'connection_reset'],
  ['closed', 'connection_reset'],
  ['bad response', 'invalid_answer'],
  ['bad upgrade', 'invalid_answer'],
])('a socket that ends with “%s” is %s', (message, reason) => {
  expect(failureReason(new errors.SocketError(message))).toBe(reason)
})

test('a code is logged only if it looks like one', () => {
  expect(errorCode(withCode('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE'))).toBe(
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  )
  expect(errorCode(withCode('x\n"secret"'))).toBe('')
  expect(errorCode(new Error('x'))).toBe('')
})
