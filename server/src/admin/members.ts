import { type Command, InvalidArgumentError } from 'commander'
import { isNamed } from '../identity/accounts/logins.ts'
import {
  changeMember,
  insertMember,
  listMembers,
  lockMembers,
  removeMember,
} from '../identity/members/members.ts'
import { revokeAllAuthorizations } from '../identity/oauth/revoke-grant.ts'
import { revokeSessionsIn } from '../identity/sessions/sessions.ts'
import type { Database } from '../db/database.ts'
import { OperatorError } from '../model/errors.ts'
import { includesRole, isRole, type Member, type Role, roles } from '../model/role.ts'
import { command, rejectUnknownAccount, run, wholeNumber } from './command.ts'
import { result, table } from './output.ts'

interface AccountOption {
  account: number
}

interface RightOptions {
  reveal?: boolean
  export?: boolean
}

const nameArgument = ['<alias-or-email>', 'alias or email of the login'] as const

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('manage members of accounts and their roles')

  memberCommand(member, 'list', 'list the members of an account').action(
    run(async ({ db }, { account }: AccountOption) => {
      await rejectUnknownAccount(db, account)
      return table(await listMembers(db, account), [
        'loginId',
        'alias',
        'email',
        'role',
        'canReveal',
        'canExport',
        'joinedAt',
        'usedAt',
      ])
    }),
  )

  withRights(memberCommand(member, 'add', 'add a login to an account').argument(...nameArgument))
    .requiredOption('--role <role>', `role: ${roles.join(', ')}`, role)
    .action(
      run(async ({ db }, options: AccountOption & RightOptions & { role: Role }, name: string) => {
        await rejectUnknownAccount(db, options.account)
        const membership = { accountId: options.account, loginId: await findLogin(db, name) }
        await db.transaction().execute(async (trx) => {
          await lockMembers(trx, options.account)
          await insertMember(trx, 'operator', membership, memberOf(options))
        })
        return result(true, `Added ${name} to account ${options.account} as ${options.role}.`, '')
      }),
    )

  withRights(memberCommand(member, 'change', 'change role or rights of a member').argument(...nameArgument))
    .option('--role <role>', `role: ${roles.join(', ')}`, role)
    .action(
      run(async ({ db }, options: AccountOption & RightOptions & { role?: Role }, name: string) => {
        const membership = { accountId: options.account, loginId: await findLogin(db, name) }
        await db.transaction().execute((trx) =>
          changeMember(trx, 'operator', membership, {
            ...(options.role !== undefined && { role: options.role }),
            ...(options.reveal !== undefined && { canReveal: options.reveal }),
            ...(options.export !== undefined && { canExport: options.export }),
          }),
        )
        return result(true, `Changed ${name} in account ${options.account}.`, '')
      }),
    )

  memberCommand(member, 'remove', 'remove a member, and end sessions and authorizations')
    .argument(...nameArgument)
    .action(
      run(async ({ db }, { account }: AccountOption, name: string) => {
        const membership = { accountId: account, loginId: await findLogin(db, name) }
        await db.transaction().execute(async (trx) => {
          await removeMember(trx, 'operator', membership)
          await revokeSessionsIn(trx, membership)
          await revokeAllAuthorizations(trx, 'operator', membership)
        })
        return result(true, `Removed ${name} from account ${account}.`, '')
      }),
    )
}

function memberCommand(parent: Command, usage: string, description: string): Command {
  return command(parent, usage, description).requiredOption('--account <id>', 'account id', wholeNumber)
}

function withRights(parent: Command): Command {
  return parent
    .option('--reveal', 'may see personal data unmasked')
    .option('--no-reveal', 'may not see personal data unmasked')
    .option('--export', 'may download events and the audit log')
    .option('--no-export', 'may not download events and the audit log')
}

/** Developers and above have both rights, unless the options say otherwise. */
function memberOf({ role: name, reveal, export: canExport }: RightOptions & { role: Role }): Member {
  const isDeveloper = includesRole(name, 'developer')
  return { role: name, canReveal: reveal ?? isDeveloper, canExport: canExport ?? isDeveloper }
}

async function findLogin(db: Database, name: string): Promise<number> {
  const found = await db.selectFrom('logins').select('id').where(isNamed(name)).executeTakeFirst()
  if (found === undefined)
    throw new OperatorError(`Login not found: ${name}. Use its alias or its verified email.`)
  return found.id
}

function role(input: string): Role {
  if (!isRole(input)) throw new InvalidArgumentError(`Expected one of ${roles.join(', ')}.`)
  return input
}
