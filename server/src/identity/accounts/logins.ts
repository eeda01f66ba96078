import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'
import { forgetNetworks } from './known-networks.ts'
import { longestPasswordBytes, type Passwords } from './passwords.ts'

export interface NewLogin {
  alias: string
  email: string
  password: string
}

const shortestPassword = 10

/** Refuses before anything is written; the texts name the field, never its value. */
export function judgeLogin(login: NewLogin): void {
  if (!/^[A-Za-z0-9._-]{2,64}$/.test(login.alias))
    throw new Refusal('parameterInvalid', 'The alias needs 2 to 64 letters, digits, dots, "-" or "_".')
  judgeEmail(login.email)
  judgePassword(login.password)
}

/** Without the characters that separate or wrap addresses in a mail's header: a mail goes to this one and no other. */
export function judgeEmail(email: string): void {
  if (!/^[^\s@,;:<>()[\]\\"\p{C}]{1,64}@[^\s@,;:<>()[\]\\"\p{C}]{1,190}$/u.test(email))
    throw new Refusal('parameterInvalid', 'The e-mail address is not valid.')
}

export function judgePassword(password: string): void {
  if (Buffer.byteLength(password) > longestPasswordBytes)
    throw new Refusal('parameterInvalid', `The password can have at most ${longestPasswordBytes} bytes.`)
  if (password.length < shortestPassword)
    throw new Refusal('parameterInvalid', `The password needs at least ${shortestPassword} characters.`)
}

/** An alias never holds `@` and an e-mail address always does, so a name fits at most one login. */
export function isNamed(name: string) {
  const column = name.includes('@') ? 'logins.email' : 'logins.alias'
  return sql<boolean>`lower(${sql.ref(column)}) = ${name.toLowerCase()}`
}

/** Adds a login within the caller's transaction. */
export async function insertLogin(
  trx: Trx,
  actor: Actor,
  accountId: number,
  login: Pick<NewLogin, 'alias' | 'email'>,
  passwordHash: string,
): Promise<number> {
  // Who registers alone must verify the email first; the operator vouches for it.
  const email = actor === 'visitor' ? {} : { email: login.email, emailVerifiedAt: sql<Date>`now()` }
  const added = await trx
    .insertInto('logins')
    .values({ accountId, alias: login.alias, passwordHash, ...email })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined)
    throw new Refusal(
      'parameterInvalid',
      actor === 'visitor'
        ? 'Another login already has this alias.'
        : 'Another login already has this alias or e-mail address.',
    )
  await recordAudit(trx, {
    accountId,
    actor,
    action: 'login.create',
    subject: `login:${added.id}`,
    detail: { alias: login.alias },
  })
  return added.id
}

export async function createLogin(
  db: Database,
  passwords: Passwords,
  actor: Actor,
  accountId: number,
  login: NewLogin,
): Promise<number> {
  judgeLogin(login)
  const passwordHash = await passwords.hash(login.password)
  return db.transaction().execute((trx) => insertLogin(trx, actor, accountId, login, passwordHash))
}

export async function countLogins(trx: Trx, accountId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('logins')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** False: nobody has this alias or e-mail address. `alsoEnd` ends what the old password had started. */
export async function setPassword(
  db: Database,
  passwords: Passwords,
  actor: Actor,
  name: string,
  password: string,
  alsoEnd: (trx: Trx, loginId: number) => Promise<unknown>,
): Promise<boolean> {
  judgePassword(password)
  const passwordHash = await passwords.hash(password)
  return db.transaction().execute(async (trx) => {
    const found = await trx.selectFrom('logins').select('id').where(isNamed(name)).executeTakeFirst()
    if (found === undefined) return false
    await writePassword(trx, actor, found.id, passwordHash)
    await alsoEnd(trx, found.id)
    return true
  })
}

/** Within the caller's transaction, which must also end what the old password had started. */
export async function writePassword(
  trx: Trx,
  actor: Actor,
  loginId: number,
  passwordHash: string,
  detail: { ip?: string; by?: 'link' } = {},
): Promise<{ accountId: number; alias: string; email: string | null }> {
  const login = await trx
    .updateTable('logins')
    .set({ passwordHash })
    .where('id', '=', loginId)
    .returning(['accountId', 'alias', 'email'])
    .executeTakeFirstOrThrow()
  await trx.deleteFrom('passwordResets').where('loginId', '=', loginId).execute()
  await forgetNetworks(trx, loginId)
  await recordAudit(trx, {
    accountId: login.accountId,
    actor,
    action: 'login.set-password',
    subject: `login:${loginId}`,
    detail,
  })
  return login
}

/** 23505: a unique index has it already. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
