/** The error of every failed call, as a union on `reason`. */
import type { components } from './api-types.ts'
import { errorCodes } from './error-codes.ts'

/** The codes of the error catalog. */
export type ErrorCode = components['schemas']['Error']['code']

/** Data beside the message of an error. */
export type ErrorDetails = NonNullable<components['schemas']['Error']['details']>

/** `unreachable`: no response arrived. `unknown`: the response was not one of Hookline, or its code is newer than this client. */
export type Reason = keyof typeof errorCodes | 'unreachable' | 'unknown'

type CodeOf<R extends Reason> = R extends keyof typeof errorCodes ? (typeof errorCodes)[R] : 0

const reasons = new Map<number, Reason>(
  Object.entries(errorCodes).map(([reason, code]) => [code, reason as Reason]),
)

/** A failed call. Status 0: no response arrived, so the call may or may not have had an effect. */
export class ApiError extends Error {
  readonly reason: Reason
  readonly status: number
  /** Stable code of the error catalog. 0: the response was not one of Hookline. */
  readonly code: ErrorCode | 0
  /** The parameter at fault. */
  readonly field: string | undefined
  readonly details: ErrorDetails
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    response: {
      status: number
      code?: ErrorCode
      field?: string
      details?: ErrorDetails
      requestId?: string | null
      retryAfter?: string | null
      cause?: unknown
    },
  ) {
    super(message, { cause: response.cause })
    this.name = 'ApiError'
    this.status = response.status
    this.code = response.code ?? 0
    this.reason = response.status === 0 ? 'unreachable' : (reasons.get(this.code) ?? 'unknown')
    this.field = response.field
    this.details = response.details ?? {}
    this.requestId = response.requestId ?? undefined
    this.retryAfterSeconds = Number(response.retryAfter) || undefined
  }
}

/** ApiError as a union: a comparison of `reason` narrows `code`, and a `switch` can be checked for completeness. */
export type HooklineError = {
  [R in Reason]: ApiError & { readonly reason: R; readonly code: CodeOf<R> }
}[Reason]

export function isHooklineError(error: unknown): error is HooklineError {
  return error instanceof ApiError
}
