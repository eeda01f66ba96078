/** What a replay sends again, in words. What says who wrote to whom is masked, as it is wherever events are told of. */
import { instant } from '../../../model/clock-time.ts'
import { mask } from '../../../model/mask.ts'
import type { Selection } from '../../../pipeline/replays/replay-store.ts'

export function selectedWords(selection: Selection): string {
  switch (selection.kind) {
    case 'deliveries':
      return selection.deliveries.length === 1
        ? `One delivery, to webhook ${selection.deliveries[0]?.hook_id}.`
        : `${selection.deliveries.length.toLocaleString('en')} deliveries that were selected.`
    case 'held':
      return `What webhook ${selection.hook_id} held while it was disabled.`
    case 'search': {
      const parts = Object.entries(terms).flatMap(([name, term]) => {
        const value = selection.search[name]
        return value === undefined ? [] : [term(String(value))]
      })
      return `All deliveries of a search: ${parts.join(', ')}.`
    }
  }
}

/** By the names under which a search is kept, in the order in which they are told. */
const terms: Readonly<Record<string, (value: string) => string>> = {
  state: (state) => state,
  hookId: (id) => `webhook ${id}`,
  type: (type) => `type ${type}`,
  status: (status) => `answered ${status}`,
  reason: (reason) => `reason ${reason}`,
  text: (text) => `found by ${mask(text)}`,
  messageId: (id) => `message ${mask(id)}`,
  number: (number) => `number ${mask(number)}`,
  foreignId: (id) => `foreign id ${mask(id)}`,
  from: (time) => `from ${instant(new Date(time))} on`,
  to: (time) => `before ${instant(new Date(time))}`,
}
