/** Every JSON answer under `/api`, and the one place where a throw becomes an answer. */
import { isDatabaseUnavailable } from '../db/database.ts'
import { Refusal } from '../model/errors.ts'

interface Failure {
  success: false
  code: number
  error_message: string
}

export function failureBody(refusal: Refusal): Failure {
  return { success: false, code: refusal.code, error_message: refusal.message }
}

/**
 * The HTTP status of a failure. Clients of the old `action` dialect decode failures from a 200, so what is wrong with
 * *their request* is one there. Authentication, limits and our own faults keep their status in both dialects: a
 * credential test, a proxy or a monitor that looks only at the status must not read "fine".
 */
export function failureStatus(refusal: Refusal, isActionDialect: boolean): number {
  const saysWhatIsWrongWithTheRequest = [400, 404, 409].includes(refusal.status)
  return isActionDialect && saysWhatIsWrongWithTheRequest ? 200 : refusal.status
}

export function failureHeaders(refusal: Refusal): Record<string, string> {
  const { retryAfterSeconds, headers } = refusal.options
  return {
    ...(refusal.status === 401 && { 'www-authenticate': 'Bearer realm="hookline"' }),
    ...headers,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  }
}

/** Whatever was thrown, as a refusal. What we did not foresee becomes "internal" and says nothing about itself. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('bodyTooLarge', 'The body is too large.', { headers: { connection: 'close' } })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupportedMediaType', 'The Content-Type header cannot be understood.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refusal('unreadableRequest', 'The body does not have the length it was announced with.')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return new Refusal('unreadableRequest', 'The path is not valid percent-encoded UTF-8.')
  }
  if (isDatabaseUnavailable(error))
    return new Refusal('unavailable', 'The service cannot reach its database. Try again shortly.', {
      retryAfterSeconds: 5,
    })
  return new Refusal('internal', 'Something broke on our side. Try again, or report the X-Request-Id.')
}
