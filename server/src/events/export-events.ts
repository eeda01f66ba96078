/**
 * Reads all results of a search for an export, in batches of a limited number of deliveries, so that memory stays
 * bounded. An export ends after a
 * number of events or a time, and then says so in its last line, with the cursor to continue from.
 */
import type { Database } from '../db/database.ts'
import { csvLine } from '../model/csv.ts'
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

  if (format === 'csv') yield csvLine(columns)
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
      const rows = ids.length === 0 ? [] : await readNext(() => eventRows(db, accountId, ids))
      exported += rows.length
      if (rows.length > 0) yield rows.map((row) => formatEvent(format, options.present(row))).join('')
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

function formatEvent(format: ExportFormat, event: Exported): string {
  if (format === 'jsonl') return `${JSON.stringify(event)}\n`
  return csvLine(
    columns.map((column) => {
      if (column === 'deliveries') return event.deliveries.map(describeDelivery).join('; ')
      return String(event[column] ?? '')
    }),
  )
}

function describeDelivery({
  hook_id: hookId,
  round,
  state,
  attempts,
}: Exported['deliveries'][number]): string {
  return `webhook ${hookId}: ${state}, attempts ${attempts}${round > 1 ? `, replay ${round - 1}` : ''}`
}

/** The line that an incomplete export ends with. */
function formatEnd(format: ExportFormat, exported: number, cursor: string): string {
  const end = { truncated: true, events: exported, next: cursor }
  if (format === 'jsonl') return `${JSON.stringify(end)}\n`
  return csvLine([
    `truncated after ${exported} events: the limit is ${maxExported} events or ${maxExportMs / 1_000} seconds. Continue with cursor ${cursor}`,
  ])
}
