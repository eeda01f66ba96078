/** Records that a webhook works again after a failure that users were told about. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { fairly, insertNotices } from '../db/notice-outbox.ts'

/** An older event may be delivered after newer ones have failed, so several deliveries are read. */
const maxScanned = 1_000
const maxCounted = 10_000

/**
 * Closes failures that ended. A failure ends well if the webhook was delivered to since it began, and does not fail again.
 * A webhook that was disabled, deleted or fails again has not recovered. Without deliveries the failure stays open for a
 * week: a new URL alone is no recovery. A failure with a message in progress waits for its result.
 */
export async function recordRecovered(db: Database): Promise<void> {
  await sql`
    WITH chosen AS MATERIALIZED (${fairly`
      SELECT notices.account_id, notices.id, notices.hook_id, notices.streak, notices.created_at,
             coalesce(hooks.enabled, false) AND failing.failing_since IS NULL AND NOT is_backing_off AS is_working
      FROM notices
      LEFT JOIN hooks ON hooks.account_id = notices.account_id AND hooks.id = notices.hook_id
      LEFT JOIN hook_failures AS failing ON failing.account_id = notices.account_id AND failing.hook_id = notices.hook_id
      CROSS JOIN LATERAL (
        SELECT EXISTS (SELECT FROM lane WHERE lane.account_id = notices.account_id AND lane.hook_id = notices.hook_id
                       AND open_seconds > 0) AS is_backing_off
      ) AS breaker
      WHERE notices.is_open AND notices.state = 'ready'
        AND CASE WHEN notices.kind = 'backing_off' THEN NOT is_backing_off
                 ELSE failing.failing_since IS DISTINCT FROM notices.streak END
        AND NOT EXISTS (
          SELECT FROM notice_recipients AS recipients
          LEFT JOIN notice_messages AS messages
            ON messages.account_id = recipients.account_id AND messages.id = recipients.message_id
          WHERE recipients.account_id = notices.account_id AND recipients.notice_id = notices.id
            AND (recipients.send_at IS NOT NULL OR messages.state = 'queued'))`}
    ), ended AS MATERIALIZED (
      SELECT chosen.* FROM chosen
      JOIN notices ON notices.account_id = chosen.account_id AND notices.id = chosen.id AND notices.is_open
      FOR UPDATE OF notices SKIP LOCKED
    ), results AS MATERIALIZED (
      SELECT ended.*, is_working AND EXISTS (
        SELECT FROM (
          SELECT state, finished_at FROM deliveries
          WHERE account_id = ended.account_id AND hook_id = ended.hook_id
            AND event_id > uuid_v7_floor(ended.streak - interval '5 days')
          ORDER BY event_id DESC LIMIT ${maxScanned}
        ) AS newest WHERE state = 'delivered' AND finished_at > ended.streak
      ) AS has_recovered
      FROM ended
    ), closed AS (
      UPDATE notices SET is_open = false FROM results
      WHERE notices.account_id = results.account_id AND notices.id = results.id
        AND (has_recovered OR NOT is_working OR results.created_at < now() - interval '7 days')
    )
    ${insertNotices(sql`
      SELECT DISTINCT ON (account_id, hook_id) account_id, hook_id, streak, 'recovered' AS kind,
             jsonb_build_object('lost', lost, 'pending', pending, 'held', held) AS detail
      FROM results
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(failed + expired), 0)::float8 AS lost FROM rollups
        WHERE rollups.account_id = results.account_id AND rollups.hook_id = results.hook_id
          AND hour >= date_trunc('hour', streak)
      ) AS finished
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE NOT is_held)::integer AS pending, count(*) FILTER (WHERE is_held)::integer AS held
        FROM (
          SELECT work.held AS is_held FROM work WHERE work.account_id = results.account_id AND work.hook_id = results.hook_id
          LIMIT ${maxCounted}
        ) AS late
      ) AS backlog
      -- Someone was told, or would have been if anyone had wanted messages.
      WHERE has_recovered AND (
        NOT EXISTS (SELECT FROM notice_recipients AS recipients
                    WHERE recipients.account_id = results.account_id AND recipients.notice_id = results.id)
        OR EXISTS (SELECT FROM notice_recipients AS recipients
                   JOIN notice_messages AS messages
                     ON messages.account_id = recipients.account_id AND messages.id = recipients.message_id
                   WHERE recipients.account_id = results.account_id AND recipients.notice_id = results.id
                     AND messages.state = 'sent'))
      ORDER BY account_id, hook_id, streak`)}
  `.execute(db)
}
