/**
 * Publishes notices as account events, in the commit that marks them as published: each is an event once, however often a
 * worker is killed. They take the path of every event. An account without a webhook or consumer for them gets none.
 */
import { type RawBuilder, sql } from 'kysely'
import { plainArray, textArray } from '../db/arrays.ts'
import type { Database, Trx } from '../db/database.ts'
import { beginLedgerWrite } from '../db/ledger-write.ts'
import { asDatabase } from '../db/nested.ts'
import { commitEvents } from '../delivery/commit-events.ts'
import type { IsOverQuota } from '../delivery/intake/backlog-quota.ts'
import type { IncomingEvent } from '../delivery/queue/insert-events.ts'
import { takeIdEndings } from '../model/event-id.ts'
import { noProducer } from '../model/event.ts'
import { type AccountEventType, accountEventTypes } from '../model/event-type/account-event.ts'
import type { NoticeKind } from '../model/notice.ts'
import { hostOf, type SentNotice } from './group-notices.ts'

const maxPerStep = 200

interface UnpublishedNotice extends SentNotice {
  accountId: number
  subject: string
  isWanted: boolean
}

/** Publishes some notices. Returns their number. An account over its quota of pending events gets no event. */
export async function publishNext(db: Database, isOverQuota: IsOverQuota): Promise<number> {
  // Without a mark, because there is nothing to publish nearly always.
  const { rows } = await sql<{ accountId: number }>`
    SELECT DISTINCT account_id FROM (
      SELECT account_id FROM notices WHERE state = 'ready' AND NOT is_published ORDER BY account_id, id LIMIT ${maxPerStep}
    ) AS unpublished
  `.execute(db)
  if (rows.length === 0) return 0
  const full = new Set<number>()
  for (const { accountId } of rows) if (await isOverQuota(accountId)) full.add(accountId)
  return db.transaction().execute((trx) => publishSome(trx, full))
}

async function publishSome(trx: Trx, full: ReadonlySet<number>): Promise<number> {
  await beginLedgerWrite(trx)
  const notices = await lockUnpublished(trx)
  const events = notices.flatMap((notice): IncomingEvent[] => {
    const event = notice.isWanted && !full.has(notice.accountId) ? eventOf(notice) : undefined
    return event === undefined ? [] : [toIncoming(notice.accountId, event)]
  })
  if (events.length > 0) await commitEvents(asDatabase(trx), events)
  await sql`
    UPDATE notices SET is_published = true WHERE id = ANY (${plainArray(notices.map(({ id }) => id))}::bigint[])
      AND account_id = ANY (${plainArray(notices.map(({ accountId }) => accountId))}::integer[])
  `.execute(trx)
  return notices.length
}

function toIncoming(accountId: number, { type, data }: AccountEvent): IncomingEvent {
  const [idEnding = ''] = takeIdEndings(1)
  return {
    accountId,
    type,
    data: JSON.stringify(data),
    idEnding,
    producerId: noProducer,
    occurredAt: null,
    key: null,
    digest: null,
    messageId: null,
    sender: null,
    recipient: null,
    foreignId: null,
  }
}

/**
 * A notice about a webhook that receives account events is not published: the events would report their own failures. Whether
 * an account wants them is read once per account, because its filters can be long.
 */
async function lockUnpublished(trx: Trx): Promise<UnpublishedNotice[]> {
  const { rows } = await sql<UnpublishedNotice>`
    WITH locked AS MATERIALIZED (
      SELECT account_id, id, subject, login_id, hook_id, kind, streak, created_at, detail FROM notices
      WHERE state = 'ready' AND NOT is_published
      ORDER BY account_id, id LIMIT ${maxPerStep} FOR UPDATE SKIP LOCKED
    ), wanting AS MATERIALIZED (
      SELECT account_id FROM (SELECT DISTINCT account_id FROM locked) AS accounts
      WHERE EXISTS (SELECT FROM hooks WHERE hooks.account_id = accounts.account_id AND ${receives('hooks')})
         OR EXISTS (SELECT FROM consumers WHERE consumers.account_id = accounts.account_id AND ${receives('consumers')})
    )
    SELECT locked.account_id, locked.id::float8 AS id, subject, hook_id, kind, streak, locked.created_at, detail,
           hooks.name, hooks.call_url, NULL AS actor_name, NULL AS subject_name,
           login_id IS NULL AND NOT coalesce(${receives('hooks')}, false)
             AND locked.account_id IN (SELECT account_id FROM wanting) AS is_wanted
    FROM locked
    LEFT JOIN hooks ON hooks.account_id = locked.account_id AND hooks.id = locked.hook_id
  `.execute(trx)
  return rows
}

/** Whether a row of the table receives account events, alone or in the list that its filter starts with. */
function receives(table: 'hooks' | 'consumers'): RawBuilder<boolean> {
  const [type, filter] = [sql.ref(`${table}.event_type`), sql.ref(`${table}.event_filter`)]
  const named = accountEventTypes.map((name) => name.replaceAll('.', String.raw`\.`)).join('|')
  // As for matching, which reads the list at each event.
  const list = `^cel:event\\.type in \\[([^\\]]*, )?"(${named})"(, |\\])`
  return sql<boolean>`(${type} = ANY (${textArray(accountEventTypes)}::text[]) OR (${type} = 'all' AND ${filter} ~ ${list}))`
}

interface AccountEvent {
  type: AccountEventType
  data: Record<string, unknown>
}

/** Returns undefined for notices without an event. */
function eventOf(notice: UnpublishedNotice): AccountEvent | undefined {
  const { kind, streak, detail } = notice
  const hook = { hook_id: notice.hookId, hook_name: notice.name, host: hostOf(notice) }
  const failure = { reason: detail.reason ?? null, status: detail.status ?? null }
  const since = streak.toISOString()
  const stage = stages[kind]
  if (stage !== undefined) return { type: 'webhook.failing', data: { ...hook, stage, since, ...failure } }
  const { lost = 0, pending = 0, finished = 0, held = 0 } = detail
  switch (kind) {
    case 'recovered':
      return { type: 'webhook.recovered', data: { ...hook, since, lost, pending } }
    case 'disabled':
      return { type: 'webhook.disabled', data: { ...hook, cause: 'failing', since, ...failure } }
    case 'gone':
      return { type: 'webhook.disabled', data: { ...hook, cause: 'gone', since, ...failure } }
    case 'lost':
      return { type: 'delivery.lost', data: { ...hook, lost, finished, since } }
    case 'expiring':
      return { type: 'delivery.expiring', data: { ...hook, held, ends_at: detail.ends_at ?? since } }
    case 'certificate_21d':
    case 'certificate_7d':
    case 'certificate_1d':
      return { type: 'certificate.expiring', data: { ...hook, expires_at: since } }
    case 'key_7d':
    case 'key_1d':
      return {
        type: 'key.expiring',
        data: {
          key_id: Number(notice.subject.replace('key:', '')),
          key_name: detail.name ?? '',
          expires_at: since,
          last_used_at: detail.used_at ?? null,
        },
      }
    default:
      return undefined
  }
}

const stages: Partial<Record<NoticeKind, string>> = {
  failing_1h: '1h',
  failing_24h: '24h',
  failing_3d: '3d',
  backing_off: 'backing_off',
}
