import { z } from 'zod'
import { changeKinds } from '../../../hooks/audit-change.ts'
import { type FieldChange, readVersions, versionFields } from '../../../hooks/version-history.ts'
import { hideQuery } from '../../../model/hide-secrets.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { seesUrls } from '../visible-hook.ts'
import { byId } from './params.ts'

const versionsPerPage = 25

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const fieldChanges = z.array(
  z.object({ field: z.enum(versionFields), from: fieldValue, to: fieldValue }).meta({
    id: 'WebhookFieldChange',
    description:
      'Old and new value of a setting. If one of the versions has chosen types, `event_types` has them, separated by commas, instead of `event_type`, and `event_filter` is the filter beside them. For `headers`, their names separated by commas, or null if they cannot be decrypted; values of headers are never shown.',
  }),
)

export const listWebhookVersionsOperation = scopedOperation('hooks:read', {
  id: 'listWebhookVersions',
  group: 'Manage webhooks',
  role: 'viewer',
  summary: 'List versions of a webhook',
  description:
    'Lists who changed what and when, newest first, 25 versions per page. To get the next page, send `next` as `before`. The newest 100 versions are complete. Of older ones, those without deliveries are deleted. Versions of a deleted webhook stay available for 30 days.',
  params: byId.extend({
    before: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, { error: 'must be a positive integer' })
      .transform(Number)
      .optional()
      .meta({ type: 'integer', minimum: 1, description: 'Returns only versions before this one.' }),
  }),
  response: z.object({
    versions: z.array(
      z
        .object({
          version: z.int().meta({ description: 'Increases with every change of the account’s webhooks.' }),
          at: z.iso.datetime(),
          change: z.enum(changeKinds),
          actor: z.string().meta({
            description: '`login:`, `key:` or `app:` with an id, or `operator` or `service`.',
          }),
          actor_name: z.string().nullable().meta({ description: 'Name of the login, key or app.' }),
          changes: fieldChanges.meta({
            description:
              'Differences from the previous stored version. Of the first version, settings other than the defaults.',
          }),
          restored: z.object({ version: z.int(), at: z.iso.datetime().nullable() }).nullable().meta({
            description:
              'The earlier version that this one restored, and its time, which is null once the version is deleted.',
          }),
          may_skip_versions: z.boolean().meta({
            description: 'Whether versions between this one and the previous stored one may be deleted.',
          }),
        })
        .meta({ id: 'WebhookVersion' }),
    ),
    next: z.int().nullable(),
  }),
  errors: ['notFound'],
  async handle({ db, vault }, { caller, input: { id, before } }) {
    // Reads one more version to detect a next page.
    const found = await readVersions(db, vault, caller.accountId, id, { before, limit: versionsPerPage + 1 })
    const page = found.slice(0, versionsPerPage)
    return {
      versions: page.map(({ at, actorName, maySkipVersions, restored, changes, ...version }) => ({
        ...version,
        changes: seesUrls(caller) ? changes : changes.map(withoutCredentials),
        at: at.toISOString(),
        actor_name: actorName,
        restored: restored && { version: restored.version, at: restored.at?.toISOString() ?? null },
        may_skip_versions: maySkipVersions,
      })),
      next: found.length > versionsPerPage ? (page.at(-1)?.version ?? null) : null,
    }
  },
})

function withoutCredentials(change: FieldChange): FieldChange {
  if (change.field !== 'target_url') return change
  return { ...change, from: hideIfUrl(change.from), to: hideIfUrl(change.to) }
}

function hideIfUrl(url: FieldChange['from']): FieldChange['from'] {
  return typeof url === 'string' ? hideQuery(url) : url
}
