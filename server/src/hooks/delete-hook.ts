import type { Actor } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { canonicalHeaders } from '../model/custom-headers.ts'
import { Refusal } from '../model/errors.ts'
import type { Hook, HookDefinition } from '../model/hook.ts'
import type { Vault } from '../vault/vault.ts'
import { changeHooks } from './change-hooks.ts'
import { forgetProblem } from './hook-problems.ts'
import { hookColumns, toHook } from './hook-record.ts'

/** By id, or by the values it was created with; filter and headers narrow the choice where they are given. */
export type HookChoice =
  | { id: number }
  | (Pick<HookDefinition, 'targetUrl' | 'eventType' | 'requestMethod'> & {
      eventFilter?: string | undefined
      headers?: string | undefined
    })

/** Deletes one hook and answers its id; refuses when none or more than one fits. */
export function deleteHook(
  db: Database,
  vault: Vault,
  accountId: number,
  actor: Actor,
  choice: HookChoice,
): Promise<number> {
  return changeHooks(db, accountId, actor, async ({ trx, append }) => {
    const id =
      'id' in choice ? choice.id : onlyFit(await candidates(trx, vault, accountId, choice), choice).id
    const deleted = await trx
      .deleteFrom('hooks')
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .returning(hookColumns)
      .executeTakeFirst()
    if (deleted === undefined) throw new Refusal('hookNotFound', `There is no webhook with the id ${id}.`)
    await append('deleted', deleted)
    await forgetProblem(trx, accountId, id)
    return deleted.id
  })
}

async function candidates(
  trx: Trx,
  vault: Vault,
  accountId: number,
  wanted: Exclude<HookChoice, { id: number }>,
): Promise<Hook[]> {
  const records = await trx
    .selectFrom('hooks')
    .select(hookColumns)
    .where('accountId', '=', accountId)
    .where('targetUrl', '=', wanted.targetUrl)
    .where('eventType', '=', wanted.eventType)
    .where('requestMethod', '=', wanted.requestMethod)
    .orderBy('id')
    .execute()
  return records.map((record) => toHook(record, accountId, vault))
}

/** An omitted filter means the hook without one; if there is none, the only one that is left. */
function onlyFit(hooks: Hook[], wanted: Exclude<HookChoice, { id: number }>): Hook {
  const { eventFilter } = wanted
  const headers = wanted.headers === undefined ? undefined : canonicalHeaders(wanted.headers)
  const withHeaders = headers === undefined ? hooks : hooks.filter((hook) => hook.headers === headers)
  const exact = withHeaders.filter((hook) => hook.eventFilter === (eventFilter ?? null))
  const fitting = eventFilter === undefined && exact.length === 0 ? withHeaders : exact

  const [first, ...others] = fitting
  if (first === undefined)
    throw new Refusal(
      'hookNotFound',
      'There is no webhook with this target_url, event_type and request_method.',
    )
  if (others.length > 0)
    throw new Refusal(
      'severalHooksMatch',
      `Several webhooks fit: ${fitting.map((hook) => hook.id).join(', ')}. Delete by id.`,
    )
  return first
}
