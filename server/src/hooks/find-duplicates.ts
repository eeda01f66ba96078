import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { HookDefinition } from '../model/hook.ts'
import { typeColumns } from './hook-record.ts'

const maxDuplicates = 10

/** Returns ids of other hooks that send events of the same type to the same URL, the oldest ten. */
export async function findDuplicates(
  db: Database,
  accountId: number,
  { targetUrl, eventType }: HookDefinition,
  hookId: number | undefined,
): Promise<number[]> {
  const type = typeColumns(eventType)
  const found = await db
    .selectFrom('hooks')
    .select('id')
    .where('accountId', '=', accountId)
    .where('targetUrl', '=', targetUrl)
    .$if(eventType !== 'all', (query) => query.where('eventType', 'in', [type.eventType, 'all']))
    // The parts of a type have no event in common.
    .$if(type.registeredAs !== null, (query) =>
      query.where(sql<boolean>`coalesce(registered_as, ${type.registeredAs}) = ${type.registeredAs}`),
    )
    .$if(hookId !== undefined, (query) => query.where('id', '!=', hookId ?? 0))
    .orderBy('id')
    .limit(maxDuplicates)
    .execute()
  return found.map(({ id }) => id)
}
