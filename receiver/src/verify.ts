/**
 * Verifies the two signatures of a request, and finds out why one does not match. Needs the request as it arrived:
 * a parsed and serialized body has other bytes.
 */
import { timingSafeEqual } from 'node:crypto'
import { headerReader, queryOf, type ReadHeader, type SignedRequest } from './request.ts'
import { accountSignature, standardSignature } from './signature.ts'

export interface Keys {
  /** Secrets of webhooks (`whsec_…`). Several during a rotation. */
  secrets?: string | readonly string[] | undefined
  /** Signing keys of the account, for `x-signature`. */
  signingKeys?: string | readonly string[] | undefined
  /** How much the clocks may differ. */
  toleranceSeconds?: number | undefined
  /** In Unix milliseconds. */
  now?: number | undefined
}

export type FailureCode =
  'header_missing' | 'header_invalid' | 'clock_off' | 'body_changed' | 'wrong_secret' | 'no_secret'

export type Verification =
  | { isValid: true; id: string; timestamp: Date; by: 'webhook-signature' | 'x-signature' }
  | { isValid: false; code: FailureCode; message: string }

const defaultToleranceSeconds = 300

export function verify(request: SignedRequest, allKeys: Keys): Verification {
  const read = headerReader(request.headers)
  const keys = usableKeys(allKeys)
  const standard = keys.secrets.length > 0 ? standardOf(request, read) : undefined
  const account = keys.signingKeys.length > 0 ? accountOf(request, read) : undefined
  // With secrets, `webhook-signature` decides: the account signature covers less, and not the id.
  const signed = standard ?? account
  if (signed === undefined)
    return failure(
      'no_secret',
      'There is no secret to verify with, or none of the right form: whsec_ and Base64. Is its variable set?',
    )
  if ('isValid' in signed) return signed
  if (!signed.keys(keys).some((key) => matches(signed, key, signed.content)))
    return explain(signed, isSigned(account) ? account : undefined, keys)
  const offSeconds = Math.round((allKeys.now ?? Date.now()) / 1_000) - signed.timestamp
  // Written so that a tolerance that is no number accepts nothing.
  if (!(Math.abs(offSeconds) <= (allKeys.toleranceSeconds ?? defaultToleranceSeconds)))
    return clockOff(offSeconds)
  const id = read('webhook-id') ?? ''
  return { isValid: true, id, timestamp: new Date(signed.timestamp * 1_000), by: signed.name }
}

interface UsableKeys {
  secrets: string[]
  signingKeys: string[]
}

function filled(texts: string | readonly string[]): string[] {
  return [texts].flat().filter((text) => typeof text === 'string' && text.trim() !== '')
}

/** Without those of missing variables, which are undefined or empty: anyone can sign with an empty key. */
function usableKeys({ secrets = [], signingKeys = [] }: Keys): UsableKeys {
  return {
    secrets: filled(secrets).filter((secret) =>
      /^[\w+/-]{2,}={0,2}$/.test(secret.trim().replace(/^whsec_/, '')),
    ),
    signingKeys: filled(signingKeys),
  }
}

function isSigned(part: Signed | Verification | undefined): part is Signed {
  return part !== undefined && 'signatures' in part
}

interface Signed {
  name: 'webhook-signature' | 'x-signature'
  signatures: readonly string[]
  timestamp: number
  content: Buffer
  keys: (keys: UsableKeys) => readonly string[]
  sign: (key: string, content: Buffer) => string | undefined
}

function failure(code: FailureCode, message: string): Verification & { isValid: false } {
  return { isValid: false, code, message }
}

function contentOf({ method, query = '', body }: SignedRequest): Buffer {
  return method.toUpperCase() === 'GET' ? Buffer.from(query) : Buffer.from(body)
}

/** Also returned for a header that is empty, as some proxies send. */
function missing(name: string): Verification & { isValid: false } {
  return failure(
    'header_missing',
    `The header ${name} is missing. A proxy may have removed it, or the request is not from Hookline.`,
  )
}

function readTimestamp(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined
}

/** Far more than a rotation has. */
const maxSignatures = 20

/** Dots separate the signed parts. */
function isId(id: string): boolean {
  return /^[\w-]+$/.test(id)
}

function invalidId(): Verification & { isValid: false } {
  return failure('header_invalid', 'The header webhook-id is not an id.')
}

