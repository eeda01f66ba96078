import { z } from 'zod'
import { createAccount } from '../../../identity/accounts/accounts.ts'
import { Refusal } from '../../../model/errors.ts'
import { openOperation } from '../../operation.ts'
import { name, password } from '../fields.ts'
import { beginSession, presentBegun } from '../session/begin.ts'
import { sessionAnswer } from '../session/present.ts'

export const register = openOperation({
  id: 'register',
  group: 'Sign-in',
  summary: 'Open an account',
  description:
    'Makes an account with a first login and signs it in, where the operator allows it. Which of alias and e-mail address somebody else has is not told.',
  params: z.object({
    account_name: name,
    alias: z.string({ error: 'must be a text' }),
    email: z.string({ error: 'must be a text' }),
    password,
  }),
  answer: sessionAnswer,
  failures: ['crossSite', 'unknownPath'],
  async handle(parts, { input, person, origin }) {
    const { db, passwords, throttle, selfRegistration } = parts
    if (!selfRegistration)
      throw new Refusal('unknownPath', 'Here the operator makes accounts, nobody can open one alone.')
    await throttle.claimName(origin.ip)
    const { account_name, ...login } = input
    const { accountId, loginId } = await createAccount(db, passwords, 'visitor', {
      name: account_name,
      login,
    })
    if (loginId === undefined) throw new Error('an account was made without its login')
    const begun = await db
      .transaction()
      .execute((trx) => beginSession(parts, trx, { accountId, loginId, origin, before: person }))
    return presentBegun(parts, begun)
  },
})
