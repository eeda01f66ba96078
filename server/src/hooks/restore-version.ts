/** Makes the settings of an earlier version current again, as an edit with all its checks. The state stays. */
import type { Database } from '../db/database.ts'
import type { DeliveryOptions } from '../model/delivery-options.ts'
import { ApiError } from '../model/errors.ts'
import type { RequestMethod } from '../model/hook.ts'
import type { Vault } from '../vault/vault.ts'
import { findByFingerprint, hookExists } from './create-hook.ts'
import type { HookEdit } from './edit-hook.ts'
import { fingerprint, hookColumns, type HookRecord, readHeaders } from './hook-record.ts'
import { hookNotFound } from './read-hook.ts'
import { type HookLimits, validateHook } from './validate-hook.ts'
import { compareVersions, currentVersion, type FieldChange, readVersion } from './version-history.ts'

type Version = Omit<HookRecord, 'createdAt'>

type Optional = 'maxPerSecond' | 'readTypes' | 'expectedVersion'

export interface Restoration {
  edit: Required<Omit<HookEdit, Optional>> & Pick<HookEdit, Optional>
  /** The event type that the hook has now. */
  currentType: string
  at: Date
  changes: FieldChange[]
  /** The version with which `changes` compares. */
  currentVersion: number
}

/** Returns the edit that restores a version, and what it changes. Rejects versions whose headers cannot be decrypted. */
export async function prepareRestoration(
  db: Database,
  vault: Vault,
  accountId: number,
  hookId: number,
  version: number,
): Promise<Restoration> {
  // Read first: a change between the two reads makes this version outdated, so no restore can overwrite that change.
  const newest = await currentVersion(db, accountId, hookId)
  const current = await db
    .selectFrom('hooks')
    .select(hookColumns)
    .where('accountId', '=', accountId)
    .where('id', '=', hookId)
    .executeTakeFirst()
  if (current === undefined) throw hookNotFound(hookId)
  const stored = await readVersion(db, accountId, hookId, version)
  if (stored === undefined)
    throw new ApiError(
      'notFound',
      `Version ${version} of webhook ${hookId} not found. Versions without deliveries are deleted after 100 newer ones.`,
    )
  const headers = readHeaders(stored.headers, accountId, vault)
  if (headers === undefined)
    throw new ApiError(
      'invalidHeaders',
      'The headers of this version cannot be decrypted. Edit the webhook and enter them again.',
    )
  return {
    edit: toEdit(stored, headers, version),
    currentType: current.registeredAs ?? current.eventType,
    at: stored.at,
    changes: compareVersions(current, stored, accountId, vault),
    currentVersion: newest,
  }
}

/** Rejects an edit that saving would reject: a rule of this installation, or another hook with the same values. */
export async function validateRestoration(
  db: Database,
  vault: Vault,
  rules: HookLimits,
  accountId: number,
  hookId: number,
  { edit }: Restoration,
): Promise<void> {
  const requested = validateHook(rules, accountId, edit)
  const duplicate = await findByFingerprint(db, accountId, fingerprint(requested, vault))
  if (duplicate !== undefined && duplicate.id !== hookId) throw hookExists(duplicate)
}

function toEdit(stored: Version, headers: string, version: number): Restoration['edit'] {
  return {
    targetUrl: stored.targetUrl,
    eventType: stored.registeredAs ?? stored.eventType,
    requestMethod: stored.requestMethod as RequestMethod,
    eventFilter: stored.eventFilter,
    headers,
    texts: { name: stored.name, description: stored.description },
    options: {
      formFields: stored.formFields as DeliveryOptions['formFields'],
      retryPolicy: stored.retryPolicy as DeliveryOptions['retryPolicy'],
      acceptHeader: stored.acceptHeader,
      traceHeader: stored.traceHeader,
      signatureUrl: stored.signatureUrl as DeliveryOptions['signatureUrl'],
    },
    restoredVersion: version,
    // 0: the limit of this version was not recorded, so the current one stays.
    ...(stored.maxPerSecond !== 0 && { maxPerSecond: stored.maxPerSecond }),
  }
}
