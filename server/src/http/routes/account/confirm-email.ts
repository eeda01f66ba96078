import { z } from 'zod'
import { confirmEmail } from '../../../identity/accounts/email-verifications.ts'
import { sendNotice } from '../../mails.ts'
import { personOperation } from '../../operation.ts'

export const confirmOwnEmail = personOperation({
  id: 'confirmEmail',
  group: 'Account',
  summary: 'Confirm an email with a link',
  description:
    'Makes the email to which the link was sent the email of your login. The link counts only for the login it was sent for. The old email is told.',
  params: z.object({
    token: z.string({ error: 'must be a text' }).meta({ description: 'From the link in the mail.' }),
  }),
  answer: z.object({}),
  failures: ['crossSite', 'linkInvalid'],
  async handle({ db, vault, mail, baseUrl }, { input, person, origin }) {
    const { loginId } = person
    const { token } = input
    const { alias, oldEmail } = await confirmEmail(db, vault, { loginId, token, actor: `login:${loginId}` })
    sendNotice(mail, { alias, email: oldEmail }, 'email', { ip: origin.ip, baseUrl })
    return {}
  },
})
