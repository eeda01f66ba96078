/**
 * The three formats of a delivery. Everything in them comes from the event as it was accepted, so the bytes are the same
 * on every attempt. Numbers keep the text they were sent with: 12345678901234567890 stays itself.
 */
import type { Event } from '../../model/event.ts'
import type { RequestMethod } from '../../model/hook.ts'

export interface FormattedRequest {
  method: 'GET' | 'POST'
  url: string
  contentType?: string
  body: string
}

/** Why an event cannot be formatted: both end the delivery as failed, since another attempt would give the same. */
export type FormatFailure = 'address_too_long' | 'body_too_large'

/** Longest address of a GET: what common servers accept in a request line. */
const maxUrlBytes = 8 * 1024
/**
 * Largest form. Percent-encoding triples an event of 256 KiB at most, but a form also repeats the path of every nested
 * value: an event of 240 KB could become gigabytes. So the size is checked while the form is built.
 */
const maxFormBytes = 1024 * 1024

/** `limitFactor` raises both limits, to show an event that is longer masked than it was when sent. */
export function formatRequest(
  requestMethod: RequestMethod,
  callUrl: string,
  event: Event,
  limitFactor = 1,
): FormattedRequest | FormatFailure {
  switch (requestMethod) {
    case 'JSON':
      return { method: 'POST', url: callUrl, contentType: 'application/json', body: jsonBody(event) }
    case 'POST': {
      const body = encode(formFields(event), maxFormBytes * limitFactor)
      if (body === undefined) return 'body_too_large'
      return { method: 'POST', url: callUrl, contentType: 'application/x-www-form-urlencoded', body }
    }
    case 'GET': {
      const start = `${callUrl}${callUrl.includes('?') ? '&' : '?'}`
      const query = encode(queryFields(event), maxUrlBytes * limitFactor - Buffer.byteLength(start))
      if (query === undefined) return 'address_too_long'
      return { method: 'GET', url: `${start}${query}`, body: '' }
    }
  }
}

type Field = readonly [name: string, value: string]

function* formFields(event: Event): Generator<Field> {
  yield* flatten('data', parseKeepingNumbers(event.data))
  yield* ownFields(event)
}

function* queryFields(event: Event): Generator<Field> {
  const data = parseKeepingNumbers(event.data) as Record<string, unknown>
  for (const [name, value] of Object.entries(data)) yield* flatten(name, value)
  yield* ownFields(event)
}

/** When the event was accepted, as `2026-11-15T09:30:00+00:00`. */
function webhookTimestamp(event: Event): string {
  return event.acceptedAt.toISOString().replace(/\.\d+Z$/, '+00:00')
}

function jsonBody(event: Event): string {
  return `{"data":${event.data},"webhook_event":${JSON.stringify(event.type)},"webhook_timestamp":${JSON.stringify(webhookTimestamp(event))}}`
}

function ownFields(event: Event): Field[] {
  return [
    ['webhook_event', event.type],
    ['webhook_timestamp', webhookTimestamp(event)],
  ]
}

/** Nested values by brackets, as PHP reads them: `data[list][0]=…`. Null and empty containers are empty values. */
function* flatten(name: string, value: unknown): Generator<Field> {
  if (value === null) return yield [name, '']
  if (typeof value !== 'object') return yield [name, `${value as string | boolean}`]
  const entries = Object.entries(value)
  if (entries.length === 0) yield [name, '']
  for (const [key, inner] of entries) yield* flatten(`${name}[${key}]`, inner)
}

/** Numbers become the text they were written as. */
function parseKeepingNumbers(json: string): unknown {
  return JSON.parse(json, (_key, value: unknown, context?: { source: string }) =>
    typeof value === 'number' ? context?.source : value,
  )
}

/** Undefined as soon as it is longer than allowed; what follows is not looked at. */
function encode(fields: Iterable<Field>, maxBytes: number): string | undefined {
  const parts: string[] = []
  let bytes = -1
  for (const [name, value] of fields) {
    const part = new URLSearchParams([[name, value]]).toString()
    bytes += 1 + part.length
    if (bytes > maxBytes) return undefined
    parts.push(part)
  }
  return parts.join('&')
}
