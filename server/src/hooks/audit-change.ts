/**
 * Records changes of hooks in the audit log: the fields that changed, and the new values of those that are short and
 * never contain a secret or personal data. URLs may contain a token, filters a phone number.
 */
import { type Actor, recordAudit } from '../db/audit.ts'
import type { Trx } from '../db/database.ts'
import type { JsonObject } from '../db/types.ts'
import type { AuditAction } from '../model/audit-actions.ts'
import type { DisabledReason } from '../model/hook-state.ts'
import { type HookField, settingsOf } from './hook-fields.ts'
import type { HookRecord } from './hook-record.ts'

export const changeKinds = ['created', 'changed', 'enabled', 'disabled', 'deleted'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** What a change did, in addition to the new version of the hook. */
export type Change =
  | { kind: 'created' | 'enabled' | 'deleted' }
  | { kind: 'disabled'; reason: DisabledReason }
  | { kind: 'changed'; fields: readonly HookField[]; restoredVersion?: number | undefined }

const actions: Record<ChangeKind, AuditAction> = {
  created: 'hook.create',
  changed: 'hook.change',
  enabled: 'hook.enable',
  disabled: 'hook.disable',
  deleted: 'hook.delete',
}

export async function auditChange(
  trx: Trx,
  { accountId, actor }: { accountId: number; actor: Actor },
  change: Change,
  hook: HookRecord,
): Promise<void> {
  if (change.kind === 'changed' && change.fields.length === 0) return
  const action = actions[change.kind]
  await recordAudit(trx, {
    accountId,
    actor,
    action,
    subject: `hook:${hook.id}`,
    detail: detailOf(change, hook),
  })
}

function detailOf(change: Change, hook: HookRecord): JsonObject {
  switch (change.kind) {
    case 'created':
    case 'deleted':
      return { host: URL.parse(hook.targetUrl)?.host ?? '' }
    case 'enabled':
      return {}
    case 'disabled':
      return { reason: change.reason }
    case 'changed': {
      const { target_url: _, event_filter: __, description: ___, ...plain } = settingsOf(hook)
      const values = Object.entries(plain).filter(([field]) => change.fields.some((name) => name === field))
      const { restoredVersion } = change
      return {
        fields: [...change.fields],
        ...Object.fromEntries(values),
        ...(restoredVersion !== undefined && { restored_version: restoredVersion }),
      }
    }
  }
}
