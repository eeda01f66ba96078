/** Describes why a webhook received an event or not. */
import type { EventDetail, EventHook } from '../api/types.ts'
import { textFor } from '../lib/text-for.ts'
import { ownFilter } from './event-types.ts'

export type Verdict = EventHook['verdict']

export const verdictText: Record<Verdict, string> = {
  matched: 'Matched',
  held: 'Held',
  not_matched: 'Not matched',
  created_later: 'Created later',
  deleted_before: 'Deleted before',
}

type MatchedEvent = Pick<EventDetail['event'], 'type' | 'is_test'>

export function describeMatch(hook: EventHook, event: MatchedEvent): string {
  const { kind } = hook.why
  const isAfterMatching = kind !== 'created_later' && kind !== 'deleted_before'
  return `${textFor(texts, kind, describeUnknown)(hook, event)}${isAfterMatching ? describeChanges(hook) : ''}`
}

const describeUnknown = (): string => 'The webhook did not match this event.'

const texts: Record<EventHook['why']['kind'], (hook: EventHook, event: MatchedEvent) => string> = {
  matched: describeMatched,
  disabled: (hook, event) =>
    `${describeMatched(hook, event)} The webhook was disabled, so the event was put on hold.`,
  test: () => 'This event is a test of another webhook.',
  created_later: () => 'The webhook was created after this event.',
  deleted_before: () => 'The webhook was deleted before this event.',
  type: ({ event_type: expected, chosen }, { type }) =>
    `The webhook receives events of type ${chosen?.event_types.join(', ') ?? expected}. This event is ${type === 'rcs' && /^rcs_(mo|dlr)$/.test(expected) ? 'another kind of rcs event' : type}.`,
  filter: ({ why, event_filter: filter }) =>
    `${why.field} is ${why.actual}, which is not ${describeValues(filter)} of the filter.`,
  field_missing: ({ why: { field, clause } }) =>
    clause === undefined
      ? `The filter checks ${field}, which this event does not have.`
      : `The filter requires ${clause}, but this event has no ${field}.`,
  clause: ({ why: { clause, actual } }) =>
    `The filter requires ${clause}${actual === undefined ? '' : `, but ${actual}`}.`,
  filter_error: ({ why: { clause, error } }) => `The filter could not be evaluated at ${clause}: ${error}.`,
  filter_unreadable: () => 'The filter cannot be read. It is evaluated once the webhook is saved again.',
  too_expensive: ({ why: { clause } }) =>
    `The filter is too expensive for this event: it exceeded its budget at ${clause}.`,
}

function describeMatched(hook: EventHook, { type, is_test: isTest }: MatchedEvent): string {
  if (isTest) return 'This event is a test of this webhook.'
  const isAny = hook.event_type === 'all' && hook.chosen === null
  const types = isAny ? 'all event types' : `events of type ${type}`
  return `The webhook receives ${types}.${ownFilter(hook) === null ? '' : ' The filter matches.'}`
}

function describeValues(filter: string | null): string {
  const count = filter?.split(',').length ?? 0
  return count === 1 ? 'the value' : `one of the ${count} values`
}

function describeChanges({ later_changes: changes }: EventHook): string {
  if (changes.some(({ change }) => change === 'deleted')) return ' The webhook has been deleted since.'
  return changes.length === 0 ? '' : ' The webhook has changed since. Its settings at that time are shown.'
}
