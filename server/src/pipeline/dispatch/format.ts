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

/** Longest address of a GET: what common servers accept in a request line. */
const longestUrlBytes = 8 * 1024

/** Undefined: a GET whose address would be too long to be sent. */
export function formatRequest(
  requestMethod: RequestMethod,
  callUrl: string,
  event: Event,
  longestBytes: number = longestUrlBytes,
): FormattedRequest | undefined {
  switch (requestMethod) {
    case 'JSON':
      return { method: 'POST', url: callUrl, contentType: 'application/json', body: jsonBody(event) }
    case 'POST': {
      const fields = [...flatten('data', parseKeepingNumbers(event.data)), ...ownFields(event)]
      return {
        method: 'POST',
        url: callUrl,
        contentType: 'application/x-www-form-urlencoded',
        body: encode(fields),
      }
    }
    case 'GET': {
      const data = Object.entries(parseKeepingNumbers(event.data) as Record<string, unknown>)
      const fields = [...data.flatMap(([name, value]) => flatten(name, value)), ...ownFields(event)]
      const url = `${callUrl}${callUrl.includes('?') ? '&' : '?'}${encode(fields)}`
      return Buffer.byteLength(url) > longestBytes ? undefined : { method: 'GET', url, body: '' }
    }
  }
}

/** When the event was accepted, as `2026-11-15T09:30:00+00:00`. */
function webhookTimestamp(event: Event): string {
  return event.acceptedAt.toISOString().replace(/\.\d+Z$/, '+00:00')
}

function jsonBody(event: Event): string {
  return `{"data":${event.data},"webhook_event":${JSON.stringify(event.type)},"webhook_timestamp":${JSON.stringify(webhookTimestamp(event))}}`
}

function ownFields(event: Event): Array<[string, string]> {
  return [
    ['webhook_event', event.type],
    ['webhook_timestamp', webhookTimestamp(event)],
  ]
}

/** Nested values by brackets, as PHP reads them: `data[list][0]=…`. Null and empty containers are empty values. */
function flatten(name: string, value: unknown): Array<[string, string]> {
  if (value === null) return [[name, '']]
  if (typeof value !== 'object') return [[name, `${value as string | boolean}`]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[name, '']]
  return entries.flatMap(([key, inner]) => flatten(`${name}[${key}]`, inner))
}

/** Numbers become the text they were written as. */
function parseKeepingNumbers(json: string): unknown {
  return JSON.parse(json, (_key, value: unknown, context?: { source: string }) =>
    typeof value === 'number' ? context?.source : value,
  )
}

function encode(fields: Array<[string, string]>): string {
  return new URLSearchParams(fields).toString()
}
