/**
 * Exports all accounts in the format of imports, from one snapshot. Pages bound the memory. Ids of logins and keys are
 * left out: an import assigns new ones in the same order, so an export of the import has the same bytes.
 */
import { sql } from 'kysely'
import { recordExports } from '../../db/audit.ts'
import type { Database, Trx } from '../../db/database.ts'
import { currentSigningKey } from '../../db/signing-key-columns.ts'
import { readHeaders, registeredName } from '../../hooks/hook-record.ts'
import { openKeySource } from '../../identity/keys/import-keys.ts'
import { canaryAccountName } from '../../model/canary.ts'
import type { DeliveryOptions } from '../../model/delivery-options.ts'
import type { HookTexts } from '../../model/hook.ts'
import { OperatorError } from '../../model/errors.ts'
import type { Role } from '../../model/role.ts'
import { openHookSecret, openSigningKey } from '../../vault/signing-secrets.ts'
import type { Vault } from '../../vault/vault.ts'
import { formatName, formatVersion, type RecordKind } from './records.ts'

interface ExportOptions {
  /** Adds signing secrets, API keys and custom headers. */
  withSecrets: boolean
  onRecords: (kind: RecordKind, count: number) => void
}

const pageSize = 2_000

export async function* exportRecords(
  db: Database,
  vault: Vault,
  { withSecrets, onRecords }: ExportOptions,
): AsyncGenerator<string> {
  const trx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    // The reader of the output can be slow.
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(trx)
    yield `${JSON.stringify({ format: formatName, version: formatVersion })}\n`
    const canaryIds = await readCanaryIds(trx)
    const sources = {
      account: accounts(trx, vault, canaryIds, withSecrets, db),
      login: logins(trx, canaryIds),
      ...(withSecrets && { key: keys(trx, vault, canaryIds) }),
      hook: hooks(trx, vault, canaryIds, withSecrets),
    }
    for (const [kind, pages] of Object.entries(sources) as Array<[RecordKind, AsyncGenerator<object[]>]>)
      for await (const page of pages) {
        onRecords(kind, page.length)
        yield page.map((fields) => `${JSON.stringify({ kind, ...fields })}\n`).join('')
      }
    await trx.commit().execute()
  } finally {
    if (!trx.isCommitted) await trx.rollback().execute()
  }
}

async function readCanaryIds(trx: Trx): Promise<number[]> {
  const found = await trx.selectFrom('accounts').select('id').where('name', '=', canaryAccountName).execute()
  return found.map(({ id }) => id)
}

/** Yields pages until one is empty. `readPage` gets the last row of the page before. */
async function* pagesOf<Row>(readPage: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let last: Row | undefined
  for (;;) {
    const page = await readPage(last)
    last = page.at(-1)
    if (last === undefined) return
    yield page
  }
}

interface AccountRow {
  id: number
  name: string
  createdAt: Date
  isSuspended: boolean
  originalStatuses: boolean | null
  signedCallsRequired: boolean
  signingKey: Buffer | null
}

async function* accounts(
  trx: Trx,
  vault: Vault,
  canaryIds: readonly number[],
  withSecrets: boolean,
  auditDb: Database,
): AsyncGenerator<object[]> {
  const pages = pagesOf<AccountRow>(
    async (last) =>
      (
        await sql<AccountRow>`
          SELECT id, name, created_at, suspended_at IS NOT NULL AS is_suspended, original_statuses,
                 signed_calls_required, ${currentSigningKey} AS signing_key
          FROM accounts WHERE id > ${last?.id ?? 0} AND id <> ALL (${canaryIds}::integer[])
          ORDER BY id LIMIT ${pageSize}
        `.execute(trx)
      ).rows,
  )
  for await (const page of pages) {
    if (withSecrets)
      await recordExports(
        auditDb,
        'operator',
        page.map(({ id }) => id),
      )
    yield page.map((row) => ({
      id: row.id,
      name: row.name,
      created_at: row.createdAt,
      suspended: row.isSuspended,
      statuses: row.originalStatuses === null ? 'default' : row.originalStatuses ? 'original' : 'http',
      signed_calls_required: row.signedCallsRequired,
      ...(withSecrets && {
        signing_key: opened(`signing key of account ${row.id}`, () =>
          openSigningKey(vault, row.signingKey, row.id),
        ),
      }),
    }))
  }
}

/** Rows of other tables, in the order of their accounts. */
interface Owned {
  accountId: number
  id: number
}

function isAfter(last: Owned | undefined) {
  return sql`(account_id, id) > (${last?.accountId ?? 0}, ${last?.id ?? 0})`
}

interface LoginRow extends Owned {
  alias: string
  email: string | null
  role: Role
  canReveal: boolean
  canExport: boolean
  createdAt: Date
}

