/** A failure in words: what happened, what became of what the person wanted, what to do. */
import { ApiFailure } from '@hookline/sdk'

export interface FailureWords {
  title: string
  advice: string
  requestId?: string | undefined
}

/** `isChange`: it was an attempt to change something, so it matters whether it arrived. */
export function failureWords(error: unknown, isChange: boolean): FailureWords {
  if (isLoadFailure(error))
    return {
      title: 'A part of this page could not be loaded',
      advice: 'Nothing was changed. Check your connection, then load the page again.',
    }
  if (!(error instanceof ApiFailure))
    return {
      title: 'This page made a mistake',
      advice: 'Nothing on the server was changed. Load the page again.',
    }
  const { status, message, requestId } = error
  if (status === 0)
    return {
      title: 'Hookline could not be reached',
      advice: isChange
        ? 'Your change may or may not have arrived. Check your connection and look at the list before you try again.'
        : 'Nothing was changed. Check your connection, then try again.',
    }
  if (status === 503)
    return {
      title: 'Hookline is not available right now',
      advice: `${kept(isChange)} Try again in a moment.`,
      requestId,
    }
  if (status >= 500)
    return {
      title: 'Something broke on our side',
      advice: `${kept(isChange)} Try again; if it stays, give the request id to whoever runs this service.`,
      requestId,
    }
  if (status === 429)
    return { title: 'Too many tries', advice: `${message} ${waitWords(error)}`.trim(), requestId }
  return { title: message, advice: '', requestId }
}

/** Pages are loaded when they are opened; the words are the browsers' own. */
function isLoadFailure(error: unknown): boolean {
  return error instanceof TypeError && /import/i.test(error.message)
}

function kept(isChange: boolean): string {
  return isChange ? 'What you entered is still here.' : 'Nothing was changed.'
}

function waitWords({ retryAfterSeconds }: ApiFailure): string {
  if (retryAfterSeconds === undefined) return ''
  const minutes = Math.ceil(retryAfterSeconds / 60)
  return retryAfterSeconds < 90 ? `Wait ${retryAfterSeconds} seconds.` : `Wait ${minutes} minutes.`
}

/** The field that a refusal is about, if its sentence holds one of the words that stand for ours. */
export function fieldNamedBy<Field extends string>(
  error: unknown,
  words: Record<string, Field>,
): Field | undefined {
  if (!(error instanceof ApiFailure) || error.status < 400 || error.status >= 500) return undefined
  const sentence = error.message.toLowerCase()
  return Object.entries(words).find(([word]) => sentence.includes(word))?.[1]
}
