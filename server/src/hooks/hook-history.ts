/** Reads earlier versions of hooks: at a version of the account's hooks, or at the time of an attempt. */
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'
import { splitHeaders } from '../model/custom-headers.ts'
import type { DeliveryOptions } from '../model/delivery-options.ts'
import type { RequestMethod } from '../model/hook.ts'
import { callUrlOf } from '../model/target-url.ts'
import type { Vault } from '../vault/vault.ts'
import type { ChangeKind } from './audit-change.ts'
import { readHeaders, registeredName } from './hook-record.ts'
import { wasUsed } from './version-uses.ts'

export interface HookSnapshot {
  hookId: number
  targetUrl: string
  eventType: string
  eventFilter: string | null
  requestMethod: RequestMethod
  enabled: boolean
  /** The change that created this version, and its time. */
  change: ChangeKind
  changedAt: Date
  /** The hook did not exist at the version. This is its first version. */
  isLater: boolean
  /** The newest changes after the version. */
  laterChanges: ReadonlyArray<{ change: ChangeKind; at: string }>
}

const maxLaterChanges = 10
/** Hooks deleted earlier than this are not mentioned. */
export const deletedHookDays = 30
/** Of hooks deleted before any event was matched against them, only the newest of an account are mentioned. */
export const maxUnusedHooks = 1_000

/** Returns every hook that existed at a version or later, or that was deleted shortly before. */
export async function hooksAt(
  db: Database,
  accountId: number,
  version: string,
  at: Date,
): Promise<HookSnapshot[]> {
  const { rows } = await sql<HookSnapshot>`
    WITH RECURSIVE ids AS (
      (SELECT hook_id, 1 AS rank FROM hook_versions WHERE account_id = ${accountId} ORDER BY hook_id DESC LIMIT 1)
      UNION ALL
      SELECT (SELECT next.hook_id FROM hook_versions AS next WHERE account_id = ${accountId} AND next.hook_id < ids.hook_id
              ORDER BY next.hook_id DESC LIMIT 1), rank + 1
      FROM ids WHERE ids.hook_id IS NOT NULL
    )
    SELECT ids.hook_id, target_url, ${registeredName('found')} AS event_type, event_filter, request_method, enabled, change,
           at AS changed_at, found.version > ${version}::bigint AS is_later, later_changes
    FROM ids
    CROSS JOIN LATERAL (
      -- The last version up to the requested one, else the first one after it.
      (SELECT * FROM hook_versions WHERE account_id = ${accountId} AND hook_id = ids.hook_id AND version <= ${version}::bigint
       ORDER BY version DESC LIMIT 1)
      UNION ALL
      (SELECT * FROM hook_versions WHERE account_id = ${accountId} AND hook_id = ids.hook_id AND version > ${version}::bigint
       ORDER BY version LIMIT 1)
      LIMIT 1
    ) AS found
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('change', change, 'at', at) ORDER BY version), '[]') AS later_changes
      FROM (
        SELECT change, at, version FROM hook_versions
        WHERE account_id = ${accountId} AND hook_id = ids.hook_id AND version > greatest(${version}::bigint, found.version)
        ORDER BY version DESC LIMIT ${maxLaterChanges}
      ) AS changes
    ) AS later
    WHERE (change <> 'deleted' OR found.at > ${at}::timestamptz - make_interval(days => ${deletedHookDays}))
      AND (rank <= ${maxUnusedHooks} OR EXISTS (
        SELECT FROM (
          SELECT min(version) AS first, max(version) AS last FROM hook_versions AS all_versions
          WHERE all_versions.account_id = ${accountId} AND all_versions.hook_id = ids.hook_id
        ) AS lifetime
        WHERE ${wasUsed(sql`${accountId}`, sql`lifetime.first`, sql`lifetime.last`)}
          OR EXISTS (SELECT FROM hooks WHERE hooks.account_id = ${accountId} AND hooks.id = ids.hook_id)))
    ORDER BY ids.hook_id
  `.execute(db)
  return rows
}

/** URL, method, headers and delivery options of a hook at some time. */
export interface HookEndpoint extends DeliveryOptions {
  targetUrl: string
  callUrl: string
  requestMethod: RequestMethod
  headers: ReadonlyArray<{ name: string; value: string }>
}

interface EndpointRow extends DeliveryOptions {
  targetUrl: string
  requestMethod: RequestMethod
  headers: Buffer | null
}

/** Returns the endpoint of each hook at each time, as far as known: a change within the same second may be missed. */
export async function targetsAt(
  db: Database,
  vault: Vault,
  accountId: number,
  moments: ReadonlyArray<{ hookId: number; at: Date }>,
): Promise<Array<HookEndpoint | undefined>> {
  const { rows } = await sql<EndpointRow & { ordinal: string }>`
    SELECT ordinal, found.target_url, found.request_method, found.headers, found.form_fields, found.retry_policy,
           found.accept_header, found.trace_header, found.signature_url
    FROM unnest(
      ${plainArray(moments.map(({ hookId }) => hookId))}::integer[],
      ${plainArray(moments.map(({ at }) => at))}::timestamptz[]
    ) WITH ORDINALITY AS input (hook_id, at, ordinal)
    CROSS JOIN LATERAL (
      -- A version that no worker loaded was not used for sending, whatever its time.
      (SELECT target_url, request_method, headers, form_fields, retry_policy, accept_header, trace_header, signature_url
       FROM hook_versions
       WHERE account_id = ${accountId} AND hook_versions.hook_id = input.hook_id AND hook_versions.at <= input.at
         AND ${wasUsed(
           sql`${accountId}`,
           sql`hook_versions.version`,
           sql`(SELECT min(next.version) FROM hook_versions AS next WHERE next.account_id = ${accountId}
                AND next.hook_id = input.hook_id AND next.version > hook_versions.version)`,
         )}
       ORDER BY version DESC LIMIT 1)
      UNION ALL
      (SELECT target_url, request_method, headers, form_fields, retry_policy, accept_header, trace_header, signature_url
       FROM hook_versions
       WHERE account_id = ${accountId} AND hook_versions.hook_id = input.hook_id AND hook_versions.at <= input.at
       ORDER BY version DESC LIMIT 1)
      LIMIT 1
    ) AS found
  `.execute(db)
  const byIndex = new Map(rows.map((row) => [Number(row.ordinal) - 1, row]))
  return moments.map((_, index) => {
    const row = byIndex.get(index)
    return row && toEndpoint(row, accountId, vault)
  })
}

function toEndpoint(
  {
    targetUrl,
    requestMethod,
    headers,
    formFields,
    retryPolicy,
    acceptHeader,
    traceHeader,
    signatureUrl,
  }: EndpointRow,
  accountId: number,
  vault: Vault,
): HookEndpoint {
  return {
    targetUrl,
    callUrl: callUrlOf(new URL(targetUrl)),
    requestMethod,
    formFields,
    retryPolicy,
    acceptHeader,
    traceHeader,
    signatureUrl,
    headers: splitHeaders(readHeaders(headers, accountId, vault) ?? ''),
  }
}
