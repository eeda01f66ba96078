/**
 * Consumers: clients that fetch events by polls. Each has one row: what it gets, its position, and the lease of its
 * reader.
 *
 *   no lease ── poll ─▶ leased ── poll or commit by the same reader ─▶ leased, for longer
 *   leased ── the reader is silent until the lease ends, releases it, or a user seeks ─▶ no lease
 *
 * The position moves only with a commit of the reader or with a seek, so what was not committed is read again.
 */
import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type Actor, recordAudit } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import type { Consumers } from '../db/types.ts'
import { ApiError } from '../model/errors.ts'
import type { HookTypes, RequestMethod } from '../model/hook.ts'
import type { EventPosition } from '../tail/read-events.ts'
import { createHookSecret, openHookSecret, sealHookSecret } from '../vault/signing-secrets.ts'
import type { Vault } from '../vault/vault.ts'

/** What a consumer gets: the events and requests of a webhook, or those of its own settings. */
export interface ConsumerSettings extends HookTypes {
  name: string
  hookId: number | null
  requestMethod: RequestMethod
}

export interface Consumer extends ConsumerSettings {
  accountId: number
  id: number
  createdAt: Date
  createdBy: string
  position: EventPosition
  lease: string | null
  leaseUntil: Date | null
  polledAt: Date | null
  secret: Buffer
}

const maxConsumers = 20
/** A commit shows that the reader is active. */
const secondsAfterCommit = 60

type Row = Selectable<Consumers>

function toConsumer({ xid, eventId, positionAt, ...row }: Row): Consumer {
  return {
    ...row,
    // Only this module writes the column, and only from this type.
    requestMethod: row.requestMethod as RequestMethod,
    position: { xid, eventId, at: positionAt },
  }
}

function positionColumns({ xid, eventId, at }: EventPosition): Pick<Row, 'xid' | 'eventId' | 'positionAt'> {
  return { xid, eventId, positionAt: at }
}

export async function createConsumer(
  db: Database,
  vault: Vault,
  { accountId, actor }: { accountId: number; actor: Actor },
  settings: ConsumerSettings,
  position: EventPosition,
): Promise<Consumer> {
  return db.transaction().execute(async (trx) => {
    await lockNames(trx, accountId)
    const existing = await trx
      .selectFrom('consumers')
      .select(['id', 'name'])
      .where('accountId', '=', accountId)
      .execute()
    rejectName(existing, settings.name)
    if (existing.length >= maxConsumers)
      throw new ApiError('tooManyConsumers', `Consumer limit of ${maxConsumers} reached. Delete one first.`, {
        details: { limit: maxConsumers },
      })
    const created = await trx
      .insertInto('consumers')
      .values({
        accountId,
        ...settings,
        ...positionColumns(position),
        secret: sealHookSecret(vault, accountId, createHookSecret()),
        createdBy: actor,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordAudit(trx, {
      accountId,
      actor,
      action: 'consumer.create',
      subject: `consumer:${created.id}`,
      detail: { name: settings.name },
    })
    return toConsumer(created)
  })
}

/** Serializes changes of names and the number of consumers. */
async function lockNames(trx: Trx, accountId: number): Promise<void> {
  await sql`SELECT FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`.execute(trx)
}

function rejectName(existing: ReadonlyArray<{ id: number; name: string }>, name: string): void {
  const other = existing.find((consumer) => consumer.name === name)
  if (other !== undefined)
    throw new ApiError('consumerExists', `Consumer ${other.id} already has the name "${name}".`, {
      details: { ids: [other.id] },
    })
}

export async function editConsumer(
  db: Database,
  { accountId, actor }: { accountId: number; actor: Actor },
  id: number,
  settings: Partial<ConsumerSettings>,
): Promise<Consumer> {
  return db.transaction().execute(async (trx) => {
    await lockNames(trx, accountId)
    const others = await trx
      .selectFrom('consumers')
      .select(['id', 'name'])
      .where('accountId', '=', accountId)
      .where('id', '<>', id)
      .execute()
    if (settings.name !== undefined) rejectName(others, settings.name)
    const [edited] = await changeRow(trx, accountId, id, settings)
    if (edited === undefined) throw consumerNotFound(id)
    await recordAudit(trx, { accountId, actor, action: 'consumer.change', subject: `consumer:${id}` })
    return toConsumer(edited)
  })
}

function changeRow(trx: Trx, accountId: number, id: number, values: Partial<Row>): Promise<Row[]> {
  return (
    trx
      .updateTable('consumers')
      // With an update of no column the statement would be invalid.
      .set({ accountId, ...values })
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .returningAll()
      .execute()
  )
}

export async function deleteConsumer(
  db: Database,
  { accountId, actor }: { accountId: number; actor: Actor },
  id: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('consumers')
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw consumerNotFound(id)
    await recordAudit(trx, { accountId, actor, action: 'consumer.delete', subject: `consumer:${id}` })
  })
}

/** The same error for ids of other accounts. */
export function consumerNotFound(id: number): ApiError {
  return new ApiError('notFound', `Consumer ${id} not found.`)
}

