/** Changes that are made after the target of a restore, so that the restore undoes them. */
import { sql } from 'kysely'
import type { Database } from '../../../server/src/db/database.ts'
import { deleteHook } from '../../../server/src/hooks/delete-hook.ts'
import { rotateSecret } from '../../../server/src/hooks/rotate-secret.ts'
import { createAccount, setSuspended } from '../../../server/src/identity/accounts/accounts.ts'
import { setPassword } from '../../../server/src/identity/accounts/logins.ts'
import { createPasswords } from '../../../server/src/identity/accounts/passwords.ts'
import { createKey } from '../../../server/src/identity/keys/create-key.ts'
import { createProducer, revokeProducer } from '../../../server/src/identity/keys/producers.ts'
import { revokeKey } from '../../../server/src/identity/keys/revoke-key.ts'
import type { Operator } from './operator.ts'

const actor = 'operator'

export interface UndoneChange {
  /** The action in the audit log. */
  action: string
  subject: string
  /** The state after the restore. */
  effect: string
  /** Returns whether the database has this state. */
  isUndone: (db: Database) => Promise<boolean>
}

/** Creates what the changes need. Returns a function that makes them. */
export async function prepareChanges(
  { db, vault }: Operator,
  accountId: number,
  [deletedHook = 0, rotatedHook = 0]: readonly number[],
): Promise<(operator: Operator) => Promise<UndoneChange[]>> {
  const passwords = createPasswords()
  const login = { alias: 'restore', email: 'restore@example.com', password: 'password before T' }
  const { accountId: otherAccount, loginId } = await createAccount({ db, vault, passwords }, actor, {
    name: 'restore',
    login,
  })
  const { keyId } = await createKey(db, vault, actor, { accountId, name: 'revoked', scopes: ['all'] })
  const { producerId } = await createProducer(db, vault, actor, 'revoked')
  const passwordHash = await readPasswordHash(db, login.alias)

  return async (operator) => {
    const key = { accountId, name: 'created', scopes: ['all'] } as const
    await revokeKey(operator.db, actor, keyId)
    const { keyId: newKeyId } = await createKey(operator.db, operator.vault, actor, key)
    await revokeProducer(operator.db, actor, producerId)
    await deleteHook(operator.db, operator.vault, accountId, actor, { id: deletedHook })
    const limits = { perMinute: 10, perDay: 10 }
    await rotateSecret(operator.db, operator.vault, accountId, actor, rotatedHook, limits)
    await setPassword(operator.db, passwords, actor, login.alias, 'password after T', async () => {})
    await setSuspended(operator.db, actor, otherAccount, true)
    return [
      undone('key.revoke', `key:${keyId}`, 'the revoked key is valid', (after) =>
        exists(after, sql`keys WHERE id = ${keyId} AND revoked_at IS NULL`),
      ),
      undone(
        'key.create',
        `key:${newKeyId}`,
        'the new key is unknown',
        async (after) => !(await exists(after, sql`keys WHERE id = ${newKeyId}`)),
      ),
      undone('producer.revoke', `producer:${producerId}`, 'the revoked producer key is valid', (after) =>
        exists(after, sql`producers WHERE id = ${producerId} AND revoked_at IS NULL`),
      ),
      undone('hook.delete', `hook:${deletedHook}`, 'the deleted webhook receives events', (after) =>
        exists(after, sql`hooks WHERE id = ${deletedHook} AND enabled`),
      ),
      undone('hook.secret.rotate', `hook:${rotatedHook}`, 'the old secret signs', (after) =>
        exists(after, sql`hooks WHERE id = ${rotatedHook} AND secret_rotated_at IS NULL`),
      ),
      undone(
        'login.set-password',
        `login:${loginId}`,
        'the old password is valid',
        async (after) => (await readPasswordHash(after, login.alias)) === passwordHash,
      ),
      undone('account.suspend', `account:${otherAccount}`, 'the suspended account is active', (after) =>
        exists(after, sql`accounts WHERE id = ${otherAccount} AND suspended_at IS NULL`),
      ),
    ]
  }
}

function undone(
  action: string,
  subject: string,
  effect: string,
  isUndone: UndoneChange['isUndone'],
): UndoneChange {
  return { action, subject, effect, isUndone }
}

async function exists(db: Database, rows: ReturnType<typeof sql>): Promise<boolean> {
  const found = await sql`SELECT FROM ${rows}`.execute(db)
  return found.rows.length > 0
}

async function readPasswordHash(db: Database, alias: string): Promise<string> {
  const { passwordHash } = await db
    .selectFrom('logins')
    .select('passwordHash')
    .where('alias', '=', alias)
    .executeTakeFirstOrThrow()
  return passwordHash
}
