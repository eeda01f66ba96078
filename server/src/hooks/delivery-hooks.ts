/**
 * The hooks of accounts as route and deliver need them: filters compiled, headers opened, secrets derived. Kept in
 * memory with the version they were read at. The memory is an optimisation: whoever uses it compares the version in its
 * own statement and asks for a reload when it is another.
 */
import { createSecretKey, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Trx } from '../db/database.ts'
import { splitHeaders } from '../model/custom-headers.ts'
import { type CompiledFilter, compileFilter } from '../model/event-filter.ts'
import type { EventType, RequestMethod } from '../model/hook.ts'
import type { Vault } from '../vault/vault.ts'
import { openHeaders } from './hook-record.ts'

export interface DeliveryHook {
  id: number
  targetUrl: string
  callUrl: string
  /** Of the address, with its port: what hooks of one receiver have in common. */
  host: string
  eventType: EventType
  requestMethod: RequestMethod
  filter: CompiledFilter | null
  headers: ReadonlyArray<{ name: string; value: string }>
  enabled: boolean
  /** Null: as fast as the receiver answers. */
  mostPerSecond: number | null
  /** Newest first; two while a rotation overlaps. */
  secrets: readonly KeyObject[]
}

export interface AccountHooks {
  version: string
  hooks: ReadonlyMap<number, DeliveryHook>
  /** Of the account, for the signature that existing receivers verify. */
  signatureKey: KeyObject
}

export interface DeliveryHooks {
  /** What is in memory; undefined: load it first. */
  get: (accountId: number) => AccountHooks | undefined
  load: (accountIds: Iterable<number>) => Promise<void>
}

const mostAccounts = 20_000
const rotationOverlapMs = 24 * 60 * 60 * 1_000

interface Row {
  accountId: number
  version: string
  id: number | null
  targetUrl: string
  callUrl: string
  eventType: string
  requestMethod: string
  eventFilter: string | null
  headers: Buffer | null
  enabled: boolean
  mostPerSecond: number | null
  secretGeneration: number
  isRotating: boolean
}

export function createDeliveryHooks(db: Database, vault: Vault): DeliveryHooks {
  const accounts = new Map<number, AccountHooks>()
  return {
    get: (accountId) => accounts.get(accountId),
    async load(accountIds) {
      const wanted = [...new Set(accountIds)]
      if (wanted.length === 0) return
      // Version and hooks in one statement: they belong together.
      const { rows } = await sql<Row>`
        SELECT accounts.id AS account_id, accounts.hooks_version AS version, hooks.id, hooks.target_url, hooks.call_url,
               hooks.event_type, hooks.request_method, hooks.event_filter, hooks.headers, hooks.enabled,
               hooks.most_per_second, hooks.secret_generation,
               coalesce(hooks.secret_rotated_at > now() - make_interval(secs => ${rotationOverlapMs / 1_000}), false)
                 AS is_rotating
        FROM accounts LEFT JOIN hooks ON hooks.account_id = accounts.id
        WHERE accounts.id = ANY (${wanted}::integer[]) ORDER BY accounts.id, hooks.id
      `.execute(db)
      if (accounts.size > mostAccounts) accounts.clear()
      for (const [accountId, own] of Map.groupBy(rows, (row) => row.accountId)) {
        const version = own[0]?.version ?? '0'
        // Of two loads at once, the one that read earlier may come back later.
        if (BigInt(accounts.get(accountId)?.version ?? 0) > BigInt(version)) continue
        accounts.set(accountId, {
          version,
          hooks: new Map(
            own.flatMap((row) =>
              row.id === null ? [] : [[row.id, deliveryHook(row, row.id, vault)] as const],
            ),
          ),
          signatureKey: createSecretKey(signatureKey(vault, accountId), 'utf8'),
        })
      }
    },
  }
}

/** Derived, not stored: the vault's key and the ids give the same secret on every process. */
function hookSecret(vault: Vault, accountId: number, hookId: number, generation: number): Buffer {
  return vault.digest(`${accountId}:${hookId}:${generation}`, 'hook-secret')
}

function signatureKey(vault: Vault, accountId: number): string {
  return vault.digest(String(accountId), 'account-signature').toString('hex')
}

interface SigningSecrets {
  secret: string
  signatureKey: string
  rotatedAt: Date | null
  /** Until then deliveries are signed with the secret before this one too. */
  previousUntil: Date | null
}

/** What the owner of a hook gives to its receiver; undefined: there is no such hook. */
export async function signingSecrets(
  db: Database | Trx,
  vault: Vault,
  accountId: number,
  hookId: number,
): Promise<SigningSecrets | undefined> {
  const overlap = sql`make_interval(secs => ${rotationOverlapMs / 1_000})`
  const found = await db
    .selectFrom('hooks')
    .select([
      'secretGeneration',
      'secretRotatedAt',
      sql<Date | null>`CASE WHEN secret_rotated_at > now() - ${overlap} THEN secret_rotated_at + ${overlap} END`.as(
        'previousUntil',
      ),
    ])
    .where('accountId', '=', accountId)
    .where('id', '=', hookId)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const secret = hookSecret(vault, accountId, hookId, found.secretGeneration)
  return {
    secret: `whsec_${secret.toString('base64')}`,
    signatureKey: signatureKey(vault, accountId),
    rotatedAt: found.secretRotatedAt,
    previousUntil: found.previousUntil,
  }
}

function deliveryHook(row: Row, id: number, vault: Vault): DeliveryHook {
  const generations = row.isRotating
    ? [row.secretGeneration, row.secretGeneration - 1]
    : [row.secretGeneration]
  return {
    id,
    targetUrl: row.targetUrl,
    callUrl: row.callUrl,
    host: new URL(row.callUrl).host,
    // Only this part writes these columns, and only from these types.
    eventType: row.eventType as EventType,
    requestMethod: row.requestMethod as RequestMethod,
    filter: row.eventFilter === null ? null : compileFilter(row.eventFilter),
    headers: splitHeaders(openHeaders(row.headers, row.accountId, vault)),
    enabled: row.enabled,
    mostPerSecond: row.mostPerSecond,
    // Made into keys once: to do it for each signature costs five times the signature.
    secrets: generations.map((generation) =>
      createSecretKey(hookSecret(vault, row.accountId, id, generation)),
    ),
  }
}
