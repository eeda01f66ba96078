/**
 * Events that a worker began to route and did not: it may have died of one of them. Each is matched in an isolated process
 * first; what passes is routed as usual. Only an event whose process crashes again while it is alone there is parked:
 * workers that were killed from outside say nothing about the events they had.
 */
import type { Event } from '../model/event.ts'
import type { Log } from '../ops/log.ts'
import type { DeliveryHooks } from '../hooks/delivery-hooks.ts'
import { matchIn } from './isolated-jobs.ts'
import type { JobEnd } from './isolation/runner.ts'
import type { Runners } from './isolation/runners.ts'
import type { FreshEvent } from './sources/source.ts'
import type { WorkStore } from './work/work-store.ts'

export interface ScreenParts {
  store: Pick<WorkStore, 'park'>
  log: Log
  runners: Runners
  hooks: DeliveryHooks
}

/** Returns those that can be routed. */
export async function screenEvents(parts: ScreenParts, events: readonly FreshEvent[]): Promise<FreshEvent[]> {
  const passed: FreshEvent[] = []
  for (const fresh of events) {
    const end = await screen(parts, fresh.event)
    // What throws is routed too: there it is counted, and parked after some tries.
    if (end.state === 'done' || end.state === 'failed') passed.push(fresh)
    if (end.state !== 'crashed') continue
    parts.log.error(
      { event: fresh.event.id, account: fresh.event.accountId, cause: end.cause },
      'event parked',
    )
    await parts.store.park([fresh.event], `matching it ${end.cause}, twice`)
  }
  return passed
}

/** The shared process has nothing else to match meanwhile, but other jobs: a crash counts only if it happens alone too. */
async function screen({ runners, hooks }: ScreenParts, event: Event): Promise<JobEnd> {
  await hooks.load([event.accountId])
  const job = { event, hooks: [...(hooks.get(event.accountId)?.hooks.values() ?? [])] }
  const end = await matchIn(await runners.shared(), job)
  if (end.state !== 'crashed') return end
  const runner = await runners.alone()
  const again = await matchIn(runner, job)
  runner.stop()
  return again
}
