/** By what events can be narrowed: the field of the address, its words, its choices. */
import type { Hook } from '../../api/shapes.ts'
import { deliverableTypes, typeWords } from '../../words/event-types.ts'
import { deliveryStates, deliveryWords, reasonWords } from '../../words/states.ts'

export type ChipField = 'type' | 'hook_id' | 'state' | 'status' | 'reason'

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

/** Those of the fields that are asked for. */
export function chipsOf<Field extends ChipField>(
  hooks: readonly Hook[],
  fields: readonly Field[],
): Chip<Field>[] {
  return allChips(hooks).filter((chip): chip is Chip<Field> =>
    (fields as readonly ChipField[]).includes(chip.field),
  )
}

function allChips(hooks: readonly Hook[]): Chip<ChipField>[] {
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
      choices: deliveryStates.map((state) => ({ value: state, title: deliveryWords[state].word })),
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
