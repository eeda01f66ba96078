/**
 * The `headers` of a webhook: several `Name: value` lines. Validated at registration. So a delivery can never contain
 * a second request, different framing, a header that impersonates Hookline, or one for a cloud metadata service.
 */
import { ApiError } from './errors.ts'

export interface CustomHeaderRules {
  maxCount: number
  maxNameBytes: number
  maxValueBytes: number
  maxTotalBytes: number
}

interface CustomHeader {
  name: string
  value: string
}

const tokenCharacters = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const valueCharacters = /^[\t\x20-\x7e]*$/

/** Compared in lower case and with `_` as `-`, as CGI-style receivers do. */
const forbiddenNames: ReadonlySet<string> = new Set([
  '--proto--',
  'accept-encoding',
  'alt-svc',
  'connection',
  'content-digest',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'digest',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'metadata',
  'range',
  'signature',
  'signature-input',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-http-method-override',
  'x-nonce',
  'x-original-url',
  'x-real-ip',
  'x-rewrite-url',
  'x-signature',
  'x-timestamp',
])

const forbiddenPrefixes = [
  'if-',
  'metadata-',
  'proxy-',
  'sec-',
  'webhook-',
  'x-amz-',
  'x-amzn-',
  'x-aws-',
  'x-azure-',
  'x-envoy-',
  'x-forwarded-',
  'x-goog-',
  'x-google-',
  'x-hookline-',
  'x-smokescreen-',
  'x-upstream-',
]

/** Returns the text as stored and listed: the lines joined by `\n`, without a final line break. */
export function canonicalHeaders(text: string): string {
  return text.replace(/\r?\n$/, '').replaceAll('\r\n', '\n')
}

/** Splits canonical text that was validated before. */
export function splitHeaders(canonical: string): CustomHeader[] {
  return canonical === '' ? [] : canonical.split('\n').map(splitHeader)
}

/** Rejects canonical text that must not be sent. */
export function validateHeaders(canonical: string, rules: CustomHeaderRules): void {
  const lines = canonical === '' ? [] : canonical.split('\n')
  if (Buffer.byteLength(canonical) > rules.maxTotalBytes)
    reject(`Headers exceed ${rules.maxTotalBytes} bytes in total.`)
  if (lines.length > rules.maxCount) reject(`At most ${rules.maxCount} headers are allowed.`)

  const seen = new Set<string>()
  for (const line of lines) {
    const { name, value } = splitHeader(line)
    validateHeader(name, value, rules)
    const key = name.toLowerCase()
    if (seen.has(key)) reject(`Duplicate header "${name}".`)
    seen.add(key)
  }
}

/** Splits `Name: value` and trims whitespace around the value. */
function splitHeader(line: string): CustomHeader {
  if (line === '') reject('Headers contain an empty line.')
  if (/^[ \t]/.test(line)) reject('A line starts with whitespace. Each line must be "Name: value".')
  const colon = line.indexOf(':')
  if (colon < 1) reject('A line has no header name. Each line must be "Name: value".')
  return { name: line.slice(0, colon), value: trimBlanks(line.slice(colon + 1)) }
}

/** Without a regular expression: at a long run of blanks it would backtrack from each of them. */
function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return text.slice(start, end)
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

function validateHeader(name: string, value: string, rules: CustomHeaderRules): void {
  if (name.includes(' '))
    reject('A header name contains a space. Use "-", and put the colon directly after the name.')
  if (!tokenCharacters.test(name))
    reject('A header name contains invalid characters. Use letters, digits and "-".')
  if (name.length > rules.maxNameBytes) reject(`A header name is longer than ${rules.maxNameBytes} bytes.`)
  const folded = name.toLowerCase().replaceAll('_', '-')
  if (forbiddenNames.has(folded) || forbiddenPrefixes.some((prefix) => folded.startsWith(prefix)))
    reject(`The header "${name}" is reserved and cannot be set.`)
  if (!valueCharacters.test(value))
    reject(`The value of "${name}" contains characters other than visible ASCII, spaces and tabs.`)
  if (value.includes('\\n'))
    reject(
      `The value of "${name}" contains a backslash followed by "n". Separate headers with a line break (%0A in a form).`,
    )
  if (value.length > rules.maxValueBytes)
    reject(`The value of "${name}" is longer than ${rules.maxValueBytes} bytes.`)
}

function reject(message: string): never {
  throw new ApiError('invalidHeaders', message)
}
