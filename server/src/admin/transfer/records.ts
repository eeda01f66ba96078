/**
 * The format of imports and exports: JSON Lines, first a header, then one record per line. Each kind of record has one
 * table of fields. A field that is not in the table is rejected, so that a misspelled one is not lost.
 */
import { z } from 'zod'
import type { ImportedHook } from '../../hooks/import-hooks.ts'
import type { ImportedAccount } from '../../identity/accounts/import-accounts.ts'
import { roles } from '../../model/role.ts'
import type { ImportedLogin } from '../../identity/accounts/import-logins.ts'
import { type DigestAlgorithm, isImportable } from '../../identity/keys/imported-keys.ts'
import type { ImportedKey, KeySource } from '../../identity/keys/import-keys.ts'
import { type Scope, scopes } from '../../model/caller.ts'
import { describeIssue } from '../../model/describe-issue.ts'
import {
  descriptionRule,
  displayName,
  hookDescription,
  hookName,
  nameRule,
} from '../../model/display-name.ts'
import { formFieldStyles, retryPolicies, signatureUrls } from '../../model/delivery-options.ts'
import { requestMethods } from '../../model/hook.ts'
import { isNetwork } from '../../model/ip.ts'
import { compactJson, memberTexts } from '../../model/json-text.ts'

export const formatName = 'hookline'
export const formatVersion = 1

/** Leaves ids for new accounts and hooks: ids have 31 bits. */
const maxImportedId = 2_000_000_000

const id = z.int().min(1).max(maxImportedId)

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const text = z.string().refine((value) => !value.includes('\0') && value.isWellFormed(), {
  error: 'contains characters that cannot be stored',
})

const name = text.regex(displayName, { error: `must have 1 to 100 characters: ${nameRule}` })

const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' })
  .transform((value) => new Date(value))
  .refine((at) => at.getUTCFullYear() >= 1970 && at.getUTCFullYear() < 2200, {
    error: 'must be between the years 1970 and 2199',
  })

const statuses = { default: null, http: false, original: true } as const

const signingKey = z.string().regex(/^[\x21-\x7e]{16,256}$/, {
  error: 'must have 16 to 256 visible ASCII characters',
})

const hookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{22,86}={0,2}$/, {
    error: 'must be "whsec_" and 16 to 64 bytes in Base64',
  })
  .transform((value) => Buffer.from(value.slice('whsec_'.length), 'base64'))
  .refine((secret) => secret.length >= 16 && secret.length <= 64, {
    error: 'must be "whsec_" and 16 to 64 bytes in Base64',
  })

const network = z
  .string()
  .refine(isNetwork, { error: 'must contain IP addresses or networks such as 192.0.2.7 or 192.0.2.0/24' })

const recordFields = {
  account: {
    id,
    name,
    created_at: time.optional(),
    suspended: z.boolean().optional(),
    statuses: z.enum(['default', 'http', 'original']).optional(),
    signed_calls_required: z.boolean().optional(),
    signing_key: signingKey.optional(),
  },
  login: {
    account_id: id,
    alias: text,
    email: text.nullable(),
    role: z.enum(roles).optional(),
    can_reveal: z.boolean().optional(),
    can_export: z.boolean().optional(),
    created_at: time.optional(),
  },
  key: {
    account_id: id,
    name,
    prefix: text.max(8).optional(),
    scopes: z
      .array(z.enum(Object.keys(scopes) as Scope[]))
      .min(1)
      .optional(),
    created_at: time.optional(),
    expires_at: time.nullish(),
    allowed_ips: z.array(network).max(50).nullish(),
    signed_calls_required: z.boolean().optional(),
    key: z
      .string()
      .refine(isImportable, { error: 'must have 16 to 256 visible ASCII characters' })
      .optional(),
    key_sha256: digest(32).optional(),
    key_sha512: digest(64).optional(),
  },
  hook: {
    account_id: id,
    id,
    target_url: text,
    event_type: text,
    request_method: z.string().toUpperCase().pipe(z.enum(requestMethods)).optional(),
    event_filter: text.nullish(),
    headers: text.nullish(),
    enabled: z.boolean().optional(),
    max_per_second: z.int().min(1).max(1_000_000).nullish(),
    form_fields: z.enum(formFieldStyles).optional(),
    retry_policy: z.enum(retryPolicies).optional(),
    accept_header: z.boolean().optional(),
    trace_header: z.boolean().optional(),
    signature_url: z.enum(signatureUrls).optional(),
    name: text.regex(hookName, { error: `must have 1 to 200 characters in one line: ${nameRule}` }).nullish(),
    description: text
      .regex(hookDescription, { error: `must have 1 to 1,000 characters: ${descriptionRule}` })
      .nullish(),
    created_at: time.optional(),
    secret: hookSecret.optional(),
  },
} as const

