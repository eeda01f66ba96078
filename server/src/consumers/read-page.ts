/** Reads events of a consumer from a position on, until there are enough, or the limits of a poll are reached. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { RequestView } from '../delivery/request/build-request.ts'
import type { FormatFailure } from '../delivery/request/format.ts'
import { maxUnitsPerSlice, unitsPerCharacter } from '../model/filter/budget.ts'
import type { Clock } from '../runtime/clock.ts'
import { type CommittedEvent, type EventPosition, readCommittedEvents } from '../tail/read-events.ts'
import type { EventSource } from './event-source.ts'

export interface PolledEvent {
  event: CommittedEvent
  /** The request that a worker would send now, or why it could not. */
  request: RequestView | FormatFailure
}

export interface Page {
  events: PolledEvent[]
  /** Everything up to here was read, including events that the consumer does not get. */
  position: EventPosition
  /** Whether there are unread events. */
  hasMore: boolean
  /** Everything before this transaction was read, if there are no unread events. */
  horizon: string
  /** The cost of filters and parsing. */
  units: number
}

/** Bounds the memory: an event has at most 256 KiB. */
const rowsPerRead = 32
/** Bounds the memory of a response. An event and its request have at most a few hundred KiB. */
const maxPageBytes = 512 * 1024
const maxPageMs = 500
/** About 50 ms. */
const maxPageUnits = 50_000_000

export async function readPage(
  { db, clock }: { db: Database; clock: Pick<Clock, 'now' | 'monotonic'> },
  accountId: number,
  source: EventSource,
  after: EventPosition,
  limit: number,
): Promise<Page> {
  const page: Page = { events: [], position: after, hasMore: true, horizon: '0', units: 0 }
  const startedAt = clock.monotonic()
  let bytes = 0
  let yieldedAt = 0
  while (clock.monotonic() - startedAt < maxPageMs) {
    const { events, horizon } = await readCommittedEvents(
      db,
      accountId,
      page.position,
      rowsPerRead,
      clock.now(),
    )
    for (const event of events) {
      if (page.events.length === limit || page.units > maxPageUnits) return page
      const { matches, units } = source.match(event)
      page.units += units + unitsPerCharacter * event.data.length
      if (matches) {
        const request = source.build(event, clock.now())
        bytes += sizeOf(request)
        if (bytes > maxPageBytes && page.events.length > 0) return page
        page.events.push({ event, request })
      }
      page.position = event.position
      if (page.units - yieldedAt < maxUnitsPerSlice) continue
      await yieldToEventLoop()
      yieldedAt = page.units
    }
    if (events.length < rowsPerRead) return { ...page, hasMore: false, horizon }
  }
  return page
}

function sizeOf(request: RequestView | FormatFailure): number {
  return typeof request === 'string' ? 0 : request.url.length + request.body.length
}
