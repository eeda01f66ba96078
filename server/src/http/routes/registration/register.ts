import { z } from 'zod'
import { createAccount } from '../../../identity/accounts/accounts.ts'
import { hashShare } from '../../../identity/accounts/authenticate-login.ts'
import { judgeEmail } from '../../../identity/accounts/logins.ts'
import { Refusal } from '../../../model/errors.ts'
import { openOperation } from '../../operation.ts'
import { sendVerification } from '../account/send-verification.ts'
import { email, name, password } from '../fields.ts'
import { beginSession, presentBegun } from '../session/begin.ts'
import { sessionAnswer } from '../session/present.ts'

export const register = openOperation({
  id: 'register',
  group: 'Sign-in',
  summary: 'Open an account',
  description:
    'Makes an account with a first login and signs it in, where the operator allows it. The email counts once the link that is sent to it was opened; whether somebody else has it is not told.',
  params: z.object({
    account_name: name,
    alias: z.string({ error: 'must be a text' }),
    email,
    password,
  }),
  answer: sessionAnswer,
  failures: ['crossSite', 'unknownPath'],
  async handle(parts, { input, person, origin }) {
    const { db, passwords, throttle, selfRegistration } = parts
    if (!selfRegistration)
      throw new Refusal('unknownPath', 'Here the operator makes accounts, nobody can open one alone.')
    judgeEmail(input.email)
    await throttle.claimEmail(origin.ip)
    const { account_name, ...login } = input
    const wanted = { name: account_name, login }
    const share = hashShare({ kind: 'stranger' }, origin.ip)
    const { accountId, loginId } = await createAccount(db, passwords, 'visitor', wanted, share)
    if (loginId === undefined) throw new Error('an account was made without its login')
    const begun = await db
      .transaction()
      .execute((trx) => beginSession(parts, trx, { accountId, loginId, origin, before: person }))
    // Without a mail server the email stays unconfirmed, and the login is used by its alias.
    if (parts.mail !== undefined)
      await sendVerification(parts, loginId, login.email, origin).catch(ignoreRefusal)
    return presentBegun(parts, begun)
  },
})

/** Too many mails went to this email: the account is there all the same, and its owner can ask for a link later. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}
