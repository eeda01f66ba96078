import type { Command } from 'commander'
import type { Trx } from '../db/database.ts'
import { setEmail } from '../identity/accounts/email-verifications.ts'
import { createLogin, findLoginId, setPassword } from '../identity/accounts/logins.ts'
import { createPasswords } from '../identity/accounts/passwords.ts'
import { deleteLastCodes } from '../identity/accounts/recovery-codes.ts'
import { removeAuthenticatorApp } from '../identity/accounts/second-factor.ts'
import { removeAllPasskeys } from '../identity/passkeys/passkeys.ts'
import { revokeSessions } from '../identity/sessions/sessions.ts'
import { result } from './output.ts'
import { command, rejectUnknownAccount, run, wholeNumber } from './command.ts'
import { type LoginOptions, readLogin, readPassword } from './login-options.ts'

export function addLoginCommands(program: Command): void {
  const login = program.command('login').description('manage logins')

  command(login, 'create', 'add a login to an account')
    .requiredOption('--account <id>', 'account id', wholeNumber)
    .requiredOption('--alias <alias>', 'alias of the login')
    .requiredOption('--email <email>', 'email of the login')
    .option('--password <password>', 'password')
    .option('--password-stdin', 'read the password from standard input')
    .action(
      run(async ({ db }, options: LoginOptions & { account: number }) => {
        await rejectUnknownAccount(db, options.account)
        const requested = await readLogin(options)
        const id = await createLogin(db, createPasswords(), 'operator', options.account, requested)
        return { json: { login_id: id }, text: `Created login ${id}.` }
      }),
    )

  command(login, 'set-password', 'set a new password for a login')
    .argument('<alias-or-email>', 'alias or email of the login')
    .option('--password <password>', 'new password')
    .option('--password-stdin', 'read the password from standard input')
    .action(
      run(async ({ db }, options: LoginOptions, name: string) => {
        const password = await readPassword(options)
        const isDone = await setPassword(db, createPasswords(), 'operator', name, password, revokeSessions)
        return result(isDone, 'Password changed.', notFound(name))
      }),
    )

  command(login, 'set-email', 'set the email of a login and mark it as verified')
    .argument('<alias-or-email>', 'alias or current email of the login')
    .requiredOption('--email <email>', 'new email')
    .action(
      run(async ({ db }, { email }: { email: string }, name: string) =>
        result(
          await setEmail(db, 'operator', name, email),
          `Email set to ${email}. Links sent to the old email no longer work.`,
          notFound(name),
        ),
      ),
    )

  command(
    login,
    'remove-second-factor',
    'remove authenticator app and passkeys, for users who have lost them and the recovery codes',
  )
    .argument('<alias-or-email>', 'alias or email of the login')
    .action(
      run(async ({ db }, _options, name: string) => {
        const isDone = await db.transaction().execute((trx) => removeSecondFactor(trx, name))
        return result(
          isDone,
          'Two-factor authentication removed.',
          'Login not found or without two-factor authentication.',
        )
      }),
    )
}

async function removeSecondFactor(trx: Trx, name: string): Promise<boolean> {
  const loginId = await findLoginId(trx, name)
  if (loginId === undefined) return false
  const hadApp = await removeAuthenticatorApp(trx, 'operator', loginId)
  const hadPasskeys = (await removeAllPasskeys(trx, 'operator', loginId)) > 0
  await deleteLastCodes(trx, loginId)
  return hadApp || hadPasskeys
}

function notFound(name: string): string {
  return `Login not found: ${name}. Use its alias or its verified email.`
}
