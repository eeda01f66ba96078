import { z } from 'zod'
import { judgeEmail, setEmail } from '../../../identity/accounts/logins.ts'
import { noticeMail } from '../../mails.ts'
import { personOperation } from '../../operation.ts'
import { askPassword } from '../ask-password.ts'
import { password } from '../fields.ts'

export const changeEmail = personOperation({
  id: 'changeEmail',
  group: 'Account',
  summary: 'Change the e-mail address',
  description:
    'Changes the e-mail address of your login, for whoever gives the password. The old address is told.',
  params: z.object({ email: z.string({ error: 'must be a text' }), password }),
  answer: z.object({}),
  failures: ['crossSite', 'passwordWrong'],
  async handle(parts, { input, person, origin }) {
    const { db, throttle, mail, baseUrl } = parts
    judgeEmail(input.email)
    await askPassword(parts, person, input.password, origin)
    // The answer tells whether somebody else has the address.
    await throttle.claimName(origin.ip)
    const { alias, oldEmail } = await setEmail(db, `login:${person.loginId}`, person.loginId, input.email)
    mail?.send(noticeMail({ alias, email: oldEmail }, 'email', { ip: origin.ip, baseUrl }))
    return {}
  },
})
