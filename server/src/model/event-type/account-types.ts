/**
 * Account events: Hookline reports the state of webhooks and keys as events of their own types. They are defined like the
 * types of the operator, with three differences: producers cannot submit them, webhooks of type `all` do not receive them
 * unless they name them, and events about a webhook that receives them are never created. Pure.
 */
import type { AccountEventType } from './account-event.ts'
import type { EventTypeDefinition } from './definition.ts'

const text = (description: string) => ({ type: 'string', description })
const integer = (description: string) => ({ type: 'integer', description })
const instant = (description: string) => ({ type: 'string', format: 'date-time', description })
const nullable = <Schema extends { type: string }>(schema: Schema) => ({
  ...schema,
  type: [schema.type, 'null'],
})

const hookFields = {
  hook_id: integer('Id of the webhook.'),
  hook_name: nullable(text('Name of the webhook.')),
  host: text('Host of its endpoint URL.'),
}
const hookSample = { hook_id: 7, hook_name: 'Orders', host: 'shop.example' }
const failureFields = {
  reason: nullable(text('Reason of the latest failed attempt.')),
  status: nullable(integer('HTTP status of the latest failed attempt.')),
}

interface AccountType {
  name: AccountEventType
  label: string
  description: string
  properties: Record<string, object>
  sample: Record<string, unknown>
}

const types: readonly AccountType[] = [
  {
    name: 'webhook.failing',
    label: 'Webhook failing',
    description: 'A webhook fails, or backs off because it fails often.',
    properties: {
      ...hookFields,
      stage: {
        enum: ['backing_off', '1h', '24h', '3d'],
        description: 'For how long all attempts have failed, or `backing_off` if most have.',
      },
      since: instant('When the failures began.'),
      ...failureFields,
    },
    sample: { ...hookSample, stage: '1h', since: '2026-11-15T08:12:00.000Z', reason: 'status', status: 503 },
  },
  {
    name: 'webhook.recovered',
    label: 'Webhook recovered',
    description: 'A webhook works again after a failure that was reported.',
    properties: {
      ...hookFields,
      since: instant('When the failures began.'),
      lost: integer('Deliveries that failed or expired meanwhile.'),
      pending: integer('Late deliveries that are sent now.'),
    },
    sample: { ...hookSample, since: '2026-11-15T08:12:00.000Z', lost: 0, pending: 40 },
  },
  {
    name: 'webhook.disabled',
    label: 'Webhook disabled',
    description: 'Hookline disabled a webhook.',
    properties: {
      ...hookFields,
      cause: {
        enum: ['failing', 'gone'],
        description: 'Five days of failures, or the response 410 Gone.',
      },
      since: instant('When the failures began.'),
      ...failureFields,
    },
    sample: {
      ...hookSample,
      cause: 'failing',
      since: '2026-11-10T08:12:00.000Z',
      reason: 'timeout',
      status: null,
    },
  },
  {
    name: 'delivery.lost',
    label: 'Deliveries lost',
    description: 'A webhook lost at least 1% of its deliveries in 24 hours.',
    properties: {
      ...hookFields,
      lost: integer('Deliveries that failed or expired.'),
      finished: integer('All deliveries that finished.'),
      since: instant('The hour of the first.'),
    },
    sample: { ...hookSample, lost: 12, finished: 900, since: '2026-11-15T08:00:00.000Z' },
  },
  {
    name: 'delivery.expiring',
    label: 'Held deliveries expiring',
    description: 'Events on hold of a disabled webhook will be lost within 24 hours.',
    properties: {
      ...hookFields,
      held: integer('Deliveries that will be lost within 24 hours.'),
      ends_at: instant('When the first is lost.'),
    },
    sample: { ...hookSample, held: 40, ends_at: '2026-11-16T08:12:00.000Z' },
  },
  {
    name: 'certificate.expiring',
    label: 'Certificate expiring',
    description: 'The TLS certificate of a receiver expires within 21, 7 or 1 days.',
    properties: { ...hookFields, expires_at: instant('Until when it is valid.') },
    sample: { ...hookSample, expires_at: '2026-11-22T00:00:00.000Z' },
  },
  {
    name: 'key.expiring',
    label: 'API key expiring',
    description: 'An API key expires within 7 or 1 days.',
    properties: {
      key_id: integer('Id of the key.'),
      key_name: text('Name of the key.'),
      expires_at: instant('Until when it is valid.'),
      last_used_at: nullable(instant('When it was last used.')),
    },
    sample: {
      key_id: 3,
      key_name: 'Billing',
      expires_at: '2026-11-22T00:00:00.000Z',
      last_used_at: '2026-11-15T09:29:00.000Z',
    },
  },
]

/** As operators define types. Nothing in these events is personal data of a message. */
export const accountTypes: readonly EventTypeDefinition[] = types.map(
  ({ name, label, description, properties, sample }) => ({
    name,
    label,
    description,
    schema: { type: 'object', required: Object.keys(properties), properties },
    sample,
    public_fields: Object.keys(properties),
    filter_field: 'host' in properties ? 'host' : null,
    time_sensitive: false,
  }),
)
