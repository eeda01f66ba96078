/**
 * One reading of parameters for every verb: the union of query, form body and JSON body. Pure.
 * - The same name twice is fine with one value and an error with two.
 * - An empty value means "not set"; so does `null` in JSON, and the text `null` in a query or form, which some
 *   clients send for it.
 * - Names that no call knows are ignored, however often they come and whatever they hold.
 * - Nothing is guessed: malformed percent-encoding, UTF-8 or JSON is refused instead of repaired.
 */
import { Refusal } from '../model/errors.ts'
import { compactJson, memberTexts } from '../model/json-text.ts'

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
  /** What follows the first `?`, still encoded. */
  query: string
  contentType: string | undefined
  body: Buffer | undefined
}

type Pair = readonly [name: string, value: string | null]

/** Far more than any client sends; decoding a body full of them would cost time before we know who asks. */
const mostPairs = 200

const knownNames: ReadonlySet<string> = new Set(parameterNames)
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function readParams(request: RequestText): Params {
  return unite([...readForm(request.query), ...readBody(request.contentType, request.body)])
}

function unite(pairs: readonly Pair[]): Params {
  const united: Params = Object.create(null)
  for (const [name, value] of pairs) {
    if (!isParameterName(name) || value === null || value === '') continue
    if (/[\0\p{Cs}]/u.test(value)) throw notText(name)
    if (united[name] !== undefined && united[name] !== value)
      throw new Refusal('parameterConflict', `The parameter "${name}" was sent with different values.`)
    united[name] = value
  }
  return united
}

/** Of an address, clients expect to hear the same as of any malformed one. */
function notText(name: ParameterName): Refusal {
  return name === 'target_url'
    ? new Refusal('invalidUrl', 'Invalid URL')
    : new Refusal('parameterInvalid', `The parameter "${name}" is not valid text.`)
}

function isParameterName(name: string): name is ParameterName {
  return knownNames.has(name)
}

function readBody(contentType: string | undefined, body: Buffer | undefined): Pair[] {
  if (body === undefined || body.length === 0) return []
  const [type = '', ...attributes] = (contentType ?? '').toLowerCase().split(';')
  for (const attribute of attributes) judgeCharset(attribute.trim())
  switch (type.trim()) {
    // The contract's own style, so also what a body without a type is read as.
    case '':
    case 'application/x-www-form-urlencoded':
      return readForm(decodeBody(body))
    case 'application/json':
      return readJson(decodeBody(body))
    default:
      throw new Refusal(
        'unsupportedMediaType',
        'Send the parameters as application/x-www-form-urlencoded or application/json.',
      )
  }
}

function judgeCharset(attribute: string): void {
  if (/^charset\s*=/.test(attribute) && !/^charset\s*=\s*"?(utf-8|utf8|us-ascii)"?$/.test(attribute))
    throw new Refusal('unsupportedMediaType', 'Only the character set UTF-8 is understood.')
}

export function decodeBody(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new Refusal('unreadableRequest', 'The body is not valid UTF-8.')
  }
}

export function readForm(text: string): Pair[] {
  const parts = text.split('&', mostPairs + 1)
  if (parts.length > mostPairs)
    throw new Refusal('unreadableRequest', `More than ${mostPairs} parameters were sent.`)
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      const name = equals === -1 ? part : part.slice(0, equals)
      const value = equals === -1 ? '' : percentDecode(part.slice(equals + 1))
      return [percentDecode(name), value === 'null' ? null : value]
    })
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new Refusal('unreadableRequest', 'The parameters are not valid percent-encoded UTF-8.')
  }
}

function readJson(text: string): Pair[] {
  parseJsonObject(text)
  // Not the parsed object: of a name that stands twice it has only the last, and another reader may see the first.
  return memberTexts(compactJson(text))
    .filter(([name]) => isParameterName(name))
    .map(([name, field]) => [name, jsonText(name, JSON.parse(field))])
}

export function parseJsonObject(text: string): object {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('unreadableRequest', 'The JSON body must be an object.')
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('unreadableRequest', 'The body is not valid JSON.')
  }
}

function jsonText(name: string, field: unknown): string | null {
  if (field === null) return null
  if (typeof field === 'string') return field
  if (typeof field === 'number') return String(field)
  throw new Refusal('parameterInvalid', `The parameter "${name}" must be a text or a number.`)
}
