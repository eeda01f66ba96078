/** Records that webhooks lost deliveries, or are about to lose those on hold. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { fairly, insertNotices } from '../db/notice-outbox.ts'
import { heldDays } from '../delivery/queue/finish.ts'

const maxCounted = 10_000
/** As for the state "degraded" of a webhook. */
const oneLostIn = 100

/** Records webhooks that lost at least one in 100 deliveries of the last day. Each is told at most once per day. */
export async function recordLosses(db: Database): Promise<void> {
  await sql`
    WITH affected AS MATERIALIZED (
      SELECT account_id, hook_id, min(hour) AS streak FROM rollups
      WHERE hour > now() - interval '24 hours' AND (failed > 0 OR expired > 0)
      GROUP BY account_id, hook_id
    )
    ${insertNotices(fairly`
      SELECT affected.*, 'lost' AS kind, jsonb_build_object('lost', lost, 'finished', finished) AS detail
      FROM affected
      -- Events of a disabled webhook expire because users have not enabled it.
      JOIN hooks ON hooks.account_id = affected.account_id AND hooks.id = affected.hook_id AND hooks.enabled
      CROSS JOIN LATERAL (
        SELECT sum(failed + expired)::float8 AS lost, sum(delivered + failed + expired)::float8 AS finished FROM rollups
        WHERE rollups.account_id = affected.account_id AND rollups.hook_id = affected.hook_id
          AND hour > now() - interval '24 hours'
      ) AS day
      WHERE lost * ${oneLostIn} >= finished AND NOT EXISTS (
        SELECT FROM notices WHERE notices.account_id = affected.account_id AND notices.subject = 'hook:' || affected.hook_id
          AND notices.kind = 'lost' AND notices.created_at > now() - interval '24 hours')`)}
  `.execute(db)
}

/**
 * Records disabled webhooks whose first deliveries on hold expire within a day. Each is told once until it is enabled, and
 * again after 30 days.
 */
export async function recordExpiring(db: Database): Promise<void> {
  const isHeld = sql`work.account_id = hooks.account_id AND work.hook_id = hooks.id AND held AND round = 1`
  const soonAfter = sql`now() - ${heldDays - 1} * interval '1 day'`
  await sql`
    ${insertNotices(fairly`
      SELECT hooks.account_id, hooks.id AS hook_id, oldest.accepted_at AS streak, 'expiring' AS kind,
             jsonb_build_object('held', ending.held, 'ends_at', oldest.accepted_at + ${heldDays} * interval '1 day')
               AS detail
      FROM hooks
      CROSS JOIN LATERAL (
        SELECT accepted_at FROM work WHERE ${isHeld} ORDER BY event_id LIMIT 1
      ) AS oldest
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS held FROM (
          SELECT FROM work WHERE ${isHeld} AND accepted_at < ${soonAfter} ORDER BY event_id LIMIT ${maxCounted}
        ) AS first
      ) AS ending
      WHERE NOT hooks.enabled AND oldest.accepted_at < ${soonAfter} AND NOT EXISTS (
        SELECT FROM notices WHERE notices.account_id = hooks.account_id AND notices.subject = 'hook:' || hooks.id
          AND notices.kind = 'expiring' AND notices.created_at > now() - interval '30 days'
          AND NOT EXISTS (
            SELECT FROM hook_versions WHERE hook_versions.account_id = hooks.account_id
              AND hook_versions.hook_id = hooks.id AND hook_versions.enabled
              AND hook_versions.at > notices.created_at))`)}
  `.execute(db)
}
