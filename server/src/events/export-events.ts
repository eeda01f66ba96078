/**
 * Reads all results of a search for an export, in batches of a limited number of deliveries, so that memory stays
 * bounded. An export ends after a number of events or a time, and then says so in its last line, with the cursor to
 * continue from.
 */
import type { Database } from '../db/database.ts'
import { readHookNames } from '../hooks/hook-names.ts'
import { byteOrderMark, csvLine } from '../model/csv.ts'
import { endpointOf } from '../model/target-url.ts'
import { batchByDeliveries, type EventRow, eventRows } from './event-rows.ts'
import { type EventSearch, searchEvents } from './search-events.ts'

export const exportFormats = ['jsonl', 'csv'] as const
type ExportFormat = (typeof exportFormats)[number]

export const maxExported = 50_000
export const maxExportMs = 60_000
const defaultPageSize = 500
/** About 500 kB. */
const maxDeliveriesPerBatch = 5_000

interface Exported {
  id: string
  type: string
  accepted_at: string
  occurred_at: string | null
  message_id: string | null
  from: string | null
  to: string | null
  foreign_id: string | null
  is_test: boolean
  deliveries: ReadonlyArray<{ hook_id: number; round: number; state: string; attempts: number }>
}

interface ExportOptions {
  db: Database
  accountId: number
  search: EventSearch
  /** Restricts the export to this event. */
  eventId: string | undefined
  /** Continues after this event. */
  before: string | undefined
  format: ExportFormat
  present: (row: EventRow) => Exported
  writeCursor: (position: string) => string
  /** Runs the reads, one at a time per account. */
  limit: <T>(read: () => Promise<T>) => Promise<T>
  /** Called before each read. The export breaks off when it returns false. */
  isStillAllowed: () => Promise<boolean>
  monotonic: () => number
  pageSize?: number
}

export async function* exportEvents(options: ExportOptions): AsyncGenerator<string> {
  const { db, accountId, search, eventId, format, limit, monotonic, pageSize = defaultPageSize } = options
  const endsAt = monotonic() + maxExportMs
  let { before } = options
  let exported = 0
  async function readNext<T>(read: () => Promise<T>): Promise<T> {
    if (!(await options.isStillAllowed())) throw new Error('export is no longer allowed')
    return limit(read)
  }

  if (format === 'csv') yield byteOrderMark + csvLine(columns)
  for (;;) {
    const page = { before, limit: Math.min(pageSize, maxExported - exported) }
    const { batches, next } = await readNext(async () => {
      const found =
        eventId === undefined
          ? await searchEvents(db, accountId, search, page)
          : { ids: [eventId], next: null }
      return {
        batches: await batchByDeliveries(db, accountId, found.ids, maxDeliveriesPerBatch),
        next: found.next,
      }
    })
    // A search can return no events and continue nevertheless.
    for (const [index, ids] of (batches.length === 0 ? [[]] : batches).entries()) {
      if (ids.length > 0) {
        const { events, names } = await readNext(async () => {
          const read = (await eventRows(db, accountId, ids)).map((row) => options.present(row))
          return { events: read, names: format === 'csv' ? await readNames(db, accountId, read) : undefined }
        })
        exported += events.length
        if (events.length > 0) yield events.map((event) => formatEvent(event, names)).join('')
      }
      const position = index < batches.length - 1 ? ids.at(-1) : next
      if (position === undefined || position === null) return
      before = position
      if (exported < maxExported && monotonic() < endsAt) continue
      yield formatEnd(format, exported, options.writeCursor(position))
      return
    }
  }
}

const columns = [
  'id',
  'type',
  'accepted_at',
  'occurred_at',
  'message_id',
  'from',
  'to',
  'foreign_id',
  'is_test',
  'deliveries',
] as const

/** Names of webhooks by id. */
type Names = ReadonlyMap<number, string>

async function readNames(db: Database, accountId: number, events: readonly Exported[]): Promise<Names> {
  const hookIds = events.flatMap(({ deliveries }) => deliveries.map(({ hook_id: hookId }) => hookId))
  const hooks = await readHookNames(db, accountId, hookIds)
  return new Map([...hooks.values()].map(({ id, name, targetUrl }) => [id, name ?? endpointOf(targetUrl)]))
}

/** Formats an event as CSV if there are names. */
function formatEvent(event: Exported, names: Names | undefined): string {
  if (names === undefined) return `${JSON.stringify(event)}\n`
  return csvLine(
    columns.map((column) => {
      if (column === 'deliveries')
        return event.deliveries.map((delivery) => describeDelivery(delivery, names)).join('; ')
      return String(event[column] ?? '')
    }),
  )
}

/** Words of the dashboard for states with another name in the API. */
const stateTexts: Record<string, string | undefined> = { waiting: 'pending', cancelled: 'canceled' }

function describeDelivery(
  { hook_id: hookId, round, state, attempts }: Exported['deliveries'][number],
  names: Names,
): string {
  const name = names.get(hookId) ?? `webhook ${hookId}`
  return `${name}: ${stateTexts[state] ?? state}, attempts ${attempts}${round > 1 ? `, replay ${round - 1}` : ''}`
}

/** The line that an incomplete export ends with. */
function formatEnd(format: ExportFormat, exported: number, cursor: string): string {
  const end = { truncated: true, events: exported, next: cursor }
  if (format === 'jsonl') return `${JSON.stringify(end)}\n`
  return csvLine([
    `truncated after ${exported} events: the limit is ${maxExported} events or ${maxExportMs / 1_000} seconds. Continue with cursor ${cursor}`,
  ])
}
