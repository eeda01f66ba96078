/** What a page needs to know about who is signed in. */
import { z } from 'zod'
import { pendingEmail } from '../../../identity/accounts/email-verifications.ts'
import { loginOverview } from '../../../identity/accounts/login-overview.ts'
import type { Session } from '../../../identity/sessions/sessions.ts'
import type { ApiParts } from '../../operation.ts'

export const sessionAnswer = z.object({
  session: z.object({ id: z.int(), created_at: z.iso.datetime(), expires_at: z.iso.datetime() }),
  login: z.object({
    id: z.int(),
    alias: z.string(),
    email: z
      .string()
      .nullable()
      .meta({ description: 'Null until one is confirmed by the link that was sent to it.' }),
    unconfirmed_email: z
      .string()
      .nullable()
      .meta({ description: 'A link was sent to it. It counts for nothing until that is opened.' }),
    second_factor: z.boolean().meta({ description: 'Whether a code is asked for besides the password.' }),
    recovery_codes_left: z.int(),
  }),
  account: z.object({ id: z.int(), name: z.string(), created_at: z.iso.datetime() }),
  csrf_token: z
    .string()
    .meta({ description: 'To be sent as `X-CSRF-Token` with every call that changes something.' }),
})

export async function presentSession(
  { db }: ApiParts,
  session: Session,
  csrfToken: string,
): Promise<z.infer<typeof sessionAnswer>> {
  const { login, account } = await loginOverview(db, session.loginId)
  return {
    session: {
      id: session.id,
      created_at: session.createdAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    },
    login: {
      id: login.id,
      alias: login.alias,
      email: login.email,
      unconfirmed_email: (await pendingEmail(db, session.loginId)) ?? null,
      second_factor: login.hasSecondFactor,
      recovery_codes_left: login.recoveryCodesLeft,
    },
    account: { id: account.id, name: account.name, created_at: account.createdAt.toISOString() },
    csrf_token: csrfToken,
  }
}