function standardOf(request: SignedRequest, read: ReadHeader): Signed | (Verification & { isValid: false }) {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    if (!read(name)) return missing(name)
  const id = read('webhook-id') ?? ''
  const text = read('webhook-timestamp') ?? ''
  const timestamp = readTimestamp(text)
  const signatures = [...(read('webhook-signature') ?? '').matchAll(/\bv1,([\w+/=-]+)/g)].map(
    ([, value = '']) => value,
  )
  if (!isId(id)) return invalidId()
  if (timestamp === undefined)
    return failure('header_invalid', 'The header webhook-timestamp is not a Unix time.')
  if (signatures.length === 0)
    return failure('header_invalid', 'The header webhook-signature has no signature of version 1.')
  if (signatures.length > maxSignatures)
    return failure(
      'header_invalid',
      `The header webhook-signature has more than ${maxSignatures} signatures.`,
    )
  return {
    name: 'webhook-signature',
    signatures,
    timestamp,
    content: contentOf(request),
    keys: ({ secrets }) => secrets,
    sign: (secret, content) => standardSignature(secret, { id, timestamp: text }, content),
  }
}

function accountOf(request: SignedRequest, read: ReadHeader): Signed | (Verification & { isValid: false }) {
  // The signature does not cover the id. Without it, all events would be duplicates of one.
  for (const name of ['x-signature', 'x-timestamp', 'x-nonce', 'webhook-id'])
    if (!read(name)) return missing(name)
  if (!isId(read('webhook-id') ?? '')) return invalidId()
  const { method, url } = request
  if (url === undefined)
    return failure('header_invalid', 'The URL of the webhook is needed to verify x-signature.')
  if (method.toUpperCase() === 'GET' && queryOf(url) !== request.query)
    return failure(
      'header_missing',
      'x-signature does not cover the query of a GET, unless it was made for the complete URL. Use webhook-signature.',
    )
  const text = read('x-timestamp') ?? ''
  const timestamp = readTimestamp(text)
  if (timestamp === undefined) return failure('header_invalid', 'The header x-timestamp is not a Unix time.')
  return {
    name: 'x-signature',
    signatures: [read('x-signature') ?? '', read('x-hookline-next-signature') ?? ''].filter(Boolean),
    timestamp,
    content: method.toUpperCase() === 'GET' ? Buffer.alloc(0) : Buffer.from(request.body),
    keys: ({ signingKeys }) => signingKeys,
    sign: (key, content) =>
      accountSignature(key, { timestamp: text, nonce: read('x-nonce') ?? '', method, url }, content),
  }
}

function matches({ signatures, sign }: Signed, key: string, content: Buffer): boolean {
  const expected = sign(key, content)
  return expected !== undefined && signatures.some((signature) => isEqual(signature, expected))
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function clockOff(offSeconds: number): Verification {
  const message =
    offSeconds > 0
      ? `made ${offSeconds} s ago. The clock of this machine is wrong, or an old request was sent again.`
      : `dated ${-offSeconds} s in the future. The clock of this machine is wrong.`
  return failure('clock_off', `The signature is valid, but it was ${message}`)
}

/** Changes that frameworks and tools make to a body, with the names that a developer knows them by. */
const bodyChanges: ReadonlyArray<readonly [name: string, undo: (text: string) => string]> = [
  ['whitespace was added or removed at the end', (text) => text.trimEnd()],
  ['a line feed was removed at the end', (text) => `${text}\n`],
  ['line feeds were changed to CRLF', (text) => text.replaceAll('\r\n', '\n')],
  ['it was parsed and serialized again', (text) => JSON.stringify(JSON.parse(text))],
  ['a byte order mark was added', (text) => text.replace(/^\uFEFF/, '')],
  ['the query was decoded', (text) => encodeURI(text)],
]

/** Nobody needs a secret to make the library explain, so the work is bounded. */
const maxExplainedBytes = 64 * 1024

/** Only after no signature matched: tells a changed body from a wrong secret, as far as that can be told. */
function explain(signed: Signed, account: Signed | undefined, keys: UsableKeys): Verification {
  if (account?.keys(keys).some((key) => matches(account, key, account.content)))
    return failure(
      'wrong_secret',
      'The account signature matches, so the body is right: the secret is that of another webhook, or was rotated.',
    )
  if (signed.name === 'webhook-signature' && signed.content.length === 0)
    return failure(
      'body_changed',
      'The body (of a GET: the query) is empty. Verify the raw body, before a framework parses it.',
    )
  const parts = account === undefined ? [signed] : [signed, account]
  for (const part of parts.filter(({ content }) => content.length <= maxExplainedBytes))
    for (const key of part.keys(keys))
      for (const [name, undo] of bodyChanges) {
        const content = attempt(() => Buffer.from(undo(part.content.toString())))
        if (content !== undefined && matches(part, key, content))
          return failure(
            'body_changed',
            `The body is not the one that was signed: ${name}. Verify the raw body, before a framework parses it.`,
          )
      }
  return failure(
    'wrong_secret',
    'No signature matches. The secret is that of another webhook or was rotated, or the body was changed beyond recognition.',
  )
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