export type RecordKind = keyof typeof recordFields
export const recordKinds = Object.keys(recordFields) as RecordKind[]

const schemas = {
  account: z.strictObject({ kind: z.literal('account'), ...recordFields.account }),
  login: z.strictObject({ kind: z.literal('login'), ...recordFields.login }),
  key: z.strictObject({ kind: z.literal('key'), ...recordFields.key }),
  hook: z.strictObject({ kind: z.literal('hook'), ...recordFields.hook }),
}

export type ImportRecord =
  | { kind: 'account'; value: ImportedAccount }
  | { kind: 'login'; value: ImportedLogin }
  | { kind: 'key'; value: ImportedKey }
  | { kind: 'hook'; value: ImportedHook }

/** A line that cannot be imported. The message never contains a value of the line, which may be a secret. */
export class InvalidRecord extends Error {
  /** Undefined: the line has no known kind. */
  readonly kind: RecordKind | undefined

  constructor(message: string, kind?: RecordKind) {
    super(message)
    this.kind = kind
  }
}

/** Throws if the first line is not the header of a known version. */
export function checkHeader(line: string): void {
  const parsed = z
    .strictObject({ format: z.literal(formatName), version: z.int() })
    .safeParse(parseJson(line))
  if (!parsed.success)
    throw new InvalidRecord(
      `The first line is not the header {"format":"${formatName}","version":${formatVersion}}.`,
    )
  const { version } = parsed.data
  if (version !== formatVersion)
    throw new InvalidRecord(`Version ${version} of the format is unknown. Use version ${formatVersion}.`)
}

export function parseRecord(line: string): ImportRecord {
  const input = parseJson(line)
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new InvalidRecord('The line is not a JSON object.')
  const kind = recordKinds.find(
    (known) => Object.hasOwn(input, 'kind') && known === (input as { kind: unknown }).kind,
  )
  if (kind === undefined) throw new InvalidRecord(`"kind" must be one of ${recordKinds.join(', ')}.`)
  const names = memberTexts(compactJson(line)).map(([member]) => member)
  if (new Set(names).size < names.length) throw new InvalidRecord('A field occurs twice.', kind)
  switch (kind) {
    case 'account':
      return { kind, value: toAccount(validate(kind, schemas.account, input)) }
    case 'login':
      return { kind, value: toLogin(validate(kind, schemas.login, input)) }
    case 'key':
      return { kind, value: toKey(validate(kind, schemas.key, input)) }
    case 'hook':
      return { kind, value: toHook(validate(kind, schemas.hook, input)) }
  }
}

