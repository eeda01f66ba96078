import type { Actor } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { canonicalHeaders } from '../model/custom-headers.ts'
import { ApiError } from '../model/errors.ts'
import type { Hook, HookDefinition } from '../model/hook.ts'
import type { Vault } from '../vault/vault.ts'
import { changeHooks } from './change-hooks.ts'
import { deleteProblem } from './hook-problems.ts'
import { hookColumns, toHook, typeColumns } from './hook-record.ts'

/** Selects a hook by id, or by the values it was created with. Filter and headers narrow the choice if present. */
export type HookChoice =
  | { id: number }
  | (Pick<HookDefinition, 'targetUrl' | 'eventType' | 'requestMethod'> & {
      eventFilter?: string | undefined
      headers?: string | undefined
    })

/** Deletes one hook and returns its id. Rejects if none or more than one matches. */
export function deleteHook(
  db: Database,
  vault: Vault,
  accountId: number,
  actor: Actor,
  choice: HookChoice,
): Promise<number> {
  return changeHooks(db, accountId, actor, async ({ trx, append }) => {
    const id =
      'id' in choice ? choice.id : singleMatch(await candidates(trx, vault, accountId, choice), choice).id
    const deleted = await trx
      .deleteFrom('hooks')
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .returning(hookColumns)
      .executeTakeFirst()
    if (deleted === undefined) throw new ApiError('hookNotFound', `There is no webhook with the id ${id}.`)
    await append({ kind: 'deleted' }, deleted)
    await deleteProblem(trx, accountId, id)
    return deleted.id
  })
}

async function candidates(
  trx: Trx,
  vault: Vault,
  accountId: number,
  requested: Exclude<HookChoice, { id: number }>,
): Promise<Hook[]> {
  const type = typeColumns(requested.eventType)
  const records = await trx
    .selectFrom('hooks')
    .select(hookColumns)
    .where('accountId', '=', accountId)
    .where('targetUrl', '=', requested.targetUrl)
    .where('eventType', '=', type.eventType)
    .where('registeredAs', 'is not distinct from', type.registeredAs)
    .where('requestMethod', '=', requested.requestMethod)
    .orderBy('id')
    .execute()
  return records.map((record) => toHook(record, accountId, vault))
}

/** An omitted filter selects the hook without a filter; if there is none, the only remaining hook. */
function singleMatch(hooks: Hook[], requested: Exclude<HookChoice, { id: number }>): Hook {
  const { eventFilter } = requested
  const headers = requested.headers === undefined ? undefined : canonicalHeaders(requested.headers)
  const withHeaders = headers === undefined ? hooks : hooks.filter((hook) => hook.headers === headers)
  const exact = withHeaders.filter((hook) => hook.eventFilter === (eventFilter ?? null))
  const matching = eventFilter === undefined && exact.length === 0 ? withHeaders : exact

  const [first, ...others] = matching
  if (first === undefined)
    throw new ApiError(
      'hookNotFound',
      'There is no webhook with this target_url, event_type and request_method.',
    )
  if (others.length > 0)
    throw new ApiError(
      'ambiguousHook',
      `Several webhooks match: ${matching.map((hook) => hook.id).join(', ')}. Delete by ID.`,
    )
  return first
}
