/**
 * What the pages about webhooks and events read from the address; what is not understood is as if it were not there.
 * Every field is named, also when it is not there: the router fills in what is left out from the address itself, unread.
 */
import { type EventsSearch, type Since, sinceMs } from './api/events.ts'
import type { HealthState, HookRange } from './api/shapes.ts'
import { type HookSort, hookSorts, type WebhooksSearch } from './pages/webhooks/shown-hooks.ts'
import { deliverableTypes } from './words/event-types.ts'
import { deliveryStates, endStates, healthOrder } from './words/states.ts'

type Raw = Record<string, unknown>

/** Addresses are written by people and other programs, too: only what is surely a figure or a yes is taken for one. */
export function readValue(value: string): unknown {
  if (value === 'true') return true
  return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value
}

/** The router reads figures as numbers, but a message id of digits is still a text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function wholeOf(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((known) => known === value)
}

function timeOf(value: unknown): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined
}

export function readOverviewSearch(raw: Raw): { range?: '30d' | undefined } {
  return { range: oneOf(['30d'], raw.range) }
}

export function readWebhooksSearch(raw: Raw): WebhooksSearch {
  return {
    q: textOf(raw.q),
    state: oneOf<HealthState>(healthOrder, raw.state),
    sort: oneOf(Object.keys(hookSorts) as HookSort[], raw.sort),
  }
}

interface WebhookSearch {
  range?: Exclude<HookRange, '24h'> | undefined
  /** Where the page of attempts begins. */
  attempts?: string | undefined
}

export function readWebhookSearch(raw: Raw): WebhookSearch {
  return {
    range: oneOf(['7d', '30d'], raw.range),
    attempts: textOf(raw.attempts),
  }
}

export function readEventsSearch(raw: Raw): EventsSearch {
  return {
    q: textOf(raw.q),
    message_id: textOf(raw.message_id),
    number: textOf(raw.number),
    foreign_id: textOf(raw.foreign_id),
    type: oneOf(deliverableTypes, raw.type),
    hook_id: wholeOf(raw.hook_id),
    state: oneOf(deliveryStates, raw.state),
    status: wholeOf(raw.status),
    reason: textOf(raw.reason),
    from: timeOf(raw.from),
    to: timeOf(raw.to),
    since: oneOf(Object.keys(sinceMs) as Since[], raw.since),
    cursor: textOf(raw.cursor),
    live: raw.live === true ? true : undefined,
  }
}

type LiveSearch = Pick<EventsSearch, 'type' | 'hook_id' | 'state'>

export function readLiveSearch(raw: Raw): LiveSearch {
  return {
    type: oneOf(deliverableTypes, raw.type),
    hook_id: wholeOf(raw.hook_id),
    // The stream tells of deliveries when they end.
    state: oneOf(endStates, raw.state),
  }
}
