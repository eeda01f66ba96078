/** The audit log: who changed what, for an account's owner and the operator. Only ever inserted into; never a secret. */
import type { Trx } from './database.ts'
import type { JsonObject } from './types.ts'

/** Who acts: the operator's tool, the service itself, or a credential of the account such as `key:12`. */
export type Actor = 'operator' | 'service' | `key:${number}` | `login:${number}` | `app:${string}`

interface AuditEntry {
  accountId?: number
  actor: Actor
  action: string
  subject: string
  detail?: JsonObject
}

export async function recordAudit(trx: Trx, entry: AuditEntry): Promise<void> {
  await trx
    .insertInto('audit')
    .values({
      accountId: entry.accountId ?? null,
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute()
}
