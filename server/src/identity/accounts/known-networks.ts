/**
 * Networks with successful sign-ins of a login. Callers from other networks cannot exhaust its allowance or its share of
 * the hash queue there. Stored as keyed digests for 30 days, at most 50 per login.
 */
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { networkOf } from '../../model/ip.ts'
import type { Vault } from '../../vault/vault.ts'

const retentionDays = 30
const maxPerLogin = 50

/** Columns for the login of a query: whether the network is known, and whether it was recorded within a day. */
export function networkColumns(vault: Vault, ip: string) {
  const isSeenWithin = (days: number) => sql<boolean>`EXISTS (
    SELECT FROM known_networks WHERE known_networks.login_id = coalesce(logins.id, 0)
      AND known_networks.network = ${digestOf(vault, ip)}
      AND known_networks.seen_at > now() - make_interval(days => ${sql.lit(days)}))`
  return [isSeenWithin(retentionDays).as('isKnownNetwork'), isSeenWithin(1).as('isNetworkFresh')] as const
}

export async function rememberNetwork(
  db: Database | Trx,
  vault: Vault,
  loginId: number,
  ip: string,
): Promise<void> {
  await db
    .insertInto('knownNetworks')
    .values({ loginId, network: digestOf(vault, ip) })
    .onConflict((conflict) =>
      conflict.columns(['loginId', 'network']).doUpdateSet({ seenAt: sql<Date>`now()` }),
    )
    .execute()
  await sql`
    DELETE FROM known_networks WHERE login_id = ${loginId} AND network IN (
      SELECT network FROM known_networks WHERE login_id = ${loginId} ORDER BY seen_at DESC OFFSET ${maxPerLogin})
  `.execute(db)
}

/** Deletes all networks after a password change, because the old password may have been compromised. */
export async function deleteNetworks(trx: Trx, loginId: number): Promise<void> {
  await trx.deleteFrom('knownNetworks').where('loginId', '=', loginId).execute()
}

export async function pruneNetworks(db: Database): Promise<void> {
  await sql`DELETE FROM known_networks WHERE seen_at < now() - make_interval(days => ${retentionDays})`.execute(
    db,
  )
}

function digestOf(vault: Vault, ip: string): Buffer {
  return vault.digest(networkOf(ip), 'known-network')
}
