/**
 * The history of a hook for its account: who changed what, from which value to which. Header values never leave this
 * file, only header names. Versions of deleted hooks can be read as long as they are stored.
 */
import { sql } from 'kysely'
import { actorName } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { splitHeaders } from '../model/custom-headers.ts'
import type { Vault } from '../vault/vault.ts'
import type { ChangeKind } from './audit-change.ts'
import { minVersionsKept } from './compact-versions.ts'
import { type HookField, hookFields, settingsOf } from './hook-fields.ts'
import { type HookRecord, readHeaders } from './hook-record.ts'
import { hookNotFound } from './read-hook.ts'

/** Values of headers are their names, separated by commas; null if they cannot be decrypted. */
export interface FieldChange {
  field: HookField
  from: string | number | boolean | null
  to: string | number | boolean | null
}

export interface HookVersion {
  version: number
  at: Date
  change: ChangeKind
  actor: string
  actorName: string | null
  changes: FieldChange[]
  /** Compaction may have deleted versions between this one and the previous. */
  maySkipVersions: boolean
}

type VersionRecord = Omit<HookRecord, 'createdAt'>
type Row = VersionRecord & Pick<HookVersion, 'at' | 'change' | 'actor' | 'actorName'> & { version: string }

/** The value of versions from before limits were recorded. */
const unknownLimit = 0

/** Reads versions, newest first. `before`: only versions before this one. */
export async function readVersions(
  db: Database,
  vault: Vault,
  accountId: number,
  hookId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<HookVersion[]> {
  // One more: the oldest of the page is compared with its predecessor.
  const { rows } = await sql<Row & { maySkip: boolean }>`
    SELECT ${versionColumns}, ${actorName('versions')} AS actor_name,
           version <= coalesce((
             SELECT version FROM hook_versions AS newest WHERE account_id = ${accountId} AND hook_id = ${hookId}
             ORDER BY version DESC OFFSET ${minVersionsKept - 1} LIMIT 1), 0) AS may_skip
    FROM hook_versions AS versions
    WHERE account_id = ${accountId} AND hook_id = ${hookId} AND version < ${before ?? Number.MAX_SAFE_INTEGER}
    ORDER BY version DESC LIMIT ${limit + 1}
  `.execute(db)
  if (rows.length === 0 && (await currentVersion(db, accountId, hookId)) === 0) throw hookNotFound(hookId)
  return rows.slice(0, limit).map((row, index) => {
    const previous = rows[index + 1]
    return {
      version: Number(row.version),
      at: row.at,
      change: row.change,
      actor: row.actor,
      actorName: row.actorName,
      changes: previous === undefined ? [] : compareVersions(previous, row, accountId, vault),
      maySkipVersions: row.maySkip && previous !== undefined,
    }
  })
}

/** Returns undefined if the version is not stored. */
export async function readVersion(
  db: Database,
  accountId: number,
  hookId: number,
  version: number,
): Promise<(VersionRecord & { at: Date }) | undefined> {
  const { rows } = await sql<Row>`
    SELECT ${versionColumns} FROM hook_versions AS versions
    WHERE account_id = ${accountId} AND hook_id = ${hookId} AND version = ${version}
  `.execute(db)
  return rows[0]
}

/** Returns 0 for a hook without versions. */
export async function currentVersion(db: Database | Trx, accountId: number, hookId: number): Promise<number> {
  const newest = await db
    .selectFrom('hookVersions')
    .select('version')
    .where('accountId', '=', accountId)
    .where('hookId', '=', hookId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Number(newest?.version ?? 0)
}

const versionColumns = sql`
  versions.hook_id AS id, version, at, change, actor, target_url, event_type, registered_as, request_method, event_filter,
  headers, enabled, form_fields, retry_policy, accept_header, signature_url, name, description, max_per_second`

/** Returns the settings that differ. A limit that was not recorded is not compared. */
export function compareVersions(
  before: VersionRecord,
  after: VersionRecord,
  accountId: number,
  vault: Vault,
): FieldChange[] {
  const [old, current] = [settingsOf(before), settingsOf(after)]
  return hookFields.flatMap((field) => {
    if (field === 'headers') return compareHeaders(before.headers, after.headers, accountId, vault)
    const [from, to] = [old[field], current[field]]
    const isUnknown = field === 'max_per_second' && (from === unknownLimit || to === unknownLimit)
    return from === to || isUnknown ? [] : [{ field, from, to }]
  })
}

function compareHeaders(
  before: Buffer | null,
  after: Buffer | null,
  accountId: number,
  vault: Vault,
): FieldChange[] {
  if (before === after || (before !== null && after !== null && before.equals(after))) return []
  const [from, to] = [readHeaders(before, accountId, vault), readHeaders(after, accountId, vault)]
  if (from !== undefined && from === to) return []
  return [{ field: 'headers', from: headerNames(from), to: headerNames(to) }]
}

function headerNames(headers: string | undefined): string | null {
  if (headers === undefined) return null
  return splitHeaders(headers)
    .map(({ name }) => name)
    .join(', ')
}
