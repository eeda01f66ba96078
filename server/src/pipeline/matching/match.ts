/** Does a hook want an event? Pure. The answer says why not, in values that can be shown. */
import type { Event } from '../../model/event.ts'
import { type CompiledFilter, type FilterResult, runFilter } from '../../model/event-filter.ts'
import type { EventType } from '../../model/hook.ts'

export type Match = FilterResult | { matches: false; why: 'type' }

interface MatchableHook {
  eventType: EventType
  filter: CompiledFilter | null
}

export function matchHook(hook: MatchableHook, event: Event, data: Record<string, unknown>): Match {
  if (hook.eventType !== 'all' && hook.eventType !== event.type) return { matches: false, why: 'type' }
  if (hook.filter === null) return { matches: true }
  return runFilter(hook.filter, event, data)
}
