/**
 * Records notices. The statement runs in the commit of the event that the notice reports, so neither exists without the
 * other. Workers send emails later.
 */
import { type RawBuilder, sql } from 'kysely'

/** Time for other webhooks of the account to fail for the same cause. */
const groupMinutes = 5

/**
 * Inserts the selected notices: account_id, hook_id, streak, kind, detail. A webhook gets each kind once per streak,
 * however often it is selected.
 */
export function insertNotices(selected: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    INSERT INTO notices (account_id, hook_id, streak, kind, detail, due_at, is_open)
    SELECT account_id, hook_id, streak, kind, detail, now() + ${groupMinutes} * interval '1 minute', kind LIKE 'failing%'
    FROM (${selected}) AS reported
    ON CONFLICT (account_id, hook_id, streak, kind) DO NOTHING`
}
