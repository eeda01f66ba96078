/** Makes webhooks fail and notices due, without waiting for hours. */
import { expect } from 'vitest'
import { recordWarnings } from '../../src/delivery/queue/failure-warnings.ts'
import { recordRecovered } from '../../src/notices/detect-recovered.ts'
import type { NamedHook } from '../../src/hooks/hook-names.ts'
import type { AttemptReason } from '../../src/model/delivery/outcome.ts'
import { call, type CallResponse } from './http-call.ts'
import type { MailServer, ReceivedMail } from './servers/mail-server.ts'
import type { TestAccount, TestService } from './test-service.ts'

/** Creates a webhook. Its receiver does not exist. */
export async function createHook(
  { url }: TestService,
  { key }: TestAccount,
  targetUrl: string,
  more: { name?: NamedHook['name']; headers?: string } = {},
): Promise<number> {
  const json = { target_url: targetUrl, event_type: 'sms_mo', request_method: 'JSON', ...more }
  const created = await call(`${url}/api/hooks/create`, { method: 'POST', key, json })
  if (created.status !== 200) throw new Error(`webhook was not created: ${created.text}`)
  return created.json.hook.id
}

/** Makes webhooks of an account fail since a time, as if all attempts had failed, and records the warnings. */
export async function failSince(
  { database, db }: TestService,
  { accountId }: Pick<TestAccount, 'accountId'>,
  hookIds: readonly number[],
  age: string,
): Promise<void> {
  await database.query(
    `INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts)
     SELECT $1, hook_id, now() - $3::interval, 5 FROM unnest($2::integer[]) AS failing (hook_id)
     ON CONFLICT (account_id, hook_id) DO UPDATE SET failing_since = excluded.failing_since`,
    [accountId, hookIds, age],
  )
  await recordWarnings(db)
}

/** Ends the failures of webhooks with a delivery, and records the recoveries. */
export async function recover(
  { database, db }: TestService,
  accountId: number,
  hookIds: readonly number[],
): Promise<void> {
  await database.query('DELETE FROM hook_failures WHERE account_id = $1 AND hook_id = ANY ($2::integer[])', [
    accountId,
    hookIds,
  ])
  await database.query(
    `INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
     SELECT $1, uuid_v7_floor(now()), hook_id, 1, 'delivered', 'delivered', 1
     FROM unnest($2::integer[]) AS working (hook_id)`,
    [accountId, hookIds],
  )
  await recordRecovered(db)
}

/** Ends the time in which notices wait for others. */
export async function endWait({ database }: TestService): Promise<void> {
  await database.query("UPDATE notices SET due_at = now() WHERE state = 'waiting'")
}

/** Ends the hour in which a user gets no second email. */
export async function endHour({ database }: TestService, { accountId }: TestAccount): Promise<void> {
  await database.query(
    "UPDATE notice_messages SET created_at = created_at - interval '61 minutes' WHERE account_id = $1",
    [accountId],
  )
  await database.query(
    "UPDATE notice_recipients SET send_at = send_at - interval '61 minutes' WHERE account_id = $1",
    [accountId],
  )
}

/** Makes queued emails due that wait for a retry or for the end of a lease. */
export async function endBackoff({ database }: TestService): Promise<void> {
  await database.query("UPDATE notice_messages SET next_at = now() WHERE state = 'queued'")
}

/** Longer than the first two backoffs, shorter than a lease. */
const leased = "state = 'queued' AND next_at > now() + interval '200 seconds'"

/** Waits until all due notices and emails were handled. */
export async function untilQuiet({ database }: TestService): Promise<void> {
  const countOpen = async () => {
    const [row] = await database.query<{ open: number }>(
      `SELECT ((SELECT count(*) FROM notices WHERE state = 'waiting' AND due_at <= now())
             + (SELECT count(*) FROM notices WHERE state = 'ready' AND NOT is_published)
             + (SELECT count(*) FROM notice_recipients WHERE send_at <= now())
             + (SELECT count(*) FROM notice_messages WHERE (state = 'queued' AND next_at <= now()) OR ${leased}))::integer AS open`,
    )
    return row?.open
  }
  await expect.poll(countOpen, { timeout: 20_000, interval: 100 }).toBe(0)
}

/** Ends the wait, and returns the emails to a user so far once all are sent. */
export async function mailsAfterWait(
  hookline: TestService,
  mailServer: MailServer,
  { email }: TestAccount,
): Promise<ReceivedMail[]> {
  await endWait(hookline)
  await untilQuiet(hookline)
  return mailServer.mailsTo(email)
}

/** Records a failed attempt, the likely cause of a failure. */
export async function addAttempt(
  { database }: TestService,
  { accountId }: TestAccount,
  hookId: number,
  { reason, status = null }: { reason: AttemptReason; status?: number | null },
): Promise<void> {
  await database.query(
    `INSERT INTO attempts (account_id, event_id, hook_id, round, attempt, started_at, reason, status, total_ms, worker)
     VALUES ($1, uuid_v7_floor(now()), $2, 1, 1, now(), $3, $4, 10, 'test')`,
    [accountId, hookId, reason, status],
  )
}

/** Returns the notices of an account, oldest first, as "kind state". */
export async function statesOf({ database }: TestService, { accountId }: TestAccount): Promise<string[]> {
  const rows = await database.query<{ kind: string; state: string }>(
    'SELECT kind, state FROM notices WHERE account_id = $1 ORDER BY id',
    [accountId],
  )
  return rows.map(({ kind, state }) => `${kind} ${state}`)
}

export function disableWebhook(
  { url }: TestService,
  { key }: TestAccount,
  hookId: number,
): Promise<CallResponse> {
  return call(`${url}/api/hooks/${hookId}/disable`, { method: 'POST', key, json: {} })
}