/** Exports a login with the account that it was created in. Memberships in other accounts are not exported. */
async function* logins(trx: Trx, canaryIds: readonly number[]): AsyncGenerator<object[]> {
  const pages = pagesOf<LoginRow>(
    async (last) =>
      (
        await sql<LoginRow>`
          SELECT account_id, id, alias, email, role, can_reveal, can_export, created_at
          FROM logins JOIN memberships USING (account_id) WHERE login_id = id
          AND ${isAfter(last)} AND account_id <> ALL (${canaryIds}::integer[])
          ORDER BY account_id, id LIMIT ${pageSize}
        `.execute(trx)
      ).rows,
  )
  for await (const page of pages)
    yield page.map(({ accountId, alias, email, role, canReveal, canExport, createdAt }) => ({
      account_id: accountId,
      alias,
      email,
      role,
      can_reveal: canReveal,
      can_export: canExport,
      created_at: createdAt,
    }))
}

interface KeyRow extends Owned {
  name: string
  prefix: string
  sealed: Buffer
  importedAs: string | null
  scopes: string[]
  createdAt: Date
  expiresAt: Date | null
  allowedIps: string[] | null
  signedCallsRequired: boolean
}

/** Revoked keys are left out: an unknown key is rejected too. */
async function* keys(trx: Trx, vault: Vault, canaryIds: readonly number[]): AsyncGenerator<object[]> {
  const pages = pagesOf<KeyRow>(
    async (last) =>
      (
        await sql<KeyRow>`
          SELECT account_id, id, name, prefix, sealed, imported_as, scopes, created_at, expires_at,
                 allowed_ips::text[] AS allowed_ips, signed_calls_required
          FROM keys
          WHERE ${isAfter(last)} AND account_id <> ALL (${canaryIds}::integer[]) AND revoked_at IS NULL
          ORDER BY account_id, id LIMIT ${pageSize}
        `.execute(trx)
      ).rows,
  )
  for await (const page of pages)
    yield page.map((row) => {
      const source = opened(`API key ${row.id}`, () => openKeySource(vault, row))
      return {
        account_id: row.accountId,
        name: row.name,
        ...('digest' in source && row.prefix !== '' && { prefix: row.prefix }),
        scopes: row.scopes,
        created_at: row.createdAt,
        expires_at: row.expiresAt,
        allowed_ips: row.allowedIps,
        signed_calls_required: row.signedCallsRequired,
        ...('key' in source ? { key: source.key } : { [`key_${source.algorithm}`]: source.digest }),
      }
    })
}

interface HookRow extends Owned, DeliveryOptions, HookTexts {
  targetUrl: string
  eventType: string
  requestMethod: string
  eventFilter: string | null
  headers: Buffer | null
  enabled: boolean
  maxPerSecond: number | null
  createdAt: Date
  secret: Buffer | null
  secretGeneration: number
}

async function* hooks(
  trx: Trx,
  vault: Vault,
  canaryIds: readonly number[],
  withSecrets: boolean,
): AsyncGenerator<object[]> {
  const pages = pagesOf<HookRow>(
    async (last) =>
      (
        await sql<HookRow>`
          SELECT account_id, id, target_url, ${registeredName('hooks')} AS event_type, request_method, event_filter,
                 headers, enabled, max_per_second, form_fields, retry_policy, accept_header, trace_header, signature_url, name,
                 description, created_at, secret, secret_generation
          FROM hooks WHERE ${isAfter(last)} AND account_id <> ALL (${canaryIds}::integer[])
          ORDER BY account_id, id LIMIT ${pageSize}
        `.execute(trx)
      ).rows,
  )
  for await (const page of pages)
    yield page.map((row) => ({
      account_id: row.accountId,
      id: row.id,
      target_url: row.targetUrl,
      event_type: row.eventType,
      request_method: row.requestMethod,
      event_filter: row.eventFilter,
      enabled: row.enabled,
      max_per_second: row.maxPerSecond,
      form_fields: row.formFields,
      retry_policy: row.retryPolicy,
      accept_header: row.acceptHeader,
      trace_header: row.traceHeader,
      signature_url: row.signatureUrl,
      ...(row.name !== null && { name: row.name }),
      ...(row.description !== null && { description: row.description }),
      created_at: row.createdAt,
      ...(withSecrets && hookSecrets(vault, row)),
    }))
}

function hookSecrets(vault: Vault, row: HookRow): object {
  const { accountId, id, secretGeneration: generation } = row
  const headers = readHeaders(row.headers, accountId, vault)
  if (headers === undefined) throw unreadable(`headers of webhook ${id}`)
  const secret = opened(`secret of webhook ${id}`, () =>
    openHookSecret(vault, row.secret, { accountId, hookId: id, generation }),
  )
  return { headers, secret: `whsec_${secret.toString('base64')}` }
}

function opened<T>(subject: string, open: () => T): T {
  try {
    return open()
  } catch {
    throw unreadable(subject)
  }
}

function unreadable(subject: string): OperatorError {
  return new OperatorError(`The ${subject} cannot be decrypted. Nothing was exported.`)
}
