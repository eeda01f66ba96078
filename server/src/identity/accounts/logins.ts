import type { Database, Trx } from '../../db/database.ts'
import { Refusal } from '../../model/errors.ts'
import { type Actor, recordAudit } from '../../db/audit.ts'
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
  if (!/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(login.email))
    throw new Refusal('parameterInvalid', 'The e-mail address is not valid.')
  judgePassword(login.password)
}

function judgePassword(password: string): void {
  if (Buffer.byteLength(password) > longestPasswordBytes)
    throw new Refusal('parameterInvalid', `The password can have at most ${longestPasswordBytes} bytes.`)
  if (password.length < shortestPassword)
    throw new Refusal('parameterInvalid', `The password needs at least ${shortestPassword} characters.`)
}

/** Adds a login within the caller's transaction. */
export async function insertLogin(
  trx: Trx,
  actor: Actor,
  accountId: number,
  login: NewLogin,
  passwordHash: string,
): Promise<number> {
  const added = await trx
    .insertInto('logins')
    .values({ accountId, alias: login.alias, email: login.email, passwordHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined)
    throw new Refusal('parameterInvalid', 'Another login already has this alias or e-mail address.')
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

/** False: nobody has this alias or e-mail address. */
export async function setPassword(
  db: Database,
  passwords: Passwords,
  actor: Actor,
  name: string,
  password: string,
): Promise<boolean> {
  judgePassword(password)
  const passwordHash = await passwords.hash(password)
  return db.transaction().execute(async (trx) => {
    const column = name.includes('@') ? 'email' : 'alias'
    const changed = await trx
      .updateTable('logins')
      .set({ passwordHash })
      .where((where) => where(where.fn<string>('lower', [column]), '=', name.toLowerCase()))
      .returning(['id', 'accountId'])
      .executeTakeFirst()
    if (changed === undefined) return false
    await recordAudit(trx, {
      accountId: changed.accountId,
      actor,
      action: 'login.set-password',
      subject: `login:${changed.id}`,
    })
    return true
  })
}
