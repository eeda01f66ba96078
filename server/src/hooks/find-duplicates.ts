import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { readTypeList, shareTypes, type TypeList } from '../model/filter/type-list.ts'
import type { HookDefinition } from '../model/hook.ts'
import { typeColumns } from './hook-record.ts'

const maxDuplicates = 10
/** Candidates whose lists of types are compared. */
const maxCompared = 1_000

/** Returns ids of other hooks that send events of the same type to the same URL, the oldest ten. */
export async function findDuplicates(
  db: Database,
  accountId: number,
  { targetUrl, eventType, eventFilter }: HookDefinition,
  hookId: number | undefined,
): Promise<number[]> {
  const type = typeColumns(eventType)
  const found = await db
    .selectFrom('hooks')
    .select(['id', 'eventType', 'eventFilter'])
    .where('accountId', '=', accountId)
    .where('targetUrl', '=', targetUrl)
    .$if(eventType !== 'all', (query) => query.where('eventType', 'in', [type.eventType, 'all']))
    // The parts of a type have no event in common.
    .$if(type.registeredAs !== null, (query) =>
      query.where(sql<boolean>`coalesce(registered_as, ${type.registeredAs}) = ${type.registeredAs}`),
    )
    .$if(hookId !== undefined, (query) => query.where('id', '!=', hookId ?? 0))
    .orderBy('id')
    .limit(maxCompared)
    .execute()
  const types = typesOf(eventType, eventFilter)
  return found
    .filter((hook) => shareTypes(types, typesOf(hook.eventType, hook.eventFilter)))
    .slice(0, maxDuplicates)
    .map(({ id }) => id)
}

/** Undefined: all types. */
function typesOf(eventType: string, filter: string | null): TypeList | undefined {
  return eventType === 'all'
    ? readTypeList(eventType, filter)
    : { types: [typeColumns(eventType).eventType], filter: null }
}
