/**
 * The formats of a delivery. All content comes from the accepted event, so the bytes are the same on every
 * attempt. Numbers keep their original text: 12345678901234567890 stays unchanged.
 */
import type { Event } from '../../model/event.ts'
import type { DeliveryOptions } from '../../model/delivery-options.ts'
import type { RequestMethod } from '../../model/hook.ts'

export interface FormattedRequest {
  method: 'GET' | 'POST'
  url: string
  contentType?: string
  body: string
}

/** Why an event cannot be formatted. Both fail the delivery, since another attempt would give the same result. */
export type FormatFailure = 'address_too_long' | 'body_too_large'

/** Maximum URL length of a GET: common servers accept it in a request line. */
const maxUrlBytes = 8 * 1024
/**
 * Maximum form size. Percent-encoding at most triples an event of 256 KiB, but a form also repeats the path of every
 * nested value: an event of 240 KB could become gigabytes. So the size is checked while the form is built.
 */
const maxFormBytes = 1024 * 1024

/** `limitFactor` raises both limits, to show an event that is longer masked than it was when sent. */
export function formatRequest(
  requestMethod: RequestMethod,
  callUrl: string,
  event: Event,
  {
    formFields = 'nested',
    limitFactor = 1,
  }: { formFields?: DeliveryOptions['formFields']; limitFactor?: number | undefined } = {},
): FormattedRequest | FormatFailure {
  switch (requestMethod) {
    case 'JSON':
      return { method: 'POST', url: callUrl, contentType: 'application/json', body: jsonBody(event) }
    case 'POST': {
      const format = formFields === 'flat' ? flatFormBody : formBody
      const body = format(event, maxFormBytes * limitFactor)
      if (body === undefined) return 'body_too_large'
      return { method: 'POST', url: callUrl, contentType: 'application/x-www-form-urlencoded', body }
    }
    case 'GET': {
      const start = `${callUrl}${callUrl.includes('?') ? '&' : '?'}`
      const query = queryString(event, maxUrlBytes * limitFactor - Buffer.byteLength(start))
      if (query === undefined) return 'address_too_long'
      return { method: 'GET', url: `${start}${query}`, body: '' }
    }
  }
}

/** Returns undefined if the form would exceed the limit. */
function formBody(event: Event, maxBytes: number): string | undefined {
  const fields = createFields(maxBytes)
  fields.add('data', parseKeepingNumbers(event.data))
  return addStandardFields(fields, event)
}

/**
 * Returns undefined if the form would exceed the limit. A field of the event with the name of a standard field is left
 * out: of two fields with one name, some receivers read the first and some the last.
 */
function flatFormBody(event: Event, maxBytes: number): string | undefined {
  const fields = createFields(maxBytes)
  const data = parseKeepingNumbers(event.data) as Record<string, unknown>
  for (const [name, value] of Object.entries(data))
    if (!standardFields.has(name)) fields.add(encode(name), value)
  return addStandardFields(fields, event)
}

/** Returns undefined if the query would exceed the limit. */
function queryString(event: Event, maxBytes: number): string | undefined {
  const fields = createFields(maxBytes)
  const data = parseKeepingNumbers(event.data) as Record<string, unknown>
  for (const [name, value] of Object.entries(data)) fields.add(encode(name), value)
  return addStandardFields(fields, event)
}

/** The last formatted second: events are delivered in about the order they were accepted. */
let formatted = { second: Number.NaN, text: '' }

/** Returns the acceptance time, as `2026-11-15T09:30:00+00:00`. */
function webhookTimestamp({ acceptedAt }: Event): string {
  const second = Math.floor(acceptedAt.getTime() / 1_000)
  if (second !== formatted.second)
    formatted = { second, text: `${acceptedAt.toISOString().slice(0, -'.000Z'.length)}+00:00` }
  return formatted.text
}

function jsonBody(event: Event): string {
  return `{"data":${event.data},"webhook_event":${JSON.stringify(event.type)},"webhook_timestamp":"${webhookTimestamp(event)}"}`
}

const standardFields: ReadonlySet<string> = new Set(['webhook_event', 'webhook_timestamp'])

function addStandardFields(fields: Fields, event: Event): string | undefined {
  fields.add('webhook_event', event.type)
  fields.add('webhook_timestamp', webhookTimestamp(event))
  return fields.text()
}

interface Fields {
  /**
   * Adds a value. Nested values use brackets, as PHP reads them: `data[list][0]=…`. Null and empty containers are
   * empty values.
   */
  add: (encodedName: string, value: unknown) => void
  text: () => string | undefined
}

/** Builds URL-encoded fields. Fields after the limit is reached are skipped. */
function createFields(maxBytes: number): Fields {
  let text = ''
  const isTooLong = (): boolean => text.length > maxBytes

  function addText(name: string, value: string): void {
    text += `${text === '' ? '' : '&'}${name}=${encode(value)}`
  }

  function add(name: string, value: unknown): void {
    if (value === null) return addText(name, '')
    if (typeof value !== 'object') return addText(name, `${value as string | number | boolean}`)
    const entries = Object.entries(value)
    if (entries.length === 0) addText(name, '')
    for (const [key, inner] of entries) {
      if (isTooLong()) return
      add(`${name}%5B${encode(key)}%5D`, inner)
    }
  }

  return { add, text: () => (isTooLong() ? undefined : text) }
}

const plain = /^[\w*.-]*$/
const otherCodes: Readonly<Record<string, string>> = {
  '!': '%21',
  "'": '%27',
  '(': '%28',
  ')': '%29',
  '~': '%7E',
  '%20': '+',
}

/** Encodes like `URLSearchParams`, at a twentieth of its cost. */
function encode(text: string): string {
  if (plain.test(text)) return text
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()~]|%20/g,
    (code) => otherCodes[code] ?? code,
  )
}

/** Parses JSON. Numbers that JavaScript would write differently become their original text. */
function parseKeepingNumbers(json: string): unknown {
  const value: unknown = JSON.parse(json)
  if (JSON.stringify(value) === json) return value
  return JSON.parse(json, (_key, inner: unknown, context?: { source: string }) =>
    typeof inner === 'number' ? context?.source : inner,
  )
}
