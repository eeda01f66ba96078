/** Members of an account beside the login that owns it. */
import { randomBytes } from 'node:crypto'
import { insertLogin } from '../../src/identity/accounts/logins.ts'
import { createPasswords } from '../../src/identity/accounts/passwords.ts'
import { insertMember, lockMembers, setFirstRole } from '../../src/identity/members/members.ts'
import type { Member } from '../../src/model/role.ts'
import type { TestService } from './test-service.ts'

export interface TestMember {
  accountId: number
  loginId: number
  alias: string
  email: string
  password: string
}

/** Creates a login in the account, as an accepted invitation does. */
export async function addMember(
  hookline: TestService,
  { accountId }: { accountId: number },
  member: Member,
): Promise<TestMember> {
  const alias = `${member.role}-${randomBytes(6).toString('hex')}`
  const login = { alias, email: `${alias}@example.com`, password: randomBytes(12).toString('hex') }
  const passwordHash = await createPasswords().hash(login.password)
  const loginId = await hookline.db.transaction().execute(async (trx) => {
    const id = await insertLogin(trx, 'visitor', accountId, { ...login, isEmailVerified: true }, passwordHash)
    await setFirstRole(trx, 'visitor', { accountId, loginId: id }, member)
    return id
  })
  return { accountId, loginId, ...login }
}

/** Makes an existing login a member of another account. */
export async function joinAccount(
  hookline: TestService,
  { loginId }: { loginId: number },
  { accountId }: { accountId: number },
  member: Member,
): Promise<void> {
  await hookline.db.transaction().execute(async (trx) => {
    await lockMembers(trx, accountId)
    await insertMember(trx, `login:${loginId}`, { accountId, loginId }, member)
  })
}
