/** The database form of a hook: headers encrypted, the five values as one keyed fingerprint. */
import { type RawBuilder, sql } from 'kysely'
import type { DeliveryOptions } from '../model/delivery-options.ts'
import { isPartName, typeOfName } from '../model/event-part.ts'
import type { Hook, HookDefinition, HookTexts } from '../model/hook.ts'
import { orUndefined } from '../runtime/or-undefined.ts'
import type { Vault } from '../vault/vault.ts'

export const hookColumns = [
  'id',
  'targetUrl',
  'eventType',
  'registeredAs',
  'requestMethod',
  'eventFilter',
  'headers',
  'enabled',
  'createdAt',
  'formFields',
  'retryPolicy',
  'acceptHeader',
  'traceHeader',
  'signatureUrl',
  'name',
  'description',
  'maxPerSecond',
] as const

export interface HookRecord extends HookTexts {
  id: number
  targetUrl: string
  eventType: string
  registeredAs: string | null
  requestMethod: string
  eventFilter: string | null
  headers: Buffer | null
  enabled: boolean
  createdAt: Date
  formFields: string
  retryPolicy: string
  acceptHeader: boolean
  traceHeader: boolean
  signatureUrl: string
  /** Null: no limit. */
  maxPerSecond: number | null
}

/** Headers that cannot be decrypted become empty: the rest of the hook, and other hooks, can still be read. */
export function toHook({ registeredAs, ...record }: HookRecord, accountId: number, vault: Vault): Hook {
  return {
    ...record,
    eventType: registeredAs ?? record.eventType,
    // Only this module writes the column, and only from this type.
    requestMethod: record.requestMethod as Hook['requestMethod'],
    formFields: record.formFields as DeliveryOptions['formFields'],
    retryPolicy: record.retryPolicy as DeliveryOptions['retryPolicy'],
    signatureUrl: record.signatureUrl as DeliveryOptions['signatureUrl'],
    headers: readHeaders(record.headers, accountId, vault) ?? '',
  }
}

/** An older name is stored beside its type, so the previous version delivers the whole type instead of nothing. */
export function typeColumns(name: string): Pick<HookRecord, 'eventType' | 'registeredAs'> {
  return { eventType: typeOfName(name), registeredAs: isPartName(name) ? name : null }
}

/** The name that a hook was registered with. `table` is `hooks`, `hook_versions` or an alias. */
export function registeredName(table: string): RawBuilder<string> {
  return sql`coalesce(${sql.ref(`${table}.registeredAs`)}, ${sql.ref(`${table}.eventType`)})`
}

export function openHeaders(headers: Buffer | null, accountId: number, vault: Vault): string {
  return headers === null ? '' : vault.open(headers, headersContext(accountId))
}

/** Returns undefined if the headers cannot be decrypted. */
export function readHeaders(headers: Buffer | null, accountId: number, vault: Vault): string | undefined {
  return orUndefined(() => openHeaders(headers, accountId, vault))
}

export function sealHeaders(headers: string, accountId: number, vault: Vault): Buffer | null {
  return headers === '' ? null : vault.seal(headers, headersContext(accountId))
}

/** Keyed because headers contain credentials: a plain hash could be brute-forced. */
export function fingerprint(hook: HookDefinition, vault: Vault): Buffer {
  const values = [hook.targetUrl, hook.eventType, hook.requestMethod, hook.eventFilter, hook.headers]
  return vault.digest(JSON.stringify(values), 'hook-fingerprint')
}

function headersContext(accountId: number): string {
  return `hook-headers:${accountId}`
}
