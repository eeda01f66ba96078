/** Records API keys and secrets that expire, and deprecated credentials in use. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { fairly, insertAccountNotices, insertNotices } from '../db/notice-outbox.ts'
import { overlap } from '../hooks/open-secrets.ts'

const deprecatedAgainDays = 30

/** Records keys that expire within 7 and 1 days. Only the last stage that has begun becomes a notice. */
export async function recordExpiringKeys(db: Database): Promise<void> {
  await sql`
    ${insertAccountNotices(fairly`
      SELECT account_id, NULL::integer AS login_id, 'key:' || id AS subject, expires_at AS streak, stage.kind,
             jsonb_build_object('name', name, 'used_at', last_used_at) AS detail
      FROM keys
      CROSS JOIN LATERAL (
        SELECT CASE WHEN expires_at < now() + interval '1 day' THEN 'key_1d' ELSE 'key_7d' END AS kind
      ) AS stage
      WHERE revoked_at IS NULL AND expires_at > now() AND expires_at < now() + interval '7 days'
        -- A key that was created for a few days is meant to expire.
        AND created_at < expires_at - interval '8 days'
        AND NOT EXISTS (
          SELECT FROM notices WHERE notices.account_id = keys.account_id AND notices.subject = 'key:' || keys.id
            AND notices.streak = expires_at AND notices.kind = stage.kind)`)}
  `.execute(db)
}

/** Records webhooks whose previous secret stops being used within 6 hours. */
export async function recordExpiringSecrets(db: Database): Promise<void> {
  const until = sql`secret_rotated_at + ${overlap}`
  const rotatedBefore = sql`now() - ${overlap} + interval '6 hours'`
  await sql`
    ${insertNotices(fairly`
      SELECT account_id, id AS hook_id, ${until} AS streak, 'secret_6h' AS kind, '{}'::jsonb AS detail
      FROM hooks
      WHERE enabled AND secret_rotated_at > now() - ${overlap} AND secret_rotated_at < ${rotatedBefore} AND NOT EXISTS (
        SELECT FROM notices WHERE notices.account_id = hooks.account_id AND notices.subject = 'hook:' || hooks.id
          AND notices.streak = ${until} AND notices.kind = 'secret_6h')`)}
  `.execute(db)
}

/** Records accounts whose calls used a deprecated credential in the last 7 days, every 30 days. */
export async function recordDeprecated(db: Database): Promise<void> {
  await sql`
    ${insertAccountNotices(fairly`
      SELECT account_id, NULL::integer AS login_id, 'credential:' || deprecated_uses.kind AS subject,
             date_trunc('day', now(), 'UTC') AS streak, 'deprecated' AS kind,
             jsonb_build_object('credential', deprecated_uses.kind, 'uses', sum(uses)::float8) AS detail
      FROM deprecated_uses
      WHERE day > current_date - 7 AND NOT EXISTS (
        SELECT FROM notices WHERE notices.account_id = deprecated_uses.account_id
          AND notices.subject = 'credential:' || deprecated_uses.kind
          AND notices.created_at > now() - ${deprecatedAgainDays} * interval '1 day')
      GROUP BY account_id, deprecated_uses.kind`)}
  `.execute(db)
}
