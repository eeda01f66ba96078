/**
 * The `headers` of a webhook: several `Name: value` lines. Judged at registration, so that a delivery can never
 * carry a second request, a second framing or a header that speaks in our name or to a cloud's metadata service.
 */
import { Refusal } from './errors.ts'

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

/** Compared in lower case and with `_` read as `-`, as CGI-style receivers fold the two. */
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

/** The text as it is stored and listed: the given lines joined by `\n`, without a final line break. */
export function canonicalHeaders(text: string): string {
  return text.replace(/\r?\n$/, '').replaceAll('\r\n', '\n')
}

/** The headers of canonical text that was judged before. */
export function splitHeaders(canonical: string): CustomHeader[] {
  return canonical === '' ? [] : canonical.split('\n').map(splitHeader)
}

/** Refuses canonical text that must not be sent. */
export function judgeHeaders(canonical: string, rules: CustomHeaderRules): void {
  const lines = canonical === '' ? [] : canonical.split('\n')
  if (Buffer.byteLength(canonical) > rules.maxTotalBytes)
    refuse(`All headers together may have ${rules.maxTotalBytes} bytes.`)
  if (lines.length > rules.maxCount) refuse(`At most ${rules.maxCount} headers can be set.`)

  const seen = new Set<string>()
  for (const line of lines) {
    const { name, value } = splitHeader(line)
    judgeHeader(name, value, rules)
    const key = name.toLowerCase()
    if (seen.has(key)) refuse(`The header "${name}" is given twice.`)
    seen.add(key)
  }
}

/** Splits `Name: value`, with the white space around the value trimmed. */
function splitHeader(line: string): CustomHeader {
  if (line === '') refuse('A line between the headers is empty.')
  if (/^[ \t]/.test(line)) refuse('A line starts with white space. Each line must be "Name: value".')
  const colon = line.indexOf(':')
  if (colon < 1) refuse('A line has no header name. Each line must be "Name: value".')
  return { name: line.slice(0, colon), value: trimBlanks(line.slice(colon + 1)) }
}

/** By hand: a regular expression for the end would look at a long run of blanks again from each of them. */
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

function judgeHeader(name: string, value: string, rules: CustomHeaderRules): void {
  if (!tokenCharacters.test(name))
    refuse('A header name has characters that HTTP does not allow in names. Use letters, digits and "-".')
  if (name.length > rules.maxNameBytes) refuse(`A header name is longer than ${rules.maxNameBytes} bytes.`)
  const folded = name.toLowerCase().replaceAll('_', '-')
  if (forbiddenNames.has(folded) || forbiddenPrefixes.some((prefix) => folded.startsWith(prefix)))
    refuse(`The header "${name}" is reserved and cannot be set.`)
  if (!valueCharacters.test(value))
    refuse(`The value of "${name}" has characters other than visible ASCII, spaces and tabs.`)
  if (value.includes('\\n'))
    refuse(
      `The value of "${name}" has a backslash followed by "n". Separate headers by a real line break (%0A in a form).`,
    )
  if (value.length > rules.maxValueBytes)
    refuse(`The value of "${name}" is longer than ${rules.maxValueBytes} bytes.`)
}

function refuse(message: string): never {
  throw new Refusal('invalidHeaders', message)
}
