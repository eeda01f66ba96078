/** Fills an account with notices of every kind, messages with every result, and channels. */
import type { TestAccount, TestService } from '../../../server/test/support/test-service.ts'

/** Kinds about webhooks, with hours since they happened. */
const ofHooks = [
  ['failing_1h', 1],
  ['certificate_7d', 5],
  ['lost', 26],
  ['recovered', 30],
  ['slow', 50],
] as const

export async function fillNotices(
  { database }: TestService,
  { accountId, loginId, email }: TestAccount,
  hookIds: readonly number[],
): Promise<void> {
  await database.query(
    `INSERT INTO notice_channels (account_id, kind, name, address, url, host, kind_groups, mode, confirmed_at)
     VALUES ($1, 'slack', '#webhook-alerts', NULL, '', 'hooks.slack.com', '{failing,disabled,lost}', 'instant', now()),
            ($1, 'email', 'On call', 'on-call@example.com', NULL, NULL, '{failing,lost,certificates}', 'daily', NULL)`,
    [accountId],
  )
  for (const [index, [kind, hours]] of ofHooks.entries()) {
    const hookId = hookIds[index % hookIds.length]
    await database.query(
      `WITH notice AS (
         INSERT INTO notices (account_id, hook_id, subject, kind, streak, created_at, due_at, is_open, state, is_published, detail)
         SELECT $1, $2::integer, 'hook:' || $2, $3, now() - ($4 + 1) * interval '1 hour', now() - $4 * interval '1 hour',
                now(), false, 'ready', true,
                '{"reason": "status", "status": 503, "lost": 12, "finished": 900, "pending": 40, "slow": 31, "attempts": 420}'
         RETURNING account_id, id, created_at
       ), email AS (
         INSERT INTO notice_messages (account_id, login_id, state, attempts, address, created_at, finished_at, response_code)
         SELECT account_id, $5, $6, 1, $7, created_at, created_at, CASE WHEN $6 = 'refused' THEN 550 END FROM notice RETURNING id
       ), chat AS (
         INSERT INTO notice_messages (account_id, channel_id, state, attempts, address, created_at, finished_at, response_code)
         SELECT account_id, (SELECT min(id) FROM notice_channels WHERE account_id = $1), 'sent', 1, 'hooks.slack.com',
                created_at, created_at, 200 FROM notice RETURNING id
       )
       INSERT INTO notice_recipients (account_id, notice_id, login_id, channel_id, message_id)
       SELECT $1, notice.id, $5, NULL, email.id FROM notice, email
       UNION ALL
       SELECT $1, notice.id, NULL, (SELECT min(id) FROM notice_channels WHERE account_id = $1), chat.id FROM notice, chat`,
      [accountId, hookId, kind, hours, loginId, index === 2 ? 'refused' : 'sent', email],
    )
  }
  await database.query(
    `INSERT INTO notices (account_id, login_id, subject, kind, streak, created_at, due_at, is_open, state, is_published, detail)
     VALUES ($1, NULL, 'audit:1', 'account_changed', now(), now() - interval '3 minutes', now() + interval '1 hour', false,
             'waiting', true, '{"action": "key.create", "actor": "login:0"}'),
            ($1, $2, 'audit:2', 'sign_in', now(), now() - interval '1 minute', now(), false, 'ready', true,
             '{"browser": "Firefox on Linux", "ip": "203.0.113.7"}'),
            ($1, NULL, 'key:1', 'key_7d', now() + interval '6 days', now() - interval '4 days', now(), false, 'ready', true,
             '{"name": "Billing", "used_at": null}')`,
    [accountId, loginId],
  )
}