/** Lists the consumers of an account by name. */
export async function listConsumers(db: Database, accountId: number): Promise<Consumer[]> {
  const rows = await db
    .selectFrom('consumers')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('name')
    .execute()
  return rows.map(toConsumer)
}

export async function readConsumer(db: Database, accountId: number, id: number): Promise<Consumer> {
  const row = await db
    .selectFrom('consumers')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw consumerNotFound(id)
  return toConsumer(row)
}

export interface ReaderLease {
  id: string
  until: Date
}

/** Takes the lease for a new reader, or extends it for the reader that has it. */
export async function takeLease(
  db: Database,
  accountId: number,
  id: number,
  lease: string | undefined,
  seconds: number,
): Promise<{ consumer: Consumer; lease: ReaderLease }> {
  const { rows } = await sql<Row>`/* prepared */
    UPDATE consumers SET lease = coalesce(${lease}::uuid, ${randomUUID()}::uuid), polled_at = now(),
                         lease_until = now() + make_interval(secs => ${seconds})
    WHERE account_id = ${accountId} AND id = ${id}
      AND CASE WHEN ${lease}::uuid IS NULL THEN lease IS NULL OR lease_until <= now() ELSE lease = ${lease}::uuid END
    RETURNING *
  `.execute(db)
  const [row] = rows
  if (row?.lease == null || row.leaseUntil === null) throw await explainNoLease(db, accountId, id, lease)
  return { consumer: toConsumer(row), lease: { id: row.lease, until: row.leaseUntil } }
}

async function explainNoLease(
  db: Database,
  accountId: number,
  id: number,
  lease: string | undefined,
): Promise<ApiError> {
  const row = await db
    .selectFrom('consumers')
    .select(sql<number | null>`extract(epoch FROM lease_until - now())::float8`.as('seconds'))
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return consumerNotFound(id)
  if (lease !== undefined) return leaseLost()
  return new ApiError(
    'consumerInUse',
    `Another reader uses consumer ${id}. It is free when the reader stops.`,
    {
      retryAfterSeconds: Math.max(1, Math.ceil(row.seconds ?? 1)),
    },
  )
}

function leaseLost(): ApiError {
  return new ApiError(
    'leaseLost',
    'The lease is no longer valid: another reader took over, or the position was changed. Poll without "lease" to start from the committed position.',
  )
}

/** Moves the position forward for the reader that holds the lease. Does nothing if the position is already there or ahead. */
export async function commitPosition(
  db: Database,
  accountId: number,
  id: number,
  lease: string,
  position: EventPosition,
): Promise<void> {
  const { rows } = await sql`/* prepared */
    UPDATE consumers SET
      (xid, event_id, position_at) = (SELECT moved.xid, moved.event_id, moved.at FROM (
        SELECT ${position.xid}::xid8 AS xid, ${position.eventId}::uuid AS event_id, ${position.at}::timestamptz AS at
        UNION ALL SELECT consumers.xid, consumers.event_id, consumers.position_at
      ) AS moved ORDER BY moved.xid DESC, moved.event_id DESC, moved.at DESC LIMIT 1),
      lease_until = greatest(lease_until, now() + make_interval(secs => ${secondsAfterCommit}))
    WHERE account_id = ${accountId} AND id = ${id} AND lease = ${lease}::uuid
    RETURNING id
  `.execute(db)
  if (rows.length > 0) return
  await readConsumer(db, accountId, id)
  throw leaseLost()
}

/** Ends the lease, so another reader can start at once. Does nothing if the reader no longer holds it. */
export async function releaseLease(
  db: Database,
  accountId: number,
  id: number,
  lease: string,
): Promise<void> {
  await sql`
    UPDATE consumers SET lease = NULL, lease_until = NULL
    WHERE account_id = ${accountId} AND id = ${id} AND lease = ${lease}::uuid
  `.execute(db)
}

/** Moves the position anywhere, and ends the lease: the reader must start from there. */
export async function movePosition(
  db: Database,
  { accountId, actor }: { accountId: number; actor: Actor },
  id: number,
  position: EventPosition,
): Promise<Consumer> {
  return db.transaction().execute(async (trx) => {
    const values = { ...positionColumns(position), lease: null, leaseUntil: null }
    const [moved] = await changeRow(trx, accountId, id, values)
    if (moved === undefined) throw consumerNotFound(id)
    await recordAudit(trx, { accountId, actor, action: 'consumer.seek', subject: `consumer:${id}` })
    return toConsumer(moved)
  })
}

/** Returns the secret that signs the requests of a consumer without a webhook. */
export function openConsumerSecret(vault: Vault, { accountId, secret }: Consumer): Buffer {
  return openHookSecret(vault, secret, { accountId, hookId: 0, generation: 0 })
}

/** Returns the secret for its receiver. Every view is recorded in the audit log. */
export async function viewConsumerSecret(
  db: Database,
  vault: Vault,
  { accountId, actor }: { accountId: number; actor: Actor },
  id: number,
): Promise<string> {
  const consumer = await readConsumer(db, accountId, id)
  await db
    .transaction()
    .execute((trx) =>
      recordAudit(trx, { accountId, actor, action: 'consumer.secret.view', subject: `consumer:${id}` }),
    )
  return `whsec_${openConsumerSecret(vault, consumer).toString('base64')}`
}
