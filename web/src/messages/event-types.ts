/** Names of event types, standalone and for use in sentences. */
import type { BuiltInType, Hook } from '../api/types.ts'
import { addedEventTypes } from '../lib/added-event-types.ts'
import { textFor } from '../lib/text-for.ts'

interface EventTypeText {
  /** Standalone: "Inbound SMS". */
  name: string
  /** After "When": "an inbound SMS". */
  subject: string
  verb: string
  /** Field that a simple filter compares. Null: this type has no such field. */
  filterField: string | null
}

const texts: Record<BuiltInType, EventTypeText> = {
  all: { name: 'All events', subject: 'any event', verb: 'happens', filterField: 'number or agent' },
  sms_mo: { name: 'Inbound SMS', subject: 'an inbound SMS', verb: 'arrives', filterField: 'number' },
  dlr: { name: 'Delivery report', subject: 'a delivery report', verb: 'arrives', filterField: null },
  voice_call: { name: 'Inbound call', subject: 'an inbound call', verb: 'arrives', filterField: 'number' },
  voice_status: { name: 'Call status', subject: 'a call’s status', verb: 'changes', filterField: null },
  voice_dtmf: {
    name: 'Key pressed',
    subject: 'a key press',
    verb: 'happens in a call',
    filterField: 'number',
  },
  tracking: { name: 'Click or view', subject: 'a link click or view', verb: 'happens', filterField: null },
  rcs: { name: 'RCS', subject: 'an RCS message or status', verb: 'arrives', filterField: 'agent' },
  rcs_mo: { name: 'Inbound RCS', subject: 'an inbound RCS message', verb: 'arrives', filterField: 'agent' },
  rcs_dlr: { name: 'RCS status', subject: 'an RCS status', verb: 'arrives', filterField: 'agent' },
  wa_mo: {
    name: 'Inbound WhatsApp',
    subject: 'an inbound WhatsApp message',
    verb: 'arrives',
    filterField: 'number',
  },
}

/** Choice of the form for a list of types. No type has such a name. */
export const severalTypes = '(several)'

const severalText: EventTypeText = {
  name: 'Several types',
  subject: 'one of several events',
  verb: 'happens',
  filterField: null,
}

interface NamedType {
  name: string
  /** Null for `all`. */
  type: string | null
}

interface CatalogType extends NamedType {
  account_event: boolean
}

/** Names for webhooks. A webhook can still have a name that was removed. */
export function hookTypes(types: readonly NamedType[] | undefined, current: string): string[] {
  return [...new Set([...(types?.map(({ name }) => name) ?? []), current])]
}

/** Types of events. `all` and parts of a type exist only for webhooks. */
export function deliverableTypes(types: readonly NamedType[] | undefined): string[] {
  return types?.filter(({ name, type }) => name === type).map(({ name }) => name) ?? []
}

/** Types of the events that a webhook of type `all` receives without naming them. */
export function typesOfAll(types: readonly CatalogType[] | undefined): string[] {
  return deliverableTypes(types?.filter(({ account_event: isAccountEvent }) => !isAccountEvent))
}

/** Names the types that a webhook receives: "Inbound SMS, Delivery report". */
export function hookTypesText({ event_type: type, chosen }: Pick<Hook, 'event_type' | 'chosen'>): string {
  return (chosen?.event_types ?? [type]).map((name) => eventTypeText(name).name).join(', ')
}

/** The filter without a list of types, which `hookTypesText` shows. */
export function ownFilter({
  event_filter: filter,
  chosen,
}: Pick<Hook, 'event_filter' | 'chosen'>): string | null {
  return chosen === null ? filter : chosen.event_filter
}

export function eventTypeText(type: string): EventTypeText {
  if (type === severalTypes) return severalText
  const added = addedEventTypes.get(type)
  const name = added?.label ?? type
  return textFor<string, EventTypeText>(texts, type, {
    name,
    subject: name,
    verb: 'happens',
    filterField: added?.hasFilterField ? 'value' : null,
  })
}
