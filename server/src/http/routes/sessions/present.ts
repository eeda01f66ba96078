/** API representation of a session with login and account. */
import { z } from 'zod'
import { pendingEmail } from '../../../identity/accounts/email-verifications.ts'
import { loginOverview } from '../../../identity/accounts/login-overview.ts'
import { findMember, listAccountsOf, noMembership } from '../../../identity/members/members.ts'
import type { Session } from '../../../identity/sessions/sessions.ts'
import type { ApiDeps } from '../../operation/operation.ts'
import { memberRights, presentRights, role } from '../members/present.ts'

export const sessionResponse = z.object({
  session: z
    .object({ id: z.int(), created_at: z.iso.datetime(), expires_at: z.iso.datetime() })
    .meta({ id: 'Session' }),
  login: z
    .object({
      id: z.int(),
      alias: z.string(),
      email: z.string().nullable().meta({ description: 'Null until an email is confirmed.' }),
      unconfirmed_email: z.string().nullable().meta({
        description: 'Email with a pending verification link. It is not active until the link is opened.',
      }),
      second_factor: z.boolean().meta({
        description: 'Whether two-factor authentication is enabled: with an authenticator app or a passkey.',
      }),
      authenticator_app: z.boolean().meta({ description: 'Whether an authenticator app is set up.' }),
      passkeys: z.int().meta({ description: 'Number of passkeys.' }),
      recovery_codes_left: z.int(),
    })
    .meta({ id: 'Login' }),
  account: z.object({ id: z.int(), name: z.string(), created_at: z.iso.datetime() }).meta({ id: 'Account' }),
  member: z
    .object(memberRights)
    .meta({ id: 'Membership', description: 'Your role and rights in the account of the session.' }),
  accounts: z
    .array(z.object({ id: z.int(), name: z.string(), role, is_suspended: z.boolean() }))
    .meta({ description: 'Your accounts, by name. `POST /api/session/account` switches to another one.' }),
  sso: z
    .object({
      name: z.string().meta({ description: 'Name of the connection.' }),
      confirmed_until: z.iso.datetime().nullable().meta({
        description:
          'Until when the latest `POST /api/sso/confirm` confirms operations with an empty `password`. Null if it does not.',
      }),
    })
    .nullable()
    .meta({
      id: 'SsoOrigin',
      description:
        'Set for a session of single sign-on, which stays in this account and cannot change the login itself.',
    }),
  csrf_token: z
    .string()
    .meta({ description: 'Send it as `X-CSRF-Token` with every call that changes data.' }),
})

export async function presentSession(
  { db }: ApiDeps,
  session: Session,
  csrfToken: string,
): Promise<z.infer<typeof sessionResponse>> {
  const login = await loginOverview(db, session.loginId)
  const isSso = session.sso !== null
  const all = await listAccountsOf(db, session.loginId)
  // The provider of one account may have started the session, and learns nothing about the others.
  const accounts = isSso ? all.filter(({ id }) => id === session.accountId) : all
  const account = accounts.find(({ id }) => id === session.accountId)
  const member = await findMember(db, session)
  if (account === undefined || member === undefined) throw noMembership()
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
      unconfirmed_email: isSso ? null : ((await pendingEmail(db, session.loginId)) ?? null),
      second_factor: login.hasSecondFactor,
      authenticator_app: login.hasApp,
      passkeys: isSso ? 0 : login.passkeys,
      recovery_codes_left: isSso ? 0 : login.recoveryCodesLeft,
    },
    account: { id: account.id, name: account.name, created_at: account.createdAt.toISOString() },
    member: presentRights(member),
    accounts: accounts.map(({ id, name, role: roleThere, isSuspended }) => ({
      id,
      name,
      role: roleThere,
      is_suspended: isSuspended,
    })),
    sso: session.sso && {
      name: session.sso.name,
      confirmed_until: session.sso.confirmedUntil?.toISOString() ?? null,
    },
    csrf_token: csrfToken,
  }
}
