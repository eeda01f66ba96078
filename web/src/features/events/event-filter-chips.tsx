/** Filter chips for events. Each chip sets one search parameter of the URL. */
import { useQuery } from '@tanstack/react-query'
import { eventTypesQuery } from '../../api/client.ts'
import { webhooksQuery } from '../../api/webhooks.ts'
import type { DeliveryState, Hook } from '../../api/types.ts'
import { FilterChip } from '../../ui/data/filter-chip.tsx'
import { deliverableTypes, eventTypeText } from '../../messages/event-types.ts'
import { webhookName } from '../../messages/webhook-name.ts'
import { deliveryStates, deliveryStateText, reasonText } from '../../messages/states.ts'

type ChipField = 'type' | 'hook_id' | 'state' | 'status' | 'reason'

interface Chip<Field extends ChipField> {
  field: Field
  title: string
  choices: { value: string; title: string }[]
  /** Converts the chosen option to the search parameter. */
  parse: (value: string) => string | number
}

/** Common response statuses. The URL accepts any other. */
const statuses = [200, 400, 401, 403, 404, 410, 413, 422, 429, 500, 502, 503, 504]

const maxNameLength = 60

interface EventFilterChipsProps<Field extends ChipField> {
  fields: readonly Field[]
  /** Delivery states to offer. */
  states?: readonly DeliveryState[]
  search: Readonly<Partial<Record<Field, string | number | undefined>>>
  /** Undefined removes the filter. */
  choose: (field: Field, value: string | number | undefined) => void
}

export function EventFilterChips<Field extends ChipField>({
  fields,
  states = deliveryStates,
  search,
  choose,
}: EventFilterChipsProps<Field>) {
  const hooks = useQuery(webhooksQuery).data ?? []
  const types = deliverableTypes(useQuery(eventTypesQuery).data)
  return chipsOf(
    hooks.map(({ hook }) => hook),
    types,
    states,
    fields,
  ).map(({ field, title, choices, parse }) => (
    <FilterChip
      key={field}
      title={title}
      value={String(search[field] ?? '')}
      choices={choices}
      choose={(value) => choose(field, value === '' ? undefined : parse(value))}
    />
  ))
}

function chipsOf<Field extends ChipField>(
  hooks: readonly Hook[],
  types: readonly string[],
  states: readonly DeliveryState[],
  fields: readonly Field[],
): Chip<Field>[] {
  return allChips(hooks, types, states).filter((chip): chip is Chip<Field> =>
    (fields as readonly ChipField[]).includes(chip.field),
  )
}

function allChips(
  hooks: readonly Hook[],
  types: readonly string[],
  states: readonly DeliveryState[],
): Chip<ChipField>[] {
  return [
    {
      field: 'type',
      title: 'Type',
      choices: types.map((type) => ({ value: type, title: eventTypeText(type).name })),
      parse: String,
    },
    {
      field: 'hook_id',
      title: 'Webhook',
      choices: hooks.map((hook) => ({ value: String(hook.id), title: shorten(webhookName(hook)) })),
      parse: Number,
    },
    {
      field: 'state',
      title: 'State',
      choices: states.map((state) => ({ value: state, title: deliveryStateText[state].label })),
      parse: String,
    },
    {
      field: 'status',
      title: 'Response',
      choices: statuses.map((status) => ({ value: String(status), title: String(status) })),
      parse: Number,
    },
    {
      field: 'reason',
      title: 'Reason',
      choices: Object.entries(reasonText).map(([value, title]) => ({ value, title })),
      parse: String,
    },
  ]
}

function shorten(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name
}
