/** Imports API keys, in clear text or as a digest. */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { textArray } from '../../db/arrays.ts'
import type { Database, Trx } from '../../db/database.ts'
import { boolean, bytea, integer, text, timestamptz, unnestNumberedRows, unnestRows } from '../../db/rows.ts'
import type { Scope } from '../../model/caller.ts'
import { compareFields, type ImportComparison } from '../../model/import-comparison.ts'
import type { Vault } from '../../vault/vault.ts'
import { keyDigestContext, keySealContext } from './create-key.ts'
import { type DigestAlgorithm, importedKeyDigest } from './imported-keys.ts'
import { displayPrefix, isToken } from './token.ts'

/** The key itself, or its digest in lower-case hexadecimal digits. */
export type KeySource = { key: string } | { algorithm: DigestAlgorithm; digest: string }

/** Fields that the file lacks are undefined. They get the values of a new key. */
export interface ImportedKey {
  accountId: number
  name: string
  source: KeySource
  /** First characters, by which users identify a key that was imported as a digest. */
  prefix: string | undefined
  scopes: readonly Scope[] | undefined
  createdAt: Date | undefined
  expiresAt: Date | null | undefined
  /** Networks in CIDR notation. Empty for no restriction. */
  allowedIps: readonly string[] | undefined
  signedCallsRequired: boolean | undefined
}

export interface PreparedKey extends ImportedKey {
  digest: Buffer
  /** Null: the key has the format of Hookline's keys. */
  importedAs: 'key' | DigestAlgorithm | null
}

/** A key of another provider may be short, so fewer characters are shown. */
const importedPrefixLength = 4

export function prepareKey(vault: Vault, key: ImportedKey): PreparedKey {
  const { source } = key
  if ('digest' in source)
    return {
      ...key,
      digest: importedKeyDigest(vault, source.algorithm, source.digest),
      importedAs: source.algorithm,
    }
  if (isToken(source.key, 'hlk'))
    return {
      ...key,
      prefix: displayPrefix(source.key),
      digest: vault.digest(source.key, keyDigestContext),
      importedAs: null,
    }
  return {
    ...key,
    prefix: source.key.slice(0, importedPrefixLength),
    // The same as for a SHA-256 digest, so that a key cannot be imported in both forms.
    digest: importedKeyDigest(vault, 'sha256', hash('sha256', source.key, 'hex')),
    importedAs: 'key',
  }
}

interface Match {
  ordinal: string
  accountId: number
  name: string
  prefix: string
  importedAs: string | null
  scopes: string[]
  createdAt: Date
  expiresAt: Date | null
  hasSameIps: boolean
  signedCallsRequired: boolean
}

/** A key is identified by itself. One that was revoked since stays revoked. */
export async function compareKeys(
  db: Database | Trx,
  keys: readonly PreparedKey[],
): Promise<ImportComparison[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<Match>`
    SELECT ordinal, keys.account_id, keys.name, keys.prefix, keys.imported_as, keys.scopes, keys.created_at,
           keys.expires_at, keys.signed_calls_required,
           keys.allowed_ips IS NOT DISTINCT FROM input.allowed_ips::cidr[] AS has_same_ips
    FROM ${unnestNumberedRows('input', keys, {
      digest: bytea(({ digest }) => digest),
      allowed_ips: text(allowedIpsOf),
    })} JOIN keys ON keys.digest = input.digest
  `.execute(db)
  const matches = new Map(rows.map((row) => [Number(row.ordinal), row]))
  return keys.map((key, index) => {
    const row = matches.get(index + 1)
    if (row === undefined) return 'new'
    if (row.accountId !== key.accountId) return { problem: 'Another account has this API key.' }
    if (row.importedAs !== key.importedAs)
      return { problem: 'The API key exists, and was imported in another form.' }
    return compareFields('The API key', {
      name: [key.name, row.name],
      prefix: [key.prefix, row.prefix],
      scopes: [key.scopes, row.scopes],
      created_at: [key.createdAt, row.createdAt],
      expires_at: [key.expiresAt, row.expiresAt],
      allowed_ips: [key.allowedIps && true, row.hasSameIps],
      signed_calls_required: [key.signedCallsRequired, row.signedCallsRequired],
    })
  })
}

export async function insertKeys(trx: Trx, vault: Vault, keys: readonly PreparedKey[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    INSERT INTO keys (account_id, name, prefix, digest, sealed, imported_as, scopes, created_at, expires_at,
                      allowed_ips, signed_calls_required)
    SELECT account_id, name, prefix, digest, sealed, imported_as, scopes::text[], coalesce(created_at, now()),
           expires_at, allowed_ips::cidr[], coalesce(signed_calls_required, false)
    FROM ${unnestRows('input', keys, {
      account_id: integer(({ accountId }) => accountId),
      name: text(({ name }) => name),
      prefix: text(({ prefix }) => prefix ?? ''),
      digest: bytea(({ digest }) => digest),
      sealed: bytea((key) => sealSource(vault, key)),
      imported_as: text(({ importedAs }) => importedAs),
      scopes: text(({ scopes }) => textArray(scopes ?? ['all'])),
      created_at: timestamptz(({ createdAt }) => createdAt),
      expires_at: timestamptz(({ expiresAt }) => expiresAt),
      allowed_ips: text(allowedIpsOf),
      signed_calls_required: boolean(({ signedCallsRequired }) => signedCallsRequired),
    })}
  `.execute(trx)
}

function allowedIpsOf({ allowedIps = [] }: PreparedKey): string | null {
  return allowedIps.length === 0 ? null : textArray(allowedIps)
}

function sealSource(vault: Vault, { accountId, source }: PreparedKey): Buffer {
  return 'key' in source
    ? vault.seal(source.key, keySealContext(accountId))
    : vault.seal(source.digest, sourceDigestContext(accountId))
}

/** Another context than that of keys, so that a digest is never shown as the key. */
function sourceDigestContext(accountId: number): string {
  return `key-digest:${accountId}`
}

export interface StoredKey {
  accountId: number
  sealed: Buffer
  importedAs: string | null
}

/** Returns the key or its digest, for an export. */
export function openKeySource(vault: Vault, { accountId, sealed, importedAs }: StoredKey): KeySource {
  return importedAs === 'sha256' || importedAs === 'sha512'
    ? { algorithm: importedAs, digest: vault.open(sealed, sourceDigestContext(accountId)) }
    : { key: vault.open(sealed, keySealContext(accountId)) }
}
