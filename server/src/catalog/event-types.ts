/** Event types that operators have added. Every change increments a version, which all processes follow. */
import { sql } from 'kysely'
import { commandLine } from '../model/command-line.ts'
import { recordAudit } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { OperatorError } from '../model/errors.ts'
import type { AddedType } from '../model/event-type/catalog.ts'
import { type EventTypeDefinition, readDefinition } from '../model/event-type/definition.ts'

const maxTypes = 200
/** Of all schemas together, because one response lists them. */
const maxTotalBytes = 2 * 1024 * 1024
/** Until then a process may still accept an event of a removed type. Such events match as before. */
const followedAfter = sql`interval '5 seconds'`
/** Removed types explain stored events. The oldest are deleted. */
const maxRemoved = 800

export interface ListedType extends AddedType {
  createdAt: Date
  changedAt: Date
}

export async function readEventTypesVersion(db: Database): Promise<string> {
  const { rows } = await sql<{ version: string }>`/* prepared */
    SELECT version FROM event_types_version
  `.execute(db)
  return rows[0]?.version ?? '0'
}

/** Reads all types with their version, removed ones too. */
export async function readEventTypes(db: Database): Promise<{ version: string; types: ListedType[] }> {
  interface Row {
    version: string
    definition: unknown
    createdAt: Date
    changedAt: Date
    removedAt: Date | null
  }
  const { rows } = await sql<Row>`
    SELECT version, definition, created_at, changed_at, removed_at
    FROM event_types_version LEFT JOIN event_types ON true ORDER BY name
  `.execute(db)
  return {
    version: rows[0]?.version ?? '0',
    // A row of another version that cannot be read must not take away the other types.
    types: rows.flatMap(({ definition: stored, createdAt, changedAt, removedAt }) => {
      const definition = stored === null ? undefined : readDefinition(stored)
      return definition === undefined ? [] : [{ definition, createdAt, changedAt, removedAt }]
    }),
  }
}

/** Adds a type. With `canReplace`, changes an existing one. */
export async function addEventType(
  db: Database,
  definition: EventTypeDefinition,
  canReplace: boolean,
): Promise<'added' | 'replaced'> {
  return db.transaction().execute(async (trx) => {
    // This update also locks: of two concurrent changes, the second sees the first.
    await incrementVersion(trx)
    const { name } = definition
    const existing = await findCurrent(trx, name)
    const isExisting = existing !== undefined
    if (isExisting && !canReplace)
      throw new OperatorError(`Event type ${name} already exists. Change it with --replace.`)
    // Pending retries would expire at once.
    if (existing?.time_sensitive === false && definition.time_sensitive)
      throw new OperatorError(
        `Event type ${name} cannot become time-sensitive: its pending deliveries would expire. Add a type with another name.`,
      )
    const json = JSON.stringify(definition)
    await sql`
      INSERT INTO event_types (name, definition) VALUES (${name}, ${json})
      ON CONFLICT (name) DO UPDATE SET
        definition = excluded.definition, changed_at = now(), removed_at = NULL
    `.execute(trx)
    await rejectAboveLimits(trx)
    await recordAudit(trx, {
      actor: 'operator',
      action: 'event-type.add',
      subject: `event-type:${name}`,
      detail: { replaced: isExisting },
    })
    return isExisting ? 'replaced' : 'added'
  })
}

async function rejectAboveLimits(trx: Trx): Promise<void> {
  const { rows } = await sql<{ types: number; bytes: number }>`
    SELECT count(*)::integer AS types, coalesce(sum(octet_length(definition::text)), 0)::integer AS bytes
    FROM event_types WHERE removed_at IS NULL
  `.execute(trx)
  const [total] = rows
  if ((total?.types ?? 0) > maxTypes)
    throw new OperatorError(`There can be at most ${maxTypes} event types. Remove one first.`)
  if ((total?.bytes ?? 0) > maxTotalBytes)
    throw new OperatorError(
      `All definitions together can have at most ${maxTotalBytes} bytes. Remove one first.`,
    )
}

/** Removes a type and returns the number of hooks that have it. Rejects if there are any, unless `isForced`. */
export async function removeEventType(db: Database, name: string, isForced: boolean): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await incrementVersion(trx)
    if ((await findCurrent(trx, name)) === undefined)
      throw new OperatorError(
        `Event type ${name} not found. List types with \`${commandLine('admin event-type list')}\`.`,
      )
    const hooks = (await countHooks(trx, name)).get(name) ?? 0
    if (hooks > 0 && !isForced)
      throw new OperatorError(
        `${hooks === 1 ? '1 webhook receives' : `${hooks} webhooks receive`} events of type ${name}. With --force they stay, but receive no new events.`,
      )
    await trx
      .updateTable('eventTypes')
      .set({ removedAt: sql`now() + ${followedAfter}`, changedAt: sql`now()` })
      .where('name', '=', name)
      .execute()
    await sql`
      DELETE FROM event_types WHERE name IN (
        SELECT name FROM event_types WHERE removed_at IS NOT NULL ORDER BY removed_at DESC OFFSET ${maxRemoved})
    `.execute(trx)
    await recordAudit(trx, {
      actor: 'operator',
      action: 'event-type.remove',
      subject: `event-type:${name}`,
      detail: { hooks },
    })
    return hooks
  })
}

/** Returns the number of hooks of all accounts by event type, of one type if named. */
export async function countHooks(db: Database | Trx, name?: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ eventType: string; hooks: number }>`
    SELECT event_type, count(*)::integer AS hooks FROM hooks
    WHERE ${name ?? null}::text IS NULL OR event_type = ${name ?? null} GROUP BY event_type
  `.execute(db)
  return new Map(rows.map(({ eventType, hooks }) => [eventType, hooks]))
}

async function findCurrent(
  trx: Trx,
  name: string,
): Promise<Pick<EventTypeDefinition, 'time_sensitive'> | undefined> {
  const found = await trx
    .selectFrom('eventTypes')
    .select(sql<boolean | null>`(definition ->> 'time_sensitive')::boolean`.as('timeSensitive'))
    .where('name', '=', name)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  return found && { time_sensitive: found.timeSensitive ?? false }
}

async function incrementVersion(trx: Trx): Promise<void> {
  await trx
    .updateTable('eventTypesVersion')
    .set({ version: sql`version + 1` })
    .execute()
}