/** The error of JSON.parse quotes the text. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new InvalidRecord('The line is not valid JSON.')
  }
}

function validate<Schema extends z.ZodType>(
  kind: RecordKind,
  schema: Schema,
  input: object,
): z.infer<Schema> {
  const parsed = schema.safeParse(input, { error: describeIssue })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys')
    throw new InvalidRecord(`Unknown field ${printable(issue.keys[0] ?? '')}.`, kind)
  const field = String(issue?.path[0])
  throw new InvalidRecord(
    Object.hasOwn(input, field) ? `"${field}" ${issue?.message}.` : `"${field}" is missing.`,
    kind,
  )
}

function printable(field: string): string {
  return `"${field.slice(0, 50).replaceAll(/[^\x20-\x7e]/g, '?')}"`
}

/** Hexadecimal digits or Base64, told apart by their length. Returns lower-case hexadecimal digits. */
function digest(bytes: number) {
  const base64Length = Math.ceil((bytes * 4) / 3)
  const isHex = new RegExp(`^[0-9A-Fa-f]{${bytes * 2}}$`)
  const isBase64 = new RegExp(`^[A-Za-z0-9+/_-]{${base64Length}}={0,2}$`)
  return z
    .string()
    .refine((value) => isHex.test(value) || isBase64.test(value), {
      error: `must be ${bytes} bytes in hexadecimal digits or Base64`,
    })
    .transform((value) =>
      isHex.test(value) ? value.toLowerCase() : Buffer.from(value, 'base64').toString('hex'),
    )
}

function toAccount(input: z.infer<typeof schemas.account>): ImportedAccount {
  return {
    id: input.id,
    name: input.name,
    createdAt: input.created_at,
    isSuspended: input.suspended,
    originalStatuses: input.statuses && statuses[input.statuses],
    signedCallsRequired: input.signed_calls_required,
    signingKey: input.signing_key,
  }
}

function toLogin(input: z.infer<typeof schemas.login>): ImportedLogin {
  return {
    accountId: input.account_id,
    alias: input.alias,
    email: input.email,
    role: input.role ?? 'owner',
    canReveal: input.can_reveal ?? true,
    canExport: input.can_export ?? true,
    createdAt: input.created_at,
  }
}

function toKey(input: z.infer<typeof schemas.key>): ImportedKey {
  return {
    accountId: input.account_id,
    name: input.name,
    source: keySource(input),
    prefix: input.prefix,
    scopes: input.scopes,
    createdAt: input.created_at,
    expiresAt: input.expires_at,
    allowedIps: input.allowed_ips ?? (input.allowed_ips === null ? [] : undefined),
    signedCallsRequired: input.signed_calls_required,
  }
}

function keySource(input: z.infer<typeof schemas.key>): KeySource {
  const sources: KeySource[] = []
  if (input.key !== undefined) sources.push({ key: input.key })
  for (const algorithm of ['sha256', 'sha512'] satisfies DigestAlgorithm[]) {
    const value = input[`key_${algorithm}`]
    if (value !== undefined) sources.push({ algorithm, digest: value })
  }
  const [source] = sources
  if (source === undefined || sources.length > 1)
    throw new InvalidRecord('Exactly one of "key", "key_sha256" and "key_sha512" is needed.', 'key')
  if ('key' in source && input.prefix !== undefined)
    throw new InvalidRecord('"prefix" is only for a digest. It is known for a key.', 'key')
  return source
}

function toHook(input: z.infer<typeof schemas.hook>): ImportedHook {
  return {
    accountId: input.account_id,
    id: input.id,
    targetUrl: input.target_url,
    eventType: input.event_type,
    requestMethod: input.request_method ?? 'POST',
    eventFilter: input.event_filter === '' ? null : (input.event_filter ?? null),
    headers: input.headers ?? '',
    hasHeaders: input.headers !== undefined,
    enabled: input.enabled,
    maxPerSecond: input.max_per_second,
    options: {
      formFields: input.form_fields,
      retryPolicy: input.retry_policy,
      acceptHeader: input.accept_header,
      traceHeader: input.trace_header,
      signatureUrl: input.signature_url,
    },
    texts: { name: input.name, description: input.description },
    createdAt: input.created_at,
    secret: input.secret,
  }
}
