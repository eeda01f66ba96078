import { z } from 'zod'
import { linkMinutes, openReset } from '../../../identity/accounts/password-resets.ts'
import { Refusal } from '../../../model/errors.ts'
import { linkMail } from '../../mails.ts'
import { openOperation } from '../../operation.ts'

export const askForLink = openOperation({
  id: 'askForPasswordLink',
  group: 'Sign-in',
  summary: 'Ask for a link to a new password',
  description: `Sends a mail with a link that works once and for ${linkMinutes} minutes. The answer is the same whether or not the login exists.`,
  params: z.object({
    login: z.string({ error: 'must be a text' }).meta({ description: 'Alias or e-mail address.' }),
  }),
  answer: z.object({}),
  failures: ['crossSite', 'noMail'],
  async handle({ db, vault, throttle, mail, afterwards, baseUrl }, { input, origin }) {
    if (mail === undefined)
      throw new Refusal('noMail', 'This installation sends no mail. Ask its operator for a new password.')
    await throttle.askForLink(input.login.toLowerCase(), origin.ip)
    // Whether the login exists is looked up after the answer, so that not even its time can tell.
    afterwards(async () => {
      const opened = await openReset(db, vault, { login: input.login, ip: origin.ip })
      if (opened === undefined) return
      // In the fragment, which browsers keep to themselves: the token reaches no log on the way.
      const link = new URL(`/reset#token=${opened.token}`, baseUrl).href
      mail.send(linkMail(opened, link, linkMinutes))
    })
    return {}
  },
})
