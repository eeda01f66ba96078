import { z } from 'zod'
import { findPart, typeOfName } from '../../../model/event-part.ts'
import { isAccountEvent } from '../../../model/event-type/account-event.ts'
import { builtInLabels } from '../../../model/event-type/built-in-labels.ts'
import type { EventCatalog } from '../../../model/event-type/catalog.ts'
import { scopedOperation } from '../../operation/operation.ts'

const eventType = z
  .object({
    name: z.string().meta({ description: 'Value of `event_type` of a webhook.', examples: ['sms_mo'] }),
    label: z.string(),
    description: z.string(),
    type: z.string().nullable().meta({
      description: '`type` of the events. Differs from `name` for a part of a type. Null for `all`.',
    }),
    filter_field: z
      .string()
      .nullable()
      .meta({ description: 'Field that a list of filter values is compared with.' }),
    time_sensitive: z.boolean(),
    built_in: z.boolean(),
    account_event: z.boolean().meta({
      description: 'Reports the state of webhooks and keys. `all` does not include it.',
    }),
  })
  .meta({ id: 'EventType' })

export const listEventTypesOperation = scopedOperation('hooks:read', {
  id: 'listEventTypes',
  group: 'Events',
  role: 'viewer',
  summary: 'List event types',
  description:
    'Lists the names that webhooks can be registered with: built-in types and custom types of the installation.',
  params: z.object({}),
  response: z.object({ event_types: z.array(eventType) }),
  errors: [],
  async handle({ eventTypes }) {
    const catalog = eventTypes.current()
    return { event_types: catalog.hookTypes.map((name) => present(catalog, name)) }
  },
})

function present(catalog: EventCatalog, name: string): z.infer<typeof eventType> {
  const added = catalog.find(name)?.definition
  const { filterField, isTimeSensitive } = catalog.traitsOf(typeOfName(name))
  const labels: Readonly<Record<string, string>> = builtInLabels
  return {
    name,
    label: added?.label ?? labels[name] ?? name,
    description: added?.description ?? findPart(name)?.description ?? '',
    type: name === 'all' ? null : typeOfName(name),
    filter_field: filterField,
    time_sensitive: isTimeSensitive,
    built_in: added === undefined || isAccountEvent(name),
    account_event: isAccountEvent(name),
  }
}
