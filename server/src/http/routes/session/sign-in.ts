import { z } from 'zod'
import { authenticateLogin } from '../../../identity/accounts/authenticate-login.ts'
import { csrfTokenOf, startSession } from '../../../identity/sessions/sessions.ts'
import { Headed, openOperation } from '../../operation.ts'
import { sessionCookie } from '../../session-cookie.ts'
import { presentSession, sessionAnswer } from './present.ts'

export const signIn = openOperation({
  id: 'signIn',
  group: 'Sign-in',
  summary: 'Sign in',
  description: 'Starts a session in the browser and sets its cookie.',
  params: z.object({
    login: z.string().meta({ description: 'Alias or e-mail address.' }),
    password: z.string(),
  }),
  answer: sessionAnswer,
  failures: [],
  async handle(parts, { input, origin }) {
    const { db, vault, passwords, throttle, baseUrl } = parts
    const holder = await authenticateLogin(db, passwords, throttle, { ...input, ip: origin.ip })
    const { token, session } = await startSession(db, vault, { ...holder, ...origin })
    return new Headed(await presentSession(parts, session, csrfTokenOf(vault, token)), {
      'set-cookie': sessionCookie(baseUrl, token, session.expiresAt),
    })
  },
})
