import { Readable } from 'node:stream'
import { z } from 'zod'
import { exportAudit, exportFormats } from '../../../db/audit-export.ts'
import { downloadOperation } from '../../operation.ts'

const mediaTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const

export const exportOwnAudit = downloadOperation(mediaTypes.ndjson, {
  id: 'exportAudit',
  group: 'Account',
  summary: 'Export the audit log',
  description:
    'The whole audit log of your account as a file, oldest entry first: one JSON object per line, or CSV. Entries are deleted after the time that the operator has set.',
  params: z.object({
    format: z
      .enum(exportFormats, { error: `must be ${exportFormats.join(' or ')}` })
      .default('ndjson')
      .meta({ description: 'Format of the file.' }),
  }),
  answer: z.object({
    id: z.int(),
    at: z.iso.datetime(),
    account_id: z.int(),
    actor: z.string(),
    action: z.string(),
    subject: z.string(),
    detail: z.record(z.string(), z.unknown()),
  }),
  failures: [],
  async handle({ db }, { person, input: { format }, isStillAllowed }) {
    const lines = exportAudit(db, { accountId: person.accountId, format, mayGoOn: isStillAllowed })
    return {
      body: Readable.from(lines, { objectMode: false }),
      headers: {
        'content-type': mediaTypes[format],
        'content-disposition': `attachment; filename="audit.${format}"`,
        'cache-control': 'no-store',
      },
    }
  },
})
