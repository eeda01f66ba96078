import type { Command } from 'commander'
import { createAccount, listAccounts, setSuspended } from '../identity/accounts/accounts.ts'
import { createPasswords } from '../identity/accounts/passwords.ts'
import { result, table } from './output.ts'
import { command, run, wholeNumber } from './command.ts'
import { type LoginOptions, readLogin } from './login-options.ts'

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('manage accounts')

  command(account, 'create', 'create an account; --alias, --email and a password add its first login')
    .requiredOption('--name <name>', 'account name')
    .option('--alias <alias>', 'alias of the first login')
    .option('--email <email>', 'email of the first login')
    .option('--password <password>', 'password of the first login')
    .option('--password-stdin', 'read the password from standard input')
    .action(
      run(async ({ db }, options: LoginOptions & { name: string }) => {
        const { alias, email, password, passwordStdin } = options
        const hasLogin = [alias, email, password, passwordStdin].some((option) => option !== undefined)
        const first = hasLogin ? await readLogin(options) : undefined
        const created = await createAccount(db, await createPasswords(), 'operator', {
          name: options.name,
          login: first,
        })
        return {
          json: { account_id: created.accountId, login_id: created.loginId },
          text: `Created account ${created.accountId}.`,
        }
      }),
    )

  command(account, 'list', 'list all accounts').action(
    run(async ({ db }) => table(await listAccounts(db), ['id', 'name', 'suspendedAt', 'createdAt'])),
  )

  command(account, 'suspend', 'reject all calls of an account and stop its deliveries')
    .argument('<id>', 'account id', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await setSuspended(db, 'operator', id, true)
        return result(isDone, `Suspended account ${id}.`, `Account ${id} not found or already suspended.`)
      }),
    )

  command(account, 'resume', 'resume a suspended account')
    .argument('<id>', 'account id', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await setSuspended(db, 'operator', id, false)
        return result(isDone, `Resumed account ${id}.`, `Account ${id} not found or not suspended.`)
      }),
    )
}
