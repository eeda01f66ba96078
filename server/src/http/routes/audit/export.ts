import { Readable } from 'node:stream'
import { z } from 'zod'
import { exportAudit, exportFormats } from '../../../db/audit-export.ts'
import { requireExport } from '../../auth/require-role.ts'
import { downloadOperation } from '../../operation/operation.ts'
import { auditAction } from '../fields.ts'

const mediaTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const

export const exportAuditOperation = downloadOperation('session', mediaTypes.ndjson, {
  id: 'exportAudit',
  group: 'Account',
  role: 'admin',
  summary: 'Export the audit log',
  description:
    'Downloads the audit log of your account, oldest entry first, as one JSON object per line or as CSV. The operator sets the retention of entries.',
  params: z.object({
    format: z
      .enum(exportFormats, { error: `must be ${exportFormats.join(' or ')}` })
      .default('ndjson')
      .meta({ description: 'Format of the file.' }),
  }),
  response: z.object({
    id: z.int(),
    at: z.iso.datetime(),
    account_id: z.int(),
    actor: z.string(),
    action: auditAction,
    subject: z.string(),
    detail: z.record(z.string(), z.unknown()),
  }),
  errors: [],
  async handle({ db }, { caller, input: { format }, isStillAllowed }) {
    requireExport(caller)
    const lines = exportAudit(db, { accountId: caller.accountId, format, isStillAllowed })
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
