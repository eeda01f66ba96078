import type { Command } from 'commander'
import { createAccount, listAccounts, setSuspended } from '../identity/accounts/accounts.ts'
import { createPasswords } from '../identity/accounts/passwords.ts'
import { done, rows } from './answer.ts'
import { command, run, wholeNumber } from './command.ts'
import { type LoginOptions, newLogin } from './login-options.ts'

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('customers of the gateway')

  command(
    account,
    'create',
    'make an account, with a first login if --alias, --email and a password are given',
  )
    .requiredOption('--name <name>', 'name of the account')
    .option('--alias <alias>', 'alias of its first login')
    .option('--email <email>', 'e-mail address of its first login')
    .option('--password <password>', 'password of its first login')
    .option('--password-stdin', 'read the password from standard input')
    .action(
      run(async ({ db }, options: LoginOptions & { name: string }) => {
        const wantsLogin = options.alias !== undefined || options.email !== undefined
        const first = wantsLogin ? await newLogin(options) : undefined
        const made = await createAccount(db, await createPasswords(), 'operator', {
          name: options.name,
          login: first,
        })
        return {
          json: { account_id: made.accountId, login_id: made.loginId },
          text: `Account ${made.accountId} is made.`,
        }
      }),
    )

  command(account, 'list', 'show all accounts').action(
    run(async ({ db }) => rows(await listAccounts(db), ['id', 'name', 'suspendedAt', 'createdAt'])),
  )

  command(account, 'suspend', 'refuse every call of an account')
    .argument('<id>', 'its id', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await setSuspended(db, 'operator', id, true)
        return done(isDone, `Account ${id} is suspended.`, `There is no account ${id} that is not suspended.`)
      }),
    )

  command(account, 'resume', 'let a suspended account work again')
    .argument('<id>', 'its id', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await setSuspended(db, 'operator', id, false)
        return done(isDone, `Account ${id} works again.`, `There is no suspended account ${id}.`)
      }),
    )
}
