/**
 * Reads the parameters of the contract, for every verb from the query and a body as form, multipart form or JSON. Pure.
 * - A repeated name is valid with equal values and an error with different values.
 * - An empty value means "not set". The same applies to `null` in JSON and to the text `null` in a query or form, which
 *   some clients send.
 * - Unknown names are ignored, with any number and any values.
 * - Malformed percent-encoding, UTF-8 or JSON is rejected, not repaired.
 * - JSON is also recognized without a JSON content type, if it contains no form parameter. `headers` can be a JSON object.
 */
import { ApiError } from '../../model/errors.ts'
import { compactJson, memberTexts } from '../../model/json-text.ts'
import { readMultipart, tooManyParams } from './multipart.ts'

const parameterNames = [
  'action',
  'id',
  'target_url',
  'event_type',
  'event_filter',
  'request_method',
  'headers',
  'u',
  'p',
] as const

type ParameterName = (typeof parameterNames)[number]
export type Params = Partial<Record<ParameterName, string>>

interface RequestText {
  /** The text after the first `?`, still encoded. */
  query: string
  contentType: string | undefined
  body: Buffer | undefined
}

type Pair = readonly [name: string, value: string | null]

/** Far more than any client sends. Bounds the cost of decoding, which happens before authentication. */
const maxPairs = 200

const parameterNameSet: ReadonlySet<string> = new Set(parameterNames)
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function readParams(request: RequestText): Params {
  return merge([...readForm(request.query), ...readBody(request.contentType, request.body)])
}

function merge(pairs: readonly Pair[]): Params {
  const merged: Params = Object.create(null)
  for (const [name, value] of pairs) {
    if (!isParameterName(name) || value === null || value === '') continue
    if (/[\0\p{Cs}]/u.test(value)) throw invalidText(name)
    if (merged[name] !== undefined && merged[name] !== value)
      throw new ApiError('parameterConflict', `The parameter "${name}" was sent with different values.`)
    merged[name] = value
  }
  if (merged.headers?.trimStart().startsWith('{')) merged.headers = parseHeaders(merged.headers)
  if (merged.headers === '') delete merged.headers
  return merged
}

/** Some programs send `headers` as the text of a JSON object. No header line starts with a brace. */
function parseHeaders(text: string): string {
  try {
    parseJsonObject(text)
  } catch {
    throw new ApiError(
      'invalidHeaders',
      'The headers start with "{" but are not a JSON object. Send lines of "Name: value".',
    )
  }
  return headerLines(compactJson(text))
}

/** Converts a compact JSON object to lines of `Name: value`. */
function headerLines(compactObject: string): string {
  return memberTexts(compactObject)
    .map(([name, text]) => {
      const value: unknown = JSON.parse(text)
      if (typeof value !== 'string' && typeof value !== 'number')
        throw new ApiError('invalidHeaders', 'Each value of a header must be a string or a number.')
      const line = `${name}: ${value}`
      if (/[\r\n]/.test(line)) throw new ApiError('invalidHeaders', 'A header contains a line break.')
      return line
    })
    .join('\n')
}

/** Clients expect the same message for every malformed `target_url`. */
function invalidText(name: ParameterName): ApiError {
  return name === 'target_url'
    ? new ApiError('invalidUrl', 'Invalid URL')
    : new ApiError('parameterInvalid', `The parameter "${name}" is not valid text.`)
}

function isParameterName(name: string): name is ParameterName {
  return parameterNameSet.has(name)
}

function readBody(contentType: string | undefined, body: Buffer | undefined): Pair[] {
  if (body === undefined || body.length === 0) return []
  const [type = '', ...attributes] = (contentType ?? '').toLowerCase().split(';')
  for (const attribute of attributes) validateCharset(attribute.trim())
  switch (type.trim()) {
    // The default format of the contract, so it also applies without a Content-Type.
    case '':
    case 'application/x-www-form-urlencoded':
      return readFormOrJson(decodeBody(body))
    case 'multipart/form-data':
      // Only validates: the parser would replace invalid UTF-8.
      decodeBody(body)
      return readMultipart(contentType ?? '', body, maxPairs).map(formPair)
    case 'application/json':
      return readJson(withoutMark(decodeBody(body)))
    default:
      throw new ApiError(
        'unsupportedMediaType',
        'Send the parameters as application/x-www-form-urlencoded, multipart/form-data or application/json.',
      )
  }
}

function validateCharset(attribute: string): void {
  if (/^charset\s*=/.test(attribute) && !/^charset\s*=\s*"?(utf-8|utf8|us-ascii)"?$/.test(attribute))
    throw new ApiError('unsupportedMediaType', 'Only the character set UTF-8 is supported.')
}

export function decodeBody(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new ApiError('malformedRequest', 'The body is not valid UTF-8.')
  }
}

/** Removes the byte order mark that some programs write before JSON. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Some programs send JSON with the default content type of their HTTP library. */
function readFormOrJson(text: string): Pair[] {
  const json = withoutMark(text)
  if (!/^\s*\{/.test(json)) return readForm(text)
  const pairs = pairsOfForm(text)
  if (pairs?.some(([name]) => isParameterName(name))) return pairs
  return readJson(json)
}

/** Returns undefined for text that is not a form. */
function pairsOfForm(text: string): Pair[] | undefined {
  try {
    return readForm(text)
  } catch {
    return undefined
  }
}

export function readForm(text: string): Pair[] {
  const parts = text.split('&', maxPairs + 1)
  if (parts.length > maxPairs) throw tooManyParams(maxPairs)
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      const name = equals === -1 ? part : part.slice(0, equals)
      const value = equals === -1 ? '' : percentDecode(part.slice(equals + 1))
      return formPair([percentDecode(name), value])
    })
}

function formPair([name, value]: readonly [string, string]): Pair {
  return [name, value === 'null' ? null : value]
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new ApiError('malformedRequest', 'The parameters are not valid percent-encoded UTF-8.')
  }
}

function readJson(text: string): Pair[] {
  parseJsonObject(text)
  // Reads the text, because a parsed object has only the last of repeated names, and other parsers may use the first.
  return memberTexts(compactJson(text))
    .filter(([name]) => isParameterName(name))
    .map(([name, field]) => [name, jsonText(name, field)])
}

export function parseJsonObject(text: string): object {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('malformedRequest', 'The JSON body must be an object.')
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('malformedRequest', 'The body is not valid JSON.')
  }
}

function jsonText(name: string, text: string): string | null {
  if (name === 'headers' && text.startsWith('{')) return headerLines(text)
  const field: unknown = JSON.parse(text)
  if (field === null) return null
  if (typeof field === 'string') return field
  if (typeof field === 'number') return String(field)
  throw new ApiError('parameterInvalid', `The parameter "${name}" must be a string or a number.`)
}
