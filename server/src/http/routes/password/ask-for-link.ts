import { z } from 'zod'
import { findDevice } from '../../../identity/accounts/devices.ts'
import { linkMinutes, openReset } from '../../../identity/accounts/password-resets.ts'
import { Refusal } from '../../../model/errors.ts'
import { deviceToken } from '../../device-cookie.ts'
import { linkMail } from '../../mails.ts'
import { openOperation } from '../../operation.ts'

export const askForLink = openOperation({
  id: 'askForPasswordLink',
  group: 'Sign-in',
  summary: 'Ask for a link to a new password',
  description: `Sends a mail with a link that works once and for ${linkMinutes} minutes. Links that were sent before stay valid, and none is sent while one is fresh. The answer is the same whether or not the login exists.`,
  params: z.object({
    login: z.string({ error: 'must be a text' }).meta({ description: 'Alias or e-mail address.' }),
  }),
  answer: z.object({}),
  failures: ['crossSite', 'noMail'],
  async handle({ db, vault, throttle, mail, afterwards, baseUrl }, { input, origin }) {
    if (mail === undefined)
      throw new Refusal('noMail', 'This installation sends no mail. Ask its operator for a new password.')
    const { ip } = origin
    const device = await findDevice(db, vault, deviceToken(origin.headers, baseUrl))
    await throttle.askForLink(ip, device)
    // Whether the login exists is looked up after the answer, so that not even its time can tell.
    const isAccepted = afterwards(async () => {
      const opened = await openReset(db, vault, { login: input.login, ip, knownLoginId: device?.loginId })
      if (opened === undefined) return
      // In the fragment, which browsers keep to themselves: the token reaches no log on the way.
      const link = new URL(`/reset#token=${opened.token}`, baseUrl).href
      mail.send(linkMail(opened, link, linkMinutes))
    })
    if (!isAccepted)
      throw new Refusal('unavailable', 'Too many links are asked for at once. Try again in a moment.', {
        retryAfterSeconds: 2,
      })
    return {}
  },
})
