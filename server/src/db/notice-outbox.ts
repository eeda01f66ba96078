/**
 * Records notices. The statement runs in the commit of the event that the notice reports, so neither exists without the
 * other. Workers send messages later.
 */
import { type RawBuilder, sql } from 'kysely'

/** Time for other webhooks of the account to fail for the same cause. */
const groupMinutes = 5

/**
 * Inserts the selected notices about webhooks: account_id, hook_id, streak, kind, detail. A webhook gets each kind once per
 * streak, however often it is selected.
 */
export function insertNotices(selected: RawBuilder<unknown>): RawBuilder<unknown> {
  return insert(sql`
    SELECT account_id, hook_id, NULL::integer AS login_id, 'hook:' || hook_id AS subject, streak, kind, detail
    FROM (${selected}) AS of_hooks`)
}

/**
 * Inserts the selected notices about anything else: account_id, login_id, subject, streak, kind, detail. With a login, the
 * notice is for this user only.
 */
export function insertAccountNotices(selected: RawBuilder<unknown>): RawBuilder<unknown> {
  return insert(sql`
    SELECT account_id, NULL::integer AS hook_id, login_id, subject, streak, kind, detail
    FROM (${selected}) AS of_accounts`)
}

const maxPerStep = 1_000

/**
 * A selection, limited to some rows of each account, as many as there is room for. So an account with thousands delays no other,
 * nor do rows that are selected again and again.
 */
export function fairly(text: TemplateStringsArray, ...values: unknown[]): RawBuilder<unknown> {
  return sql`
    SELECT * FROM (
      SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY random()) AS turn
      FROM (${sql(text, ...values)}) AS found
    ) AS shared ORDER BY turn LIMIT ${maxPerStep}`
}

/** Notices for one user are about security, and wait for no others. */
function insert(selected: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    INSERT INTO notices (account_id, hook_id, login_id, subject, streak, kind, detail, due_at, is_open)
    SELECT account_id, hook_id, login_id, subject, streak, kind, detail,
           now() + CASE WHEN login_id IS NULL THEN ${groupMinutes} ELSE 0 END * interval '1 minute',
           kind LIKE 'failing%' OR kind = 'backing_off'
    FROM (${selected}) AS reported
    ON CONFLICT (account_id, subject, streak, kind) DO NOTHING`
}
