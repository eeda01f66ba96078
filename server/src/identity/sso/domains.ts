/**
 * Email domains of an account, proven by a DNS record. For users of a verified domain, the account's provider is asked at the
 * sign-in, and new ones can join. A domain is verified by at most one account.
 */
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import type { AuditAction } from '../../model/audit-actions.ts'
import { ApiError } from '../../model/errors.ts'
import { hasErrorCode } from '../../runtime/has-error-code.ts'
import { isShared } from './shared-domains.ts'

export interface SsoDomain {
  id: number
  domain: string
  challenge: string
  createdAt: Date
  verifiedAt: Date | null
}

/** Returns the TXT records of a name. */
export type ResolveText = (name: string) => Promise<string[]>

const maxDomains = 20

/** Where the DNS record is expected, and what it must contain. */
export function domainRecord({ domain, challenge }: Pick<SsoDomain, 'domain' | 'challenge'>) {
  return { name: `_hookline-challenge.${domain}`, value: `hookline-verification=${challenge}` }
}

/** Returns the domain of an email in the form in which domains are stored; undefined if there is none. */
export function domainOf(email: string): string | undefined {
  const name = toAscii(email.slice(email.lastIndexOf('@') + 1))
  return email.includes('@') && isDomain(name) ? name : undefined
}

/** Node.js reads the host of a URL: of "a.example/b" the part before the slash, of "%61.example" the decoded letter. */
function toAscii(name: string): string {
  const domain = name.trim()
  return /[/\\?#%\t\r\n]/.test(domain) ? '' : domainToASCII(domain).toLowerCase()
}

export function listDomains(db: Database | Trx, accountId: number): Promise<SsoDomain[]> {
  return db
    .selectFrom('ssoDomains')
    .select(['id', 'domain', 'challenge', 'createdAt', 'verifiedAt'])
    .where('accountId', '=', accountId)
    .orderBy('domain')
    .execute()
}

export async function hasVerifiedDomain(
  trx: Database | Trx,
  accountId: number,
  domain: string,
): Promise<boolean> {
  const found = await trx
    .selectFrom('ssoDomains')
    .select('id')
    .where('accountId', '=', accountId)
    .where('domain', '=', domain)
    .where('verifiedAt', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Adds a domain that is not verified yet, within a transaction that holds the lock of the account. */
export async function addDomain(
  trx: Trx,
  actor: Actor,
  accountId: number,
  input: string,
): Promise<SsoDomain> {
  const domain = normalizeDomain(input)
  const existing = await listDomains(trx, accountId)
  const same = existing.find((candidate) => candidate.domain === domain)
  if (same !== undefined) return same
  if (existing.length >= maxDomains)
    throw new ApiError('parameterInvalid', `An account can have ${maxDomains} domains. Remove one first.`, {
      field: 'domain',
    })
  const added = await trx
    .insertInto('ssoDomains')
    .values({ accountId, domain, challenge: randomBytes(24).toString('base64url') })
    .returning(['id', 'domain', 'challenge', 'createdAt', 'verifiedAt'])
    .executeTakeFirstOrThrow()
  await record(trx, actor, accountId, 'sso.add-domain', domain)
  return added
}

/** Looks up the DNS record of a domain and marks the domain as verified. */
export async function verifyDomain(
  { db, resolveText }: { db: Database; resolveText: ResolveText },
  actor: Actor,
  accountId: number,
  id: number,
): Promise<SsoDomain> {
  const domain = (await listDomains(db, accountId)).find((candidate) => candidate.id === id)
  if (domain === undefined) throw domainNotFound(id)
  if (domain.verifiedAt !== null) return domain
  const { name, value } = domainRecord(domain)
  const records = await resolveText(name)
  if (!records.some((text) => text.trim() === value))
    throw new ApiError(
      'domainNotVerified',
      `No TXT record "${value}" at ${name}. Add it, and retry when your DNS provider has published it.`,
    )
  return db.transaction().execute((trx) => markVerified(trx, actor, accountId, domain))
}

/** Marks a domain as verified. The operator can do so without a DNS record. */
export async function markVerified(
  trx: Trx,
  actor: Actor,
  accountId: number,
  { id, domain }: Pick<SsoDomain, 'id' | 'domain'>,
): Promise<SsoDomain> {
  let verified
  try {
    verified = await trx
      .updateTable('ssoDomains')
      .set({ verifiedAt: sql<Date>`now()` })
      .where('accountId', '=', accountId)
      .where('id', '=', id)
      .returning(['id', 'domain', 'challenge', 'createdAt', 'verifiedAt'])
      .executeTakeFirst()
  } catch (error) {
    // 23505 is a violation of a unique index.
    if (hasErrorCode(error, '23505'))
      throw new ApiError('domainTaken', 'Another account has verified this domain. Contact the operator.')
    throw error
  }
  if (verified === undefined) throw domainNotFound(id)
  await record(trx, actor, accountId, 'sso.verify-domain', domain)
  return verified
}

export async function removeDomain(trx: Trx, actor: Actor, accountId: number, id: number): Promise<void> {
  const removed = await trx
    .deleteFrom('ssoDomains')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .returning('domain')
    .executeTakeFirst()
  if (removed === undefined) throw domainNotFound(id)
  await record(trx, actor, accountId, 'sso.remove-domain', removed.domain)
}

function normalizeDomain(input: string): string {
  const domain = toAscii(input)
  if (!isDomain(domain))
    throw new ApiError('parameterInvalid', 'The domain must look like "example.com".', { field: 'domain' })
  if (isShared(domain))
    throw new ApiError(
      'parameterInvalid',
      'The domain is shared by many organizations. Use a domain of your own.',
      { field: 'domain' },
    )
  return domain
}

function isDomain(name: string): boolean {
  return (
    name.length <= 190 &&
    isIP(name) === 0 &&
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(name)
  )
}

function record(
  trx: Trx,
  actor: Actor,
  accountId: number,
  action: Extract<AuditAction, `sso.${string}-domain`>,
  domain: string,
): Promise<void> {
  return recordAudit(trx, { accountId, actor, action, subject: `account:${accountId}`, detail: { domain } })
}

function domainNotFound(id: number): ApiError {
  return new ApiError('notFound', `Domain ${id} not found.`)
}
