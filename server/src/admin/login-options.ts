/** How a login is given on the command line; its password may come from standard input. */
import { text } from 'node:stream/consumers'
import { Advice } from '../model/errors.ts'

export interface LoginOptions {
  alias?: string
  email?: string
  password?: string
  passwordStdin?: boolean
}

export async function newLogin(options: LoginOptions) {
  const { alias, email } = options
  if (alias === undefined || email === undefined)
    throw new Advice('A login needs both --alias and --email, and a password.')
  return { alias, email, password: await passwordOf(options) }
}

export async function passwordOf(options: LoginOptions): Promise<string> {
  if (options.passwordStdin) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (options.password === undefined)
    throw new Advice('Give --password, or --password-stdin and the password.')
  return options.password
}
