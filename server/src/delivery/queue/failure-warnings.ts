/**
 * Records warnings about hooks that only fail, each with its notice, and finds the hooks to disable. Warnings are due
 * after an hour, a day and three days. After five days and twelve attempts the hook is disabled.
 */
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { fairly, insertNotices } from '../../db/notice-outbox.ts'
import type { FailingHook } from './failure-streaks.ts'

/**
 * Records warnings that are due and not yet recorded. Of a hook with several due warnings, only the last becomes a
 * notice.
 */
export async function recordWarnings(db: Database): Promise<void> {
  await sql`
    WITH due AS MATERIALIZED (
      SELECT account_id, hook_id, failing_since, warning.* FROM hook_failures
      JOIN (VALUES ('1 hour', interval '1 hour', 'failing_1h'), ('24 hours', interval '24 hours', 'failing_24h'),
                   ('3 days', interval '3 days', 'failing_3d'))
        AS warning (kind, after, notice) ON failing_since < now() - warning.after
    ), warned AS (
      INSERT INTO hook_warnings (account_id, hook_id, failing_since, kind)
      SELECT account_id, hook_id, failing_since, kind FROM due
      ON CONFLICT DO NOTHING
    ), latest AS (
      SELECT DISTINCT ON (account_id, hook_id) account_id, hook_id, failing_since AS streak, notice AS kind
      FROM due ORDER BY account_id, hook_id, after DESC
    )
    ${insertNotices(fairly`
      SELECT latest.*, '{}'::jsonb AS detail FROM latest
      JOIN hooks ON hooks.account_id = latest.account_id AND hooks.id = latest.hook_id AND hooks.enabled
      WHERE NOT EXISTS (
        SELECT FROM notices WHERE notices.account_id = latest.account_id AND notices.subject = 'hook:' || latest.hook_id
          AND notices.streak = latest.streak AND notices.kind = latest.kind
      )`)}
  `.execute(db)
}

/** Returns hooks that have failed long enough to be disabled. */
export async function hooksToDisable(db: Database, at: Date): Promise<FailingHook[]> {
  const result = await sql<FailingHook>`
    SELECT account_id, hook_id FROM hook_failures
    WHERE failing_since < ${at}::timestamptz - interval '5 days' AND attempts >= 12 LIMIT 100
  `.execute(db)
  return result.rows
}

/** Records that a hook was disabled and why, and deletes its counts. Runs in the commit that disables the hook. */
export async function recordDisabled(trx: Trx, hook: FailingHook, kind: 'disabled' | 'gone'): Promise<void> {
  await sql`
    WITH ended AS (
      DELETE FROM hook_failures WHERE account_id = ${hook.accountId} AND hook_id = ${hook.hookId}
      RETURNING failing_since
    ), warning AS (
      SELECT ${hook.accountId}::integer AS account_id, ${hook.hookId}::integer AS hook_id,
             coalesce((SELECT failing_since FROM ended), now()) AS streak, ${kind}::text AS kind
    ), warned AS (
      INSERT INTO hook_warnings (account_id, hook_id, failing_since, kind)
      SELECT account_id, hook_id, streak, kind FROM warning
      ON CONFLICT DO NOTHING
    )
    ${insertNotices(sql`SELECT warning.*, '{}'::jsonb AS detail FROM warning`)}
  `.execute(trx)
}
