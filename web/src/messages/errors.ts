/** Error texts: what happened, whether anything changed, how to fix it. */
import { ApiError, type ErrorCode } from '@hookline/client'
import { PasskeyError } from '../lib/passkey.ts'

export interface ErrorText {
  title: string
  hint: string
  requestId?: string | undefined
}

/** `isChange`: the request was a change, so the text says whether it took effect. */
export function describeError(error: unknown, isChange: boolean): ErrorText {
  if (isLoadFailure(error))
    return {
      title: 'Page failed to load',
      hint: 'Nothing was changed. Check your connection, then reload the page.',
    }
  if (error instanceof PasskeyError) return { title: error.message, hint: 'Nothing was changed. Retry.' }
  if (!(error instanceof ApiError))
    return {
      title: 'Something went wrong',
      hint: isChange ? 'Your change may not be saved. Reload the page and check.' : 'Reload the page.',
    }
  const { status, code, message, requestId } = error
  if (code === csrfFailed)
    return {
      title: 'This page is out of date',
      hint: 'You switched to another account or signed in again in another tab. Reload the page.',
      requestId,
    }
  if (status === 0)
    return {
      title: 'Hookline is unreachable',
      hint: isChange
        ? 'Your change may not be saved. Check your connection and the current state before you retry.'
        : 'Nothing was changed. Check your connection, then retry.',
    }
  if (status === 503)
    return {
      title: 'Hookline is temporarily unavailable',
      hint: `${describeEffect(isChange)} Retry in a moment.`,
      requestId,
    }
  if (status >= 500)
    return {
      title: 'Internal error',
      hint: `${describeEffect(isChange)} Retry. If the error persists, report the request ID to the operator.`,
      requestId,
    }
  if (status === 429)
    return {
      title: 'Too many requests',
      hint: `${limitTexts[code] ?? ''} ${formatWait(error)}`.trim(),
      requestId,
    }
  return { title: message, hint: '', requestId }
}

/** Tabs share the session, so a page from before a new session has an old token. */
const csrfFailed: ErrorCode = 909

/** Limits with status 429. The texts of the API name HTTP headers, which pages do not show. */
const limitTexts: Partial<Record<ErrorCode | 0, string>> = {
  907: 'Too many failed attempts.',
  1200: 'Your account made too many requests in this minute.',
  1202: 'Too many events are pending.',
  1205: 'Too many live views are open. Close one first.',
  1207: 'Too many searches run at the same time.',
  1208: 'Too many changes in a short time.',
  1209: 'Too many exports are running. Wait until one ends.',
}

/** Pages are loaded on demand. Browsers word this error differently. */
function isLoadFailure(error: unknown): boolean {
  return error instanceof TypeError && /import/i.test(error.message)
}

function describeEffect(isChange: boolean): string {
  return isChange ? 'Your input is preserved.' : 'Nothing was changed.'
}

function formatWait({ retryAfterSeconds }: ApiError): string {
  if (retryAfterSeconds === undefined) return ''
  const minutes = Math.ceil(retryAfterSeconds / 60)
  return retryAfterSeconds < 90 ? `Wait ${retryAfterSeconds} seconds.` : `Wait ${minutes} minutes.`
}

/** Returns the form field of a rejected request. `fields` maps parameters of the API to form fields. */
export function findErrorField<Field extends string>(
  error: unknown,
  fields: Readonly<Record<string, Field>>,
): Field | undefined {
  if (!(error instanceof ApiError)) return undefined
  const parameter = error.field ?? contractFields[error.code]
  return parameter === undefined ? undefined : fields[parameter]
}

/** Errors of `/api/hooks` name no parameter, because its contract is fixed. */
const contractFields: Partial<Record<ErrorCode | 0, string>> = {
  1020: 'target_url',
  1021: 'headers',
  1022: 'event_filter',
}
