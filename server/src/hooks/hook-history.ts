/** What hooks looked like before: at a version of the account's hooks, or at the time of an attempt. */
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'
import { splitHeaders } from '../model/custom-headers.ts'
import type { EventType, RequestMethod } from '../model/hook.ts'
import { callUrlOf } from '../model/target-url.ts'
import type { Vault } from '../vault/vault.ts'
import { readHeaders } from './hook-record.ts'
import { wasUsed } from './version-uses.ts'

export interface HookThen {
  hookId: number
  targetUrl: string
  eventType: EventType
  eventFilter: string | null
  requestMethod: RequestMethod
  enabled: boolean
  /** What made it so, and when. */
  change: string
  changedAt: Date
  /** It did not exist at the version: this is what it was made as, afterwards. */
  isLater: boolean
  /** The newest changes after the version. */
  laterChanges: ReadonlyArray<{ change: string; at: string }>
}

const mostLaterChanges = 10
/** Of hooks that were deleted longer before, nobody asks. */
export const rememberedDays = 30
/** Of hooks that were deleted before any event was matched against them, only these newest of an account are mentioned. */
export const maxUnusedHooks = 1_000

/** Every hook that the account had at a version or has had since, or that was deleted not long before. */
export async function hooksAt(
  db: Database,
  accountId: number,
  version: string,
  at: Date,
): Promise<HookThen[]> {
  const { rows } = await sql<HookThen>`
    WITH RECURSIVE ids AS (
      (SELECT hook_id, 1 AS place FROM hook_versions WHERE account_id = ${accountId} ORDER BY hook_id DESC LIMIT 1)
      UNION ALL
      SELECT (SELECT own.hook_id FROM hook_versions AS own WHERE account_id = ${accountId} AND own.hook_id < ids.hook_id
              ORDER BY own.hook_id DESC LIMIT 1), place + 1
      FROM ids WHERE ids.hook_id IS NOT NULL
    )
    SELECT ids.hook_id, target_url, event_type, event_filter, request_method, enabled, change, at AS changed_at,
           own.version > ${version}::bigint AS is_later, later_changes
    FROM ids
    CROSS JOIN LATERAL (
      -- The last one until the version, else the first one after it.
      (SELECT * FROM hook_versions WHERE account_id = ${accountId} AND hook_id = ids.hook_id AND version <= ${version}::bigint
       ORDER BY version DESC LIMIT 1)
      UNION ALL
      (SELECT * FROM hook_versions WHERE account_id = ${accountId} AND hook_id = ids.hook_id AND version > ${version}::bigint
       ORDER BY version LIMIT 1)
      LIMIT 1
    ) AS own
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('change', change, 'at', at) ORDER BY version), '[]') AS later_changes
      FROM (
        SELECT change, at, version FROM hook_versions
        WHERE account_id = ${accountId} AND hook_id = ids.hook_id AND version > greatest(${version}::bigint, own.version)
        ORDER BY version DESC LIMIT ${mostLaterChanges}
      ) AS changes
    ) AS later
    WHERE (change <> 'deleted' OR own.at > ${at}::timestamptz - make_interval(days => ${rememberedDays}))
      AND (place <= ${maxUnusedHooks} OR EXISTS (
        SELECT FROM (
          SELECT min(version) AS first, max(version) AS last FROM hook_versions AS every_one
          WHERE every_one.account_id = ${accountId} AND every_one.hook_id = ids.hook_id
        ) AS life
        WHERE ${wasUsed(sql`${accountId}`, sql`life.first`, sql`life.last`)}
          OR EXISTS (SELECT FROM hooks WHERE hooks.account_id = ${accountId} AND hooks.id = ids.hook_id)))
    ORDER BY ids.hook_id
  `.execute(db)
  return rows
}

/** Where a hook led and what it sent along. */
export interface HookAddress {
  targetUrl: string
  callUrl: string
  requestMethod: RequestMethod
  headers: ReadonlyArray<{ name: string; value: string }>
}

interface AddressRow {
  targetUrl: string
  requestMethod: RequestMethod
  headers: Buffer | null
}

/** For each hook and time what it was then, as far as is known: a change of that very second may have come too late. */
export async function addressesAt(
  db: Database,
  vault: Vault,
  accountId: number,
  moments: ReadonlyArray<{ hookId: number; at: Date }>,
): Promise<Array<HookAddress | undefined>> {
  const { rows } = await sql<AddressRow & { place: string }>`
    SELECT place, own.target_url, own.request_method, own.headers
    FROM unnest(
      ${plainArray(moments.map(({ hookId }) => hookId))}::integer[],
      ${plainArray(moments.map(({ at }) => at))}::timestamptz[]
    ) WITH ORDINALITY AS given (hook_id, at, place)
    CROSS JOIN LATERAL (
      -- A version that no worker ever loaded was not the one that was sent by, whatever the time says.
      (SELECT target_url, request_method, headers FROM hook_versions
       WHERE account_id = ${accountId} AND hook_versions.hook_id = given.hook_id AND hook_versions.at <= given.at
         AND ${wasUsed(
           sql`${accountId}`,
           sql`hook_versions.version`,
           sql`(SELECT min(next.version) FROM hook_versions AS next WHERE next.account_id = ${accountId}
                AND next.hook_id = given.hook_id AND next.version > hook_versions.version)`,
         )}
       ORDER BY version DESC LIMIT 1)
      UNION ALL
      (SELECT target_url, request_method, headers FROM hook_versions
       WHERE account_id = ${accountId} AND hook_versions.hook_id = given.hook_id AND hook_versions.at <= given.at
       ORDER BY version DESC LIMIT 1)
      LIMIT 1
    ) AS own
  `.execute(db)
  const found = new Map(rows.map((row) => [Number(row.place) - 1, row]))
  return moments.map((_, place) => {
    const row = found.get(place)
    return row && addressOf(row, accountId, vault)
  })
}

function addressOf(
  { targetUrl, requestMethod, headers }: AddressRow,
  accountId: number,
  vault: Vault,
): HookAddress {
  return {
    targetUrl,
    callUrl: callUrlOf(new URL(targetUrl)),
    requestMethod,
    headers: splitHeaders(readHeaders(headers, accountId, vault) ?? ''),
  }
}
