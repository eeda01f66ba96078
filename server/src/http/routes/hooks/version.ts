/** Reads an earlier version of a webhook, and restores it. */
import { z } from 'zod'
import { readHook } from '../../../hooks/read-hook.ts'
import { prepareRestoration, type Restoration, validateRestoration } from '../../../hooks/restore-version.ts'
import { ApiError } from '../../../model/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import { type ApiDeps, scopedOperation } from '../../operation/operation.ts'
import { rejectUnknownType } from '../contract/params.ts'
import { applyEdit } from './apply-edit.ts'
import { byId } from './params.ts'
import { hookResponse, presentHook } from './present.ts'
import { fieldChanges } from './versions.ts'

/** An invalid version becomes 0, which results in "not found". */
const byVersion = byId.extend({
  version: z
    .string()
    .transform((text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0))
    .meta({ type: 'integer', minimum: 1, description: 'A version of the webhook.' }),
})

export const readWebhookVersionOperation = scopedOperation('hooks:read', {
  id: 'readWebhookVersion',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Preview restoring a version',
  description:
    'Compares the webhook with an earlier version: returns what a restore would change, and the error that it would return.',
  params: byVersion,
  response: z.object({
    version: z.int(),
    at: z.iso.datetime(),
    current_version: z
      .int()
      .meta({ description: 'The version of the webhook now. Send it as `expected_version` to restore.' }),
    changes: fieldChanges.meta({ description: 'Settings that a restore would change.' }),
    problem: z
      .object({ code: z.int(), message: z.string() })
      .nullable()
      .meta({ description: 'Why the version cannot be restored. Null if it can.' }),
  }),
  errors: ['notFound', 'invalidHeaders'],
  async handle(deps, { caller, input: { id, version } }) {
    const { db, vault } = deps
    const restoration = await prepareRestoration(db, vault, caller.accountId, id, version)
    return {
      version,
      at: restoration.at.toISOString(),
      current_version: restoration.currentVersion,
      changes: restoration.changes,
      problem: await problemOf(() => validate(deps, caller, id, restoration)),
    }
  },
})

export const restoreWebhookVersionOperation = scopedOperation('hooks', {
  id: 'restoreWebhookVersion',
  group: 'Manage webhooks',
  role: 'developer',
  summary: 'Restore a version of a webhook',
  description:
    'Gives the webhook the settings of an earlier version, as an edit with all its checks. A disabled webhook stays disabled, an enabled one enabled. The signing secret stays. If the rate limit of the version was not recorded, it stays too.',
  params: byVersion.extend({
    expected_version: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Rejects the call with code 1108 if the webhook has another version now.' }),
  }),
  response: z.object({ hook: hookResponse }),
  errors: [
    'notFound',
    'invalidUrl',
    'invalidHeaders',
    'invalidFilter',
    'hookExists',
    'hookChanged',
    'tooManyChanges',
  ],
  takesIdempotencyKey: true,
  async handle(deps, { caller, input: { id, version, expected_version: expectedVersion } }) {
    const { db, vault } = deps
    const restoration = await prepareRestoration(db, vault, caller.accountId, id, version)
    await validate(deps, caller, id, restoration)
    await applyEdit(deps, caller, id, { ...restoration.edit, expectedVersion })
    return { hook: presentHook(await readHook(db, vault, caller.accountId, id)) }
  },
})

async function validate(deps: ApiDeps, caller: Caller, id: number, restoration: Restoration): Promise<void> {
  const { db, vault, hookLimits, eventTypes } = deps
  const { edit, currentType } = restoration
  // A webhook can keep a removed type.
  if (edit.eventType !== currentType) rejectUnknownType(eventTypes.current(), edit.eventType)
  await validateRestoration(db, vault, hookLimits, caller.accountId, id, restoration)
}

async function problemOf(check: () => Promise<void>): Promise<{ code: number; message: string } | null> {
  try {
    await check()
    return null
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message }
    throw error
  }
}
