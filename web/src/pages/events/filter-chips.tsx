/** Chips by which events are narrowed: the field of the address, its words, its choices. */
import { useQuery } from '@tanstack/react-query'
import { hooksQuery } from '../../api/hooks.ts'
import type { DeliveryState, Hook } from '../../api/shapes.ts'
import { FilterChip } from '../../parts/filter-chip.tsx'
import { deliverableTypes, typeWords } from '../../words/event-types.ts'
import { deliveryStates, deliveryWords, reasonWords } from '../../words/states.ts'

type ChipField = 'type' | 'hook_id' | 'state' | 'status' | 'reason'

interface Chip<Field extends ChipField> {
  field: Field
  title: string
  choices: { value: string; title: string; short?: string }[]
  /** From the choice to what the address holds. */
  read: (value: string) => string | number
}

/** Answers that people look for; any other stands in the address. */
const statuses = [200, 400, 401, 403, 404, 410, 413, 422, 429, 500, 502, 503, 504]

const longestAddress = 60

interface FilterChipsProps<Field extends ChipField> {
  fields: readonly Field[]
  /** Of deliveries, that can be chosen. */
  states?: readonly DeliveryState[]
  search: Readonly<Partial<Record<Field, string | number | undefined>>>
  /** Undefined: not narrowed by it any more. */
  choose: (field: Field, value: string | number | undefined) => void
}

export function FilterChips<Field extends ChipField>({
  fields,
  states = deliveryStates,
  search,
  choose,
}: FilterChipsProps<Field>) {
  const hooks = useQuery(hooksQuery).data ?? []
  return chipsOf(
    hooks.map(({ hook }) => hook),
    states,
    fields,
  ).map(({ field, title, choices, read }) => (
    <FilterChip
      key={field}
      title={title}
      value={String(search[field] ?? '')}
      choices={choices}
      choose={(value) => choose(field, value === '' ? undefined : read(value))}
    />
  ))
}

/** Those of the fields that are asked for. */
function chipsOf<Field extends ChipField>(
  hooks: readonly Hook[],
  states: readonly DeliveryState[],
  fields: readonly Field[],
): Chip<Field>[] {
  return allChips(hooks, states).filter((chip): chip is Chip<Field> =>
    (fields as readonly ChipField[]).includes(chip.field),
  )
}

function allChips(hooks: readonly Hook[], states: readonly DeliveryState[]): Chip<ChipField>[] {
  return [
    {
      field: 'type',
      title: 'Type',
      choices: deliverableTypes.map((type) => ({ value: type, title: typeWords(type).name })),
      read: String,
    },
    {
      field: 'hook_id',
      title: 'Webhook',
      choices: hooks.map(({ id, target_url: url }) => ({
        value: String(id),
        short: String(id),
        title: `${id} ${url.slice(0, longestAddress)}${url.length > longestAddress ? '…' : ''}`,
      })),
      read: Number,
    },
    {
      field: 'state',
      title: 'Became',
      choices: states.map((state) => ({ value: state, title: deliveryWords[state].word })),
      read: String,
    },
    {
      field: 'status',
      title: 'Answer',
      choices: statuses.map((status) => ({ value: String(status), title: String(status) })),
      read: Number,
    },
    {
      field: 'reason',
      title: 'Reason',
      choices: Object.entries(reasonWords).map(([value, title]) => ({ value, title })),
      read: String,
    },
  ]
}
