/** The signing key of an account in effect: after the switch of a rotation, the next key is the current one. */
import { type RawBuilder, sql } from 'kysely'

export const currentSigningKey: RawBuilder<Buffer | null> = sql`
  CASE WHEN accounts.signing_key_switches_at <= now() THEN accounts.next_signing_key ELSE accounts.signing_key END`
