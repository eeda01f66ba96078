/** Why a request was not received. */
import type { FailureCode } from './verify.ts'

export type ReceiveFailureCode = FailureCode | 'already_parsed' | 'too_large' | 'unreadable'

export interface ReceiveFailure {
  isValid: false
  code: ReceiveFailureCode
  message: string
  /** What to respond with. */
  status: 400 | 401 | 413 | 500
}

export function receiveFailure(
  code: ReceiveFailureCode,
  message: string,
  status: ReceiveFailure['status'],
): ReceiveFailure {
  return { isValid: false, code, message, status }
}

export function tooLarge(maxBytes: number): ReceiveFailure {
  return receiveFailure('too_large', `The request has more than ${maxBytes} bytes.`, 413)
}

export function connectionLost(): ReceiveFailure {
  return receiveFailure('unreadable', 'The connection was lost before the body was complete.', 400)
}

/** At once, instead of waiting for bytes that never come. */
export function alreadyParsed(parser: string, advice: string): ReceiveFailure {
  return receiveFailure('already_parsed', `The body was already read by ${parser}. ${advice}`, 500)
}
