/** Command-line options of a login. The password can come from standard input. */
import { text } from 'node:stream/consumers'
import { OperatorError } from '../model/errors.ts'

export interface LoginOptions {
  alias?: string
  email?: string
  password?: string
  passwordStdin?: boolean
}

export async function readLogin(options: LoginOptions) {
  const { alias, email } = options
  if (alias === undefined || email === undefined)
    throw new OperatorError('A login needs --alias, --email and a password.')
  return { alias, email, password: await readPassword(options) }
}

export async function readPassword(options: LoginOptions): Promise<string> {
  if (options.passwordStdin) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (options.password === undefined)
    throw new OperatorError('Password missing. Use --password or --password-stdin.')
  return options.password
}
