import { sql } from 'kysely'

/** For the table `logins` of a query, also in an outer join: an unknown login causes the same lookup. */
export const hasPasskey = sql<boolean>`EXISTS (
  SELECT FROM passkeys WHERE passkeys.login_id = coalesce(logins.id, 0))`

/** Whether a login has two-factor authentication: an authenticator app or a passkey. */
export const hasSecondFactor = sql<boolean>`(logins.totp_confirmed_at IS NOT NULL OR ${hasPasskey})`
