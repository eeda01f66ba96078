/** Records webhooks whose receivers will fail soon: breakers that stay open, slow responses, certificates that expire. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { fairly, insertNotices } from '../db/notice-outbox.ts'

/** A shorter outage is told by its end. */
const minOpenMinutes = 10
/** Of the attempts of a day: more slow ones than chance explains, and at least one in twenty. */
const minSlow = 20
const oneSlowIn = 20
const slowAgainDays = 7
/** A certificate that was not seen for longer may have been renewed. */
const seenWithinDays = 2

/** Records breakers that stay open. Each webhook is told at most once per day. */
export async function recordBackingOff(db: Database): Promise<void> {
  await sql`
    ${insertNotices(fairly`
      SELECT lane.account_id, lane.hook_id, lane.opened_at AS streak, 'backing_off' AS kind, '{}'::jsonb AS detail
      FROM lane
      JOIN hooks ON hooks.account_id = lane.account_id AND hooks.id = lane.hook_id AND hooks.enabled
      WHERE lane.opened_at < now() - ${minOpenMinutes} * interval '1 minute' AND lane.open_seconds > 0
        AND NOT EXISTS (
          SELECT FROM notices WHERE notices.account_id = lane.account_id AND notices.subject = 'hook:' || lane.hook_id
            AND (notices.kind = 'backing_off' OR notices.kind LIKE 'failing%')
            AND (notices.is_open OR notices.created_at > now() - interval '24 hours'))`)}
  `.execute(db)
}

/** Records webhooks that respond close to the timeout. A webhook that only fails is told as failing. */
export async function recordSlow(db: Database): Promise<void> {
  const day = sql`now() - interval '24 hours'`
  await sql`
    WITH slow AS MATERIALIZED (
      SELECT account_id, hook_id, min(hour) AS streak, sum(attempts)::float8 AS slow FROM hook_slow_attempts
      WHERE hour > ${day} GROUP BY account_id, hook_id HAVING sum(attempts) >= ${minSlow}
    )
    ${insertNotices(fairly`
      SELECT slow.account_id, slow.hook_id, slow.streak, 'slow' AS kind,
             jsonb_build_object('slow', slow, 'attempts', greatest(made.attempts, slow)) AS detail
      FROM slow
      JOIN hooks ON hooks.account_id = slow.account_id AND hooks.id = slow.hook_id AND hooks.enabled
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(attempts), 0)::float8 AS attempts FROM rollups
        WHERE rollups.account_id = slow.account_id AND rollups.hook_id = slow.hook_id AND hour > ${day}
      ) AS made
      WHERE slow * ${oneSlowIn} >= made.attempts AND NOT EXISTS (
        SELECT FROM hook_failures AS failing WHERE failing.account_id = slow.account_id
          AND failing.hook_id = slow.hook_id AND failing_since IS NOT NULL
      ) AND NOT EXISTS (
        SELECT FROM notices WHERE notices.account_id = slow.account_id AND notices.subject = 'hook:' || slow.hook_id
          AND notices.kind = 'slow' AND notices.created_at > now() - ${slowAgainDays} * interval '1 day')`)}
  `.execute(db)
}

/** Records certificates that expire within 21, 7 and 1 days. Only the last stage that has begun becomes a notice. */
export async function recordCertificates(db: Database): Promise<void> {
  await sql`
    ${insertNotices(fairly`
      SELECT certificates.account_id, hook_id, valid_until AS streak, stage.kind, '{}'::jsonb AS detail
      FROM hook_certificates AS certificates
      JOIN hooks ON hooks.account_id = certificates.account_id AND hooks.id = hook_id AND hooks.enabled
      CROSS JOIN LATERAL (
        SELECT CASE WHEN valid_until < now() + interval '1 day' THEN 'certificate_1d'
                    WHEN valid_until < now() + interval '7 days' THEN 'certificate_7d' ELSE 'certificate_21d' END AS kind
      ) AS stage
      WHERE valid_until > now() AND valid_until < now() + interval '21 days'
        AND seen_at > now() - ${seenWithinDays} * interval '1 day'
        AND NOT EXISTS (
          SELECT FROM notices WHERE notices.account_id = certificates.account_id AND notices.subject = 'hook:' || hook_id
            AND notices.streak = valid_until AND notices.kind = stage.kind)`)}
  `.execute(db)
}
