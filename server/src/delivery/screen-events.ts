/**
 * Screens events that a worker started to route but did not finish: one of them may have killed it. Each is matched
 * in an isolated process first, and routed if it passes. An event is parked only if its process crashes again while
 * it is alone there. Workers that were killed from outside say nothing about their events.
 */
import type { Event } from '../model/event.ts'
import type { Log } from '../runtime/log.ts'
import type { EventTypes } from '../catalog/follow-event-types.ts'
import type { HookCache } from '../hooks/hook-cache.ts'
import { matchIn } from './isolated-jobs.ts'
import type { JobEnd } from './isolation/runner.ts'
import type { Runners } from './isolation/runners.ts'
import type { FreshEvent } from './queue/inbox.ts'
import type { DeliveryQueue } from './queue/queue.ts'

export interface ScreenDeps {
  store: Pick<DeliveryQueue, 'park'>
  log: Log
  runners: Runners
  hooks: HookCache
  eventTypes: EventTypes
}

/** Returns the events that can be routed. */
export async function screenEvents(deps: ScreenDeps, events: readonly FreshEvent[]): Promise<FreshEvent[]> {
  const passed: FreshEvent[] = []
  for (const fresh of events) {
    const end = await screen(deps, fresh.event)
    // An event that throws is routed too: routing counts the failure and parks it after some tries.
    if (end.state === 'done' || end.state === 'failed') passed.push(fresh)
    if (end.state !== 'crashed') continue
    deps.log.error(
      { event: fresh.event.id, account: fresh.event.accountId, cause: end.cause },
      'event parked',
    )
    await deps.store.park([fresh.event], `matching ${end.cause}, twice`)
  }
  return passed
}

/** Matches in the shared process, which may run other jobs too: a crash counts only if it also happens alone. */
async function screen({ runners, hooks, eventTypes }: ScreenDeps, event: Event): Promise<JobEnd> {
  await hooks.load([event.accountId])
  const traits = eventTypes.current().traitsOf(event.type)
  const job = { event, traits, hooks: [...(hooks.get(event.accountId)?.hooks.values() ?? [])] }
  const end = await matchIn(await runners.shared(), job)
  if (end.state !== 'crashed') return end
  const runner = await runners.alone()
  const again = await matchIn(runner, job)
  runner.stop()
  return again
}
