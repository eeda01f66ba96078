/** Describes errors of expressions. Pure. */
import { type Failure, keyName } from './values.ts'

/** Describes the failure without values of the event. */
export function withoutValues({ text, value, location }: Failure): string {
  const snippet = location.replaceAll(/\s+/g, ' ').trim()
  return value === undefined || snippet === '' ? text : `${text}: ${snippet}`
}

const maxVisibleLength = 200

/** Describes the failure with the value that caused it, for callers that may see the event. */
export function withValue(failure: Failure): string {
  const visible = keyName(failure.value)
  return visible === undefined
    ? withoutValues(failure)
    : `${failure.text}: ${visible.slice(0, maxVisibleLength)}`
}

/** Returns the first line: the library's messages quote the expression on further lines. */
export function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it does not compile.'
}

/** Shortens a part of an expression for a sentence. Never cuts a character in half. */
export function shorten(text: string, maxLength: number): string {
  const line = text.replaceAll(/\s+/g, ' ')
  if (line.length <= maxLength) return line
  return `${line.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`
}
