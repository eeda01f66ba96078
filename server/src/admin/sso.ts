import type { Command } from 'commander'
import { listMembers, lockMembers } from '../identity/members/members.ts'
import { listBreakGlass, readConnection, removeConnection } from '../identity/sso/connections.ts'
import { addDomain, listDomains, markVerified } from '../identity/sso/domains.ts'
import { command, rejectUnknownAccount, run, wholeNumber } from './command.ts'
import { result } from './output.ts'

interface AccountOption {
  account: number
}

export function addSsoCommands(program: Command): void {
  const sso = program.command('sso').description('help accounts with single sign-on')

  ssoCommand(sso, 'show', 'show the connection, the domains and the break-glass users of an account').action(
    run(async ({ db }, { account }: AccountOption) => {
      await rejectUnknownAccount(db, account)
      const connection = await readConnection(db, account)
      const domains = await listDomains(db, account)
      const breakGlass = await listBreakGlass(db, account)
      const members = await listMembers(db, account)
      const users = members
        .filter(({ loginId }) => breakGlass.includes(loginId))
        .map((member) => describeBreakGlass(member))
      const text = [
        connection === undefined
          ? 'No connection.'
          : `Issuer ${connection.issuer}, client ${connection.clientId}, ${connection.isRequired ? 'required' : 'optional'}.`,
        ...domains.map(
          ({ domain, verifiedAt }) =>
            `Domain ${domain}: ${verifiedAt === null ? 'not verified' : 'verified'}.`,
        ),
        `Break-glass users: ${users.join(', ') || 'none'}.`,
      ].join('\n')
      const json = {
        issuer: connection?.issuer ?? null,
        client_id: connection?.clientId ?? null,
        is_required: connection?.isRequired ?? false,
        domains: domains.map(({ domain, verifiedAt }) => ({ domain, is_verified: verifiedAt !== null })),
        break_glass_login_ids: breakGlass,
      }
      return { text, json }
    }),
  )

  ssoCommand(sso, 'remove', 'remove the connection, so that all members sign in with their passwords').action(
    run(async ({ db }, { account }: AccountOption) => {
      await rejectUnknownAccount(db, account)
      const isRemoved = await db.transaction().execute(async (trx) => {
        await lockMembers(trx, account)
        return removeConnection(trx, 'operator', account)
      })
      return result(
        isRemoved,
        `Removed single sign-on of account ${account}.`,
        `Account ${account} has no single sign-on.`,
      )
    }),
  )

  ssoCommand(sso, 'verify-domain', 'mark an email domain of an account as verified, without a DNS record')
    .argument('<domain>', 'domain such as example.com')
    .action(
      run(async ({ db }, { account }: AccountOption, name: string) => {
        await rejectUnknownAccount(db, account)
        const { domain } = await db.transaction().execute(async (trx) => {
          await lockMembers(trx, account)
          return markVerified(trx, 'operator', account, await addDomain(trx, 'operator', account, name))
        })
        return result(true, `Verified ${domain} for account ${account}.`, '')
      }),
    )
}

function describeBreakGlass({ alias, hasSecondFactor }: { alias: string; hasSecondFactor: boolean }): string {
  return hasSecondFactor ? alias : `${alias} (cannot sign in without two-factor authentication)`
}

function ssoCommand(parent: Command, usage: string, description: string): Command {
  return command(parent, usage, description).requiredOption('--account <id>', 'account id', wholeNumber)
}
