/** What went wrong in an expression, in words. Pure. */
import { type Failure, keyName } from './filter/values.ts'

/** Without any value of the event that it ran on. */
export function withoutValues({ text, value, place }: Failure): string {
  const where = place.replaceAll(/\s+/g, ' ').trim()
  return value === undefined || where === '' ? text : `${text}: ${where}`
}

const maxShownLength = 200

/** For those who may see the event: with what it failed on. */
export function withValue(failure: Failure): string {
  const shown = keyName(failure.value)
  return shown === undefined ? withoutValues(failure) : `${failure.text}: ${shown.slice(0, maxShownLength)}`
}

/** The library's messages quote the expression on further lines; the first says what is wrong. */
export function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it does not compile.'
}
