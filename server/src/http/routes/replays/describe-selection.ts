/** The selection of a replay as data and as a sentence. Personal data is masked, as everywhere in event data. */
import { z } from 'zod'
import { instant } from '../../../model/clock-time.ts'
import { mask } from '../../../model/mask.ts'
import type { Selection } from '../../../replays/replay-store.ts'

const text = z.string().optional()

export const selectionResponse = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('deliveries'), count: z.int().min(1), hook_id: z.int().nullable() }),
    z.object({ kind: z.literal('held'), hook_id: z.int() }),
    z.object({
      kind: z.literal('search'),
      search: z
        .object({
          state: text,
          hook_id: z.int().optional(),
          type: text,
          status: z.int().optional(),
          reason: text,
          q: text,
          message_id: text,
          number: text,
          foreign_id: text,
          from: text,
          to: text,
        })
        .meta({ description: 'Search parameters. Ids and numbers are masked.' }),
    }),
  ])
  .meta({
    id: 'ReplaySelected',
    description:
      'Deliveries that a replay selected. Masked, so it cannot be the selection of another replay.',
  })

type Selected = z.infer<typeof selectionResponse>

export function presentSelection(selection: Selection): Selected {
  switch (selection.kind) {
    case 'deliveries': {
      const { deliveries } = selection
      const first = deliveries[0]?.hook_id ?? null
      const isOneHook = deliveries.every(({ hook_id }) => hook_id === first)
      return { kind: 'deliveries', count: deliveries.length, hook_id: isOneHook ? first : null }
    }
    case 'held':
      return { kind: 'held', hook_id: selection.hook_id }
    case 'search': {
      const terms = Object.entries(presentedTerms).flatMap(([stored, [name, present]]) => {
        const value = selection.search[stored]
        return value === undefined ? [] : [[name, present(value)]]
      })
      return { kind: 'search', search: Object.fromEntries(terms) }
    }
  }
}

type SearchName = keyof Extract<Selected, { kind: 'search' }>['search']

const masked = (value: string | number): string => mask(String(value))
const unchanged = (value: string | number): string | number => value

/** API names of stored search terms, in display order. */
const presentedTerms: Readonly<
  Record<string, readonly [SearchName, (value: string | number) => string | number]>
> = {
  state: ['state', unchanged],
  hookId: ['hook_id', Number],
  type: ['type', unchanged],
  status: ['status', Number],
  reason: ['reason', unchanged],
  text: ['q', masked],
  messageId: ['message_id', masked],
  number: ['number', masked],
  foreignId: ['foreign_id', masked],
  from: ['from', unchanged],
  to: ['to', unchanged],
}

export function describeSelection(selected: Selected): string {
  switch (selected.kind) {
    case 'deliveries':
      return selected.count === 1
        ? `One delivery, to webhook ${selected.hook_id}.`
        : `${selected.count.toLocaleString('en')} selected deliveries.`
    case 'held':
      return `Held events of webhook ${selected.hook_id}.`
    case 'search': {
      const parts = Object.entries(selected.search).map(([name, value]) =>
        describeTerm[name as SearchName](String(value)),
      )
      return `All results of a search: ${parts.join(', ')}.`
    }
  }
}

const describeTerm: Record<SearchName, (value: string) => string> = {
  state: (state) => state,
  hook_id: (id) => `webhook ${id}`,
  type: (type) => `type ${type}`,
  status: (status) => `status ${status}`,
  reason: (reason) => `reason ${reason}`,
  q: (term) => `text ${term}`,
  message_id: (id) => `message ${id}`,
  number: (number) => `number ${number}`,
  foreign_id: (id) => `foreign id ${id}`,
  from: (time) => `from ${instant(new Date(time))}`,
  to: (time) => `before ${instant(new Date(time))}`,
}
