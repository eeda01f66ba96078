/**
 * The history of a hook for its account: who changed what, from which value to which. Header values never leave this
 * file, only header names. Versions of deleted hooks can be read as long as they are stored.
 */
import { sql } from 'kysely'
import { actorName } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { splitHeaders } from '../model/custom-headers.ts'
import { defaultOptions } from '../model/delivery-options.ts'
import { readTypeList, type TypeList } from '../model/filter/type-list.ts'
import type { Vault } from '../vault/vault.ts'
import type { ChangeKind } from './audit-change.ts'
import { minVersionsKept } from './compact-versions.ts'
import { hookFields, settingsOf } from './hook-fields.ts'
import { type HookRecord, readHeaders } from './hook-record.ts'
import { hookNotFound } from './read-hook.ts'

/** `event_types` replaces `event_type` if a version has a list of types. Its filter is then the one beside the list. */
export const versionFields = [...hookFields, 'event_types'] as const
type VersionField = (typeof versionFields)[number]

/** Values of headers are their names, separated by commas; null if they cannot be decrypted. */
export interface FieldChange {
  field: VersionField
  from: string | number | boolean | null
  to: string | number | boolean | null
}

export interface HookVersion {
  version: number
  at: Date
  change: ChangeKind
  actor: string
  actorName: string | null
  /** For the first version, its settings other than the defaults. */
  changes: FieldChange[]
  /** The earlier version that this one restored. Its time is null once it is deleted. */
  restored: { version: number; at: Date | null } | null
  /** Compaction may have deleted versions between this one and the previous. */
  maySkipVersions: boolean
}

type VersionRecord = Omit<HookRecord, 'createdAt'>
type Row = VersionRecord & Pick<HookVersion, 'at' | 'change' | 'actor' | 'actorName'> & { version: string }

/** The value of versions from before limits were recorded. */
const unknownLimit = 0

/** A version has no column for this. It has the time of its audit entry, because both are one commit. */
const maxAuditEntries = 10_000

/** Reads versions, newest first. `before`: only versions before this one. */
export async function readVersions(
  db: Database,
  vault: Vault,
  accountId: number,
  hookId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<HookVersion[]> {
  // One more: the oldest of the page is compared with its predecessor.
  const { rows } = await sql<
    Row & { maySkip: boolean; restoredVersion: string | null; restoredAt: Date | null }
  >`
    WITH restorations AS MATERIALIZED (
      SELECT at, (detail ->> 'restored_version')::bigint AS version FROM (
        SELECT * FROM audit WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${maxAuditEntries}
      ) AS recent
      WHERE action = 'hook.change' AND subject = ${`hook:${hookId}`} AND detail -> 'restored_version' IS NOT NULL
    )
    SELECT ${versionColumns}, ${actorName('versions')} AS actor_name,
           versions.version <= coalesce((
             SELECT version FROM hook_versions AS newest WHERE account_id = ${accountId} AND hook_id = ${hookId}
             ORDER BY version DESC OFFSET ${minVersionsKept - 1} LIMIT 1), 0) AS may_skip,
           restored.version AS restored_version, restored.at AS restored_at
    FROM hook_versions AS versions LEFT JOIN LATERAL (
      SELECT restorations.version, earlier.at FROM restorations LEFT JOIN hook_versions AS earlier
        ON earlier.account_id = ${accountId} AND earlier.hook_id = ${hookId} AND earlier.version = restorations.version
      WHERE restorations.at = versions.at LIMIT 1
    ) AS restored ON true
    WHERE account_id = ${accountId} AND hook_id = ${hookId} AND versions.version < ${before ?? Number.MAX_SAFE_INTEGER}
    ORDER BY versions.version DESC LIMIT ${limit + 1}
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
      changes:
        previous === undefined
          ? initialSettings(row, accountId, vault)
          : compareVersions(previous, row, accountId, vault),
      restored:
        row.restoredVersion === null ? null : { version: Number(row.restoredVersion), at: row.restoredAt },
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
  versions.hook_id AS id, versions.version, versions.at, change, actor, target_url, event_type, registered_as, request_method, event_filter,
  headers, enabled, form_fields, retry_policy, accept_header, trace_header, signature_url, name, description, max_per_second`

/** Returns the settings that differ. A limit that was not recorded is not compared. */
export function compareVersions(
  before: VersionRecord,
  after: VersionRecord,
  accountId: number,
  vault: Vault,
): FieldChange[] {
  const hasList = [before, after].some((version) => typeListOf(version) !== undefined)
  const [old, current] = [valuesOf(before, hasList), valuesOf(after, hasList)]
  return versionFields.flatMap((field) => {
    if (field === 'headers') return compareHeaders(before.headers, after.headers, accountId, vault)
    const [from, to] = [old[field], current[field]]
    const isUnknown = field === 'max_per_second' && (from === unknownLimit || to === unknownLimit)
    return from === to || isUnknown ? [] : [{ field, from, to }]
  })
}

const defaults: Partial<Record<VersionField, FieldChange['to']>> = {
  max_per_second: unknownLimit,
  form_fields: defaultOptions.formFields,
  retry_policy: defaultOptions.retryPolicy,
  accept_header: defaultOptions.acceptHeader,
  trace_header: defaultOptions.traceHeader,
  signature_url: defaultOptions.signatureUrl,
}

function initialSettings(version: VersionRecord, accountId: number, vault: Vault): FieldChange[] {
  const values = valuesOf(version, typeListOf(version) !== undefined)
  return versionFields.flatMap((field) => {
    const to =
      field === 'headers'
        ? headerNames(readHeaders(version.headers, accountId, vault)) || null
        : values[field]
    return to === null || to === defaults[field] ? [] : [{ field, from: null, to }]
  })
}

type Values = Record<Exclude<VersionField, 'headers'>, FieldChange['from']>

function valuesOf(version: VersionRecord, hasList: boolean): Values {
  const settings = settingsOf(version)
  if (!hasList) return { ...settings, event_types: null }
  const list = typeListOf(version)
  return {
    ...settings,
    event_type: null,
    event_types: (list?.types ?? [settings.event_type]).join(', '),
    event_filter: list === undefined ? settings.event_filter : list.filter,
  }
}

function typeListOf({ eventType, eventFilter }: VersionRecord): TypeList | undefined {
  return readTypeList(eventType, eventFilter)
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
