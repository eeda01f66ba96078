/** Imports hooks with their ids, because clients have stored them. */
import { sql } from 'kysely'
import type { Actor } from '../db/audit.ts'
import type { Database, Trx } from '../db/database.ts'
import { bytea, integer, unnestNumberedRows } from '../db/rows.ts'
import { defaultOptions, type DeliveryOptions } from '../model/delivery-options.ts'
import type { HookDefinition, HookTexts } from '../model/hook.ts'
import { compareFields, type ImportComparison } from '../model/import-comparison.ts'
import { createHookSecret, openHookSecret, sealHookSecret } from '../vault/signing-secrets.ts'
import type { Vault } from '../vault/vault.ts'
import { addHooks } from './change-hooks.ts'
import { fingerprint, registeredName, sealHeaders, typeColumns } from './hook-record.ts'
import { type HookLimits, validateHook } from './validate-hook.ts'

/** Fields that the file lacks are undefined. They get the values of a new hook. */
export interface ImportedHook extends HookDefinition {
  accountId: number
  id: number
  enabled: boolean | undefined
  createdAt: Date | undefined
  maxPerSecond: number | null | undefined
  /** Whether the file has the headers. Otherwise they are not compared. */
  hasHeaders: boolean
  options: { [Name in keyof DeliveryOptions]: DeliveryOptions[Name] | undefined }
  texts: { [Name in keyof HookTexts]: HookTexts[Name] | undefined }
  secret: Buffer | undefined
}

/** A valid hook, with the values that are derived from it. */
export interface PreparedHook extends ImportedHook {
  callUrl: string
  fingerprint: Buffer
}

export function prepareHook(rules: HookLimits, vault: Vault, hook: ImportedHook): PreparedHook {
  const { accountId, targetUrl, eventType, requestMethod, eventFilter, headers } = hook
  const valid = validateHook(rules, accountId, { targetUrl, eventType, requestMethod, eventFilter, headers })
  return { ...hook, ...valid, fingerprint: fingerprint(valid, vault) }
}

interface Match extends DeliveryOptions, HookTexts {
  ordinal: string
  /** Null: no hook has the id. */
  accountId: number | null
  targetUrl: string
  eventType: string
  requestMethod: string
  eventFilter: string | null
  fingerprint: Buffer
  enabled: boolean
  createdAt: Date
  maxPerSecond: number | null
  secret: Buffer | null
  secretGeneration: number
  /** Another hook of the account with the same five values. */
  duplicateId: number | null
}

/** A hook without a row that has versions was deleted, for example by the account since an earlier run. */
export async function compareHooks(
  db: Database | Trx,
  vault: Vault,
  hooks: readonly PreparedHook[],
): Promise<ImportComparison[]> {
  if (hooks.length === 0) return []
  const { rows } = await sql<Match>`
    SELECT input.ordinal, existing.account_id, existing.target_url,
           ${registeredName('existing')} AS event_type, existing.request_method,
           existing.event_filter, existing.fingerprint, existing.enabled, existing.created_at,
           existing.max_per_second, existing.form_fields, existing.retry_policy, existing.accept_header, existing.trace_header,
           existing.signature_url, existing.name, existing.description, existing.secret, existing.secret_generation, duplicate.id AS duplicate_id
    FROM ${unnestNumberedRows('input', hooks, {
      account_id: integer(({ accountId }) => accountId),
      id: integer(({ id }) => id),
      fingerprint: bytea((hook) => hook.fingerprint),
    })}
    LEFT JOIN hooks AS existing ON existing.id = input.id
    LEFT JOIN hooks AS duplicate ON duplicate.account_id = input.account_id
      AND duplicate.fingerprint = input.fingerprint AND duplicate.id <> input.id
    WHERE existing.id IS NOT NULL OR duplicate.id IS NOT NULL OR EXISTS (
      SELECT FROM hook_versions WHERE hook_versions.account_id = input.account_id AND hook_versions.hook_id = input.id
    )
  `.execute(db)
  const matches = new Map(rows.map((row) => [Number(row.ordinal), row]))
  return hooks.map((hook, index) => {
    const row = matches.get(index + 1)
    return row === undefined ? 'new' : compareHook(vault, hook, row)
  })
}

function compareHook(vault: Vault, hook: PreparedHook, row: Match): ImportComparison {
  if (row.accountId !== null && row.accountId !== hook.accountId)
    return { problem: `Webhook ${hook.id} exists in another account.` }
  if (row.duplicateId !== null)
    return {
      problem: `Webhook ${row.duplicateId} of the account has the same URL, type, method, filter and headers.`,
    }
  if (row.accountId === null) return 'deleted'
  const values = compareFields(`Webhook ${hook.id}`, {
    target_url: [hook.targetUrl, row.targetUrl],
    event_type: [hook.eventType, row.eventType],
    request_method: [hook.requestMethod, row.requestMethod],
    event_filter: [hook.eventFilter, row.eventFilter],
    enabled: [hook.enabled, row.enabled],
    created_at: [hook.createdAt, row.createdAt],
    max_per_second: [hook.maxPerSecond, row.maxPerSecond],
    form_fields: [hook.options.formFields, row.formFields],
    retry_policy: [hook.options.retryPolicy, row.retryPolicy],
    accept_header: [hook.options.acceptHeader, row.acceptHeader],
    trace_header: [hook.options.traceHeader, row.traceHeader],
    signature_url: [hook.options.signatureUrl, row.signatureUrl],
    name: [hook.texts.name, row.name],
    description: [hook.texts.description, row.description],
    secret: [hook.secret, hook.secret && storedSecret(vault, hook, row)],
  })
  if (values !== 'unchanged' || !hook.hasHeaders || hook.fingerprint.equals(row.fingerprint)) return values
  return compareFields(`Webhook ${hook.id}`, { headers: [true, false] })
}

function storedSecret(vault: Vault, { accountId, id }: PreparedHook, row: Match): Buffer {
  return openHookSecret(vault, row.secret, { accountId, hookId: id, generation: row.secretGeneration })
}

export async function insertHooks(
  trx: Trx,
  vault: Vault,
  actor: Actor,
  hooks: readonly PreparedHook[],
): Promise<void> {
  const rows = hooks.map(({ options, texts, ...hook }) => ({
    ...hook,
    ...typeColumns(hook.eventType),
    formFields: options.formFields ?? defaultOptions.formFields,
    retryPolicy: options.retryPolicy ?? defaultOptions.retryPolicy,
    acceptHeader: options.acceptHeader ?? defaultOptions.acceptHeader,
    traceHeader: options.traceHeader ?? defaultOptions.traceHeader,
    signatureUrl: options.signatureUrl ?? defaultOptions.signatureUrl,
    name: texts.name ?? null,
    description: texts.description ?? null,
    headers: sealHeaders(hook.headers, hook.accountId, vault),
    secret: sealHookSecret(vault, hook.accountId, hook.secret ?? createHookSecret()),
    enabled: hook.enabled ?? true,
    maxPerSecond: hook.maxPerSecond ?? null,
  }))
  await addHooks(trx, actor, rows)
}
