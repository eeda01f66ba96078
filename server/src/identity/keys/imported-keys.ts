/**
 * API keys of another provider. They lack the prefix and checksum of Hookline's keys, and some were imported as a SHA-2
 * digest only. The database stores a keyed digest of that digest: with the bare one, a thief of the database could test
 * guesses, or use it where the other provider accepts it.
 */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../vault/vault.ts'
import { keyDigestContext } from './create-key.ts'
import { isToken } from './token.ts'

const digestAlgorithms = ['sha256', 'sha512'] as const
export type DigestAlgorithm = (typeof digestAlgorithms)[number]

/** Shorter keys could be guessed. Spaces would not survive in a header. */
const format = /^[\x21-\x7e]{16,256}$/

export function isImportable(key: string): boolean {
  return format.test(key)
}

/** `sourceDigest` is in lower-case hexadecimal digits. */
export function importedKeyDigest(vault: Vault, algorithm: DigestAlgorithm, sourceDigest: string): Buffer {
  return vault.digest(sourceDigest, `${keyDigestContext}:${algorithm}`)
}

export interface ImportedKeys {
  /** Returns the stored digests that a key can have. Empty: the key has no valid format. */
  digestsOf: (key: string) => Buffer[]
  /** Records whether the installation has imported keys, as of the last lookup. */
  observe: (hasAny: boolean) => void
  /** Whether a key may be an imported one: its format is valid, and the installation has imported keys. */
  mayInclude: (key: string) => Promise<boolean>
  /** Whether a `p` beside `u` is an imported key and not a password. */
  includes: (key: string) => Promise<boolean>
}

/**
 * Without imported keys, malformed keys are rejected without a lookup. A process learns within this time that keys were
 * imported. That there are some is never forgotten: it costs only lookups.
 */
const recheckMs = 5_000

/** `db` is for anonymous callers, because `includes` runs before a password is verified. */
export function createImportedKeys(db: Database, vault: Vault): ImportedKeys {
  let isKnown = false
  let noneUntil = 0
  const observe: ImportedKeys['observe'] = (hasAny) => {
    isKnown ||= hasAny
    noneUntil = hasAny ? 0 : performance.now() + recheckMs
  }
  const isCandidate = (key: string): boolean => isImportable(key) && performance.now() >= noneUntil
  let checking: Promise<boolean> | undefined
  const readHasAny = async (): Promise<boolean> => {
    const { rows } = await sql<{ hasAny: boolean }>`SELECT ${hasImportedKeys} AS has_any`.execute(db)
    const hasAny = rows[0]?.hasAny ?? false
    observe(hasAny)
    return hasAny
  }
  const importedDigests = (key: string): Buffer[] =>
    isCandidate(key)
      ? digestAlgorithms.map((algorithm) => importedKeyDigest(vault, algorithm, hash(algorithm, key, 'hex')))
      : []
  return {
    observe,
    digestsOf: (key) => [
      ...(isToken(key, 'hlk') ? [vault.digest(key, keyDigestContext)] : []),
      ...importedDigests(key),
    ],
    async mayInclude(key) {
      if (!isCandidate(key) || isKnown) return isCandidate(key)
      // Concurrent calls share one lookup: a crowd of passwords must not wait for each other here.
      checking ??= readHasAny().finally(() => (checking = undefined))
      return checking
    },
    async includes(key) {
      const digests = importedDigests(key)
      if (digests.length === 0) return false
      const { rows } = await sql<{ hasAny: boolean; isKey: boolean }>`
        SELECT ${hasImportedKeys} AS has_any, EXISTS (SELECT FROM keys WHERE digest = ANY (${digests})) AS is_key
      `.execute(db)
      observe(rows[0]?.hasAny ?? false)
      return rows[0]?.isKey ?? false
    },
  }
}

export const hasImportedKeys = sql<boolean>`EXISTS (SELECT FROM keys WHERE imported_as IS NOT NULL)`
