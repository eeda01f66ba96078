/**
 * URL parameters of the overview, webhook and event pages. Invalid values are ignored. Every field is returned, even if
 * undefined: the router fills missing fields from the unvalidated URL.
 */
import { type EventsSearch, type Since, sinceMs } from '../api/events.ts'
import type { DeliveryReason, HealthState, HookRange, OverviewRange } from '../api/types.ts'
import { type HookSort, hookSorts, type WebhooksSearch } from '../features/webhooks/filter-webhooks.ts'
import { deliveryStates, healthOrder, reasonText } from '../messages/states.ts'

type Raw = Record<string, unknown>

/** Parses a URL value. URLs come from anywhere, so only clear numbers and `true` are converted. */
export function readValue(value: string): unknown {
  if (value === 'true') return true
  return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value
}

/** The router parses digits as a number, but a message ID of digits is text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function positiveIntegerOf(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((candidate) => candidate === value)
}

/** The service knows which types exist. */
function typeNameOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z0-9_.]{0,39}$/.test(value) ? value : undefined
}

function timeOf(value: unknown): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined
}

export function readOverviewSearch(raw: Raw): { range?: Exclude<OverviewRange, '24h'> | undefined } {
  return { range: oneOf(['1h', '7d', '30d'], raw.range) }
}

export function readWebhooksSearch(raw: Raw): WebhooksSearch {
  return {
    q: textOf(raw.q),
    state: oneOf<HealthState>(healthOrder, raw.state),
    sort: oneOf(Object.keys(hookSorts) as HookSort[], raw.sort),
  }
}

const webhookTabs = ['events', 'settings', 'signing', 'history'] as const
type WebhookTab = (typeof webhookTabs)[number]

interface WebhookSearch {
  /** Default: activity. */
  tab?: WebhookTab | undefined
  range?: Exclude<HookRange, '24h'> | undefined
  /** Cursor of the attempts page. */
  attempts?: string | undefined
  /** Version before which the history page starts. */
  before?: number | undefined
}

export function readWebhookSearch(raw: Raw): WebhookSearch {
  return {
    tab: oneOf(webhookTabs, raw.tab),
    range: oneOf(['7d', '30d'], raw.range),
    attempts: textOf(raw.attempts),
    before: positiveIntegerOf(raw.before),
  }
}

export function readEventsSearch(raw: Raw): EventsSearch {
  return {
    q: textOf(raw.q),
    message_id: textOf(raw.message_id),
    number: textOf(raw.number),
    foreign_id: textOf(raw.foreign_id),
    type: typeNameOf(raw.type),
    hook_id: positiveIntegerOf(raw.hook_id),
    state: oneOf(deliveryStates, raw.state),
    status: positiveIntegerOf(raw.status),
    reason: oneOf(Object.keys(reasonText) as DeliveryReason[], raw.reason),
    from: timeOf(raw.from),
    to: timeOf(raw.to),
    since: oneOf(Object.keys(sinceMs) as Since[], raw.since),
    cursor: textOf(raw.cursor),
    live: raw.live === true ? true : undefined,
  }
}
