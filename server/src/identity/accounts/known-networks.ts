/**
 * Networks from which a login signed in successfully. Strangers elsewhere can neither use up its allowance there nor its
 * share of hashing. Kept as keyed digests, for 30 days, the newest 50 of a login.
 */
import { sql } from 'kysely'
import type { Database, Trx } from '../../db/database.ts'
import { networkOf } from '../../model/ip.ts'
import type { Vault } from '../../vault/vault.ts'

const keptDays = 30
const maxPerLogin = 50

/** Of the login in the same query: known at all, and noted so recently that it need not be noted again. */
export function networkColumns(vault: Vault, ip: string) {
  const seen = (days: number) => sql<boolean>`EXISTS (
    SELECT FROM known_networks WHERE known_networks.login_id = coalesce(logins.id, 0)
      AND known_networks.network = ${digestOf(vault, ip)}
      AND known_networks.seen_at > now() - make_interval(days => ${sql.lit(days)}))`
  return [seen(keptDays).as('isNetworkKnown'), seen(1).as('isNetworkFresh')] as const
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

/** After a new password: whoever knew the old one was not necessarily the owner. */
export async function forgetNetworks(trx: Trx, loginId: number): Promise<void> {
  await trx.deleteFrom('knownNetworks').where('loginId', '=', loginId).execute()
}

export async function pruneNetworks(db: Database): Promise<void> {
  await sql`DELETE FROM known_networks WHERE seen_at < now() - make_interval(days => ${keptDays})`.execute(db)
}

function digestOf(vault: Vault, ip: string): Buffer {
  return vault.digest(networkOf(ip), 'known-network')
}
