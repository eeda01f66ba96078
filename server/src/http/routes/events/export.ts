import { z } from 'zod'
import { recordAudit } from '../../../db/audit.ts'
import { exportEvents, exportFormats, maxExported, maxExportMs } from '../../../events/export-events.ts'
import { actorOf } from '../../auth/actor.ts'
import { requireExport, requireReveal } from '../../auth/require-role.ts'
import { maxOpenExports } from '../../operation/open-exports.ts'
import { downloadOperation } from '../../operation/operation.ts'
import { readCursor, revealParam, revealReason, searchOf, searchParams, writeCursor } from './params.ts'
import { eventResponse, presentEvent } from './present.ts'

const mediaTypes = { jsonl: 'application/jsonl; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const

export const exportEventsOperation = downloadOperation('events:read', mediaTypes.jsonl, {
  id: 'exportEvents',
  group: 'Events',
  role: 'viewer',
  summary: 'Export events',
  description: `Downloads all results of a search, newest first, as one JSON object per line or as CSV. An export has at most ${maxExported.toLocaleString('en')} events and takes at most ${maxExportMs / 1_000} seconds. An account has at most ${maxOpenExports} open exports. If it is cut off, its last line says so, with the cursor to continue from. In JSON Lines that line is \`{"truncated": true, "events": …, "next": …}\`. Numbers are masked. \`reveal\` exports them unmasked. The audit log records every export.`,
  params: searchParams.extend({
    format: z
      .enum(exportFormats, { error: `must be ${exportFormats.join(' or ')}` })
      .default('jsonl')
      .meta({ description: 'Format of the file.' }),
    reveal: revealParam,
    reveal_reason: revealReason,
    cursor: z.string().max(64).optional(),
  }),
  response: eventResponse,
  errors: ['tooManyExports'],
  async handle({ db, eventTypes, exportLimiter, openExports, clock }, { caller, input, isStillAllowed }) {
    const { accountId } = caller
    const { format, reveal, reveal_reason: because, cursor, ...params } = input
    requireExport(caller)
    if (reveal) requireReveal(caller, because)
    const { eventId, ...search } = await searchOf({ db, catalog: eventTypes.current() }, accountId, params)
    const before = cursor === undefined ? undefined : readCursor(cursor)
    const lines = exportEvents({
      db,
      accountId,
      search,
      eventId,
      before,
      format,
      present: (row) => presentEvent(row, reveal),
      writeCursor,
      limit: (read) => exportLimiter(`exports of ${accountId}`, read),
      isStillAllowed,
      monotonic: clock.monotonic,
    })
    const body = openExports.open(accountId, lines)
    try {
      await db.transaction().execute((trx) =>
        recordAudit(trx, {
          accountId,
          actor: actorOf(caller),
          action: 'event.export',
          subject: `account:${accountId}`,
          // Names of parameters only: their values may be personal data.
          detail: {
            format,
            revealed: reveal,
            search: Object.keys(params).toSorted().join(', '),
            ...(because !== undefined && { because }),
          },
        }),
      )
    } catch (error) {
      body.destroy()
      throw error
    }
    return {
      body,
      headers: {
        'content-type': mediaTypes[format],
        'content-disposition': `attachment; filename="events.${format}"`,
        'cache-control': 'no-store',
      },
    }
  },
})
