/** Turns errors into JSON responses. No other file does this. */
import { isDatabaseUnavailable } from '../../db/database.ts'
import { ApiError, type ErrorDetails } from '../../model/errors.ts'

interface ErrorBody {
  success: false
  code: number
  error_message: string
  field?: string
  details?: ErrorDetails
}

/** The fixed contract has neither `field` nor `details`. */
export function errorBody({ code, message, options }: ApiError, isContract = false): ErrorBody {
  const { field, details } = options
  return {
    success: false,
    code,
    error_message: message,
    ...(!isContract && field !== undefined && { field }),
    ...(!isContract && details !== undefined && { details }),
  }
}

/** Statuses of failed calls: matching the error, as in the `action` dialect, or as in the original service. */
export type StatusMode = 'http' | 'action' | 'original'

/**
 * Returns the HTTP status of an error. Clients of the legacy `action` dialect read errors from a 200, so errors in *the
 * request* get 200 there. With the statuses of the original service, limits do as well. Authentication errors and
 * internal errors always keep their status: credential tests, proxies and monitors that check only the status must not
 * see success.
 */
export function errorStatus({ status }: ApiError, mode: StatusMode): number {
  switch (mode) {
    case 'http':
      return status
    case 'action':
      return [400, 404, 409].includes(status) ? 200 : status
    case 'original':
      return status === 401 || status === 403 || status >= 500 ? status : 200
  }
}

export function errorHeaders(rejection: ApiError): Record<string, string> {
  const { retryAfterSeconds, headers } = rejection.options
  return {
    ...(rejection.status === 401 && { 'www-authenticate': 'Bearer realm="hookline"' }),
    ...headers,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  }
}

/** Converts any thrown value to an ApiError. Unexpected errors become "internal" without details. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('bodyTooLarge', 'The body is too large.', { headers: { connection: 'close' } })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupportedMediaType', 'The Content-Type header is not valid.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('malformedRequest', 'The body does not match its Content-Length.')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new ApiError('malformedRequest', 'The path is not valid percent-encoded UTF-8.')
  }
  if (isDatabaseUnavailable(error))
    return new ApiError(
      'unavailable',
      'Service unavailable: database not reachable. Retry after the time in Retry-After.',
      {
        retryAfterSeconds: 5,
      },
    )
  return new ApiError('internal', 'Internal error. Retry, and report the X-Request-Id if it persists.')
}
