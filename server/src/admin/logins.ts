import type { Command } from 'commander'
import { createLogin, setPassword } from '../identity/accounts/logins.ts'
import { createPasswords } from '../identity/accounts/passwords.ts'
import { removeSecondFactor } from '../identity/accounts/second-factor.ts'
import { endSessions } from '../identity/sessions/sessions.ts'
import { done } from './answer.ts'
import { command, refuseUnknownAccount, run, wholeNumber } from './command.ts'
import { type LoginOptions, newLogin, passwordOf } from './login-options.ts'

export function addLoginCommands(program: Command): void {
  const login = program.command('login').description('people who sign in for an account')

  command(login, 'create', 'add a login to an account')
    .requiredOption('--account <id>', 'id of the account', wholeNumber)
    .requiredOption('--alias <alias>', 'alias to sign in with')
    .requiredOption('--email <email>', 'e-mail address to sign in with')
    .option('--password <password>', 'password')
    .option('--password-stdin', 'read the password from standard input')
    .action(
      run(async ({ db }, options: LoginOptions & { account: number }) => {
        await refuseUnknownAccount(db, options.account)
        const wanted = await newLogin(options)
        const id = await createLogin(db, await createPasswords(), 'operator', options.account, wanted)
        return { json: { login_id: id }, text: `Login ${id} is made.` }
      }),
    )

  command(login, 'set-password', 'give a login a new password')
    .argument('<alias-or-email>', 'whose')
    .option('--password <password>', 'new password')
    .option('--password-stdin', 'read the password from standard input')
    .action(
      run(async ({ db }, options: LoginOptions, name: string) => {
        const password = await passwordOf(options)
        const isDone = await setPassword(db, await createPasswords(), 'operator', name, password, endSessions)
        return done(isDone, 'The password is changed.', 'Nobody signs in with this alias or e-mail address.')
      }),
    )

  command(login, 'remove-second-factor', 'for somebody who lost the authenticator app and the recovery codes')
    .argument('<alias-or-email>', 'whose')
    .action(
      run(async ({ db }, _options, name: string) => {
        const isDone = await removeSecondFactor(db, 'operator', name)
        return done(
          isDone,
          'The password alone is enough again.',
          'Nobody with this alias or e-mail address has a second factor.',
        )
      }),
    )
}
