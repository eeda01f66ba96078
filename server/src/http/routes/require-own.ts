import type { Database } from '../../db/database.ts'
import { isCreator, listCreated } from '../../db/secret-holders.ts'
import { ApiError } from '../../model/errors.ts'
import { includesRole } from '../../model/role.ts'
import type { SessionUser } from '../operation/operation.ts'

/** Rejects developers who manage an API key or OAuth app that another member created. Unknown ones look the same. */
export async function requireOwn(db: Database, user: SessionUser, subject: string): Promise<void> {
  if (includesRole(user.member.role, 'admin') || (await isCreator(db, user, subject))) return
  throw new ApiError(
    'insufficientRole',
    'Another member created this, or it does not exist. Ask an admin of the account.',
    { details: { allowed: ['admin', 'owner'] } },
  )
}

/** Returns a test of whether `requireOwn` accepts a key or an app, for lists. */
export async function findManageable(db: Database, user: SessionUser): Promise<(subject: string) => boolean> {
  if (includesRole(user.member.role, 'admin')) return () => true
  const created = await listCreated(db, user)
  return (subject) => created.has(subject)
}
