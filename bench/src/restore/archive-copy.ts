/**
 * Restores the whole archive into a second cluster, for reading. Its audit log has the changes that the restore to the
 * target undoes.
 */
import { exportAudit } from '../../../server/src/db/audit-export.ts'
import { restoreCopy } from './clusters.ts'
import { withClient } from '../support/with-client.ts'
import type { Context } from './context.ts'
import type { Crash } from './crash.ts'
import { asOperator } from './operator.ts'

export interface ArchiveCopy {
  /** Acceptance of the newest event in the archive. */
  newestEventAt: Date
  violations: string[]
}

export async function inspectArchiveCopy(
  context: Context,
  { target, changes }: Pick<Crash, 'target' | 'changes'>,
): Promise<ArchiveCopy> {
  const { postgres } = await restoreCopy(context, 'copy')
  const url = postgres.url()
  const newestEventAt = await withClient(url, async (client) => {
    const { rows } = await client.query<{ newest: Date }>('SELECT max(accepted_at) AS newest FROM events')
    return rows[0]?.newest ?? target
  })
  const settings = { ...context.environment.settings, DATABASE_URL: url }
  const audit = await asOperator(settings, async ({ db }) => {
    let text = ''
    for await (const lines of exportAudit(db, { since: target, format: 'ndjson' })) text += lines
    return text
  })
  await postgres.stop()
  const missing = changes.filter(
    ({ action, subject }) => !audit.includes(`"action":"${action}","subject":"${subject}"`),
  )
  return {
    newestEventAt,
    violations: missing.map(({ action, subject }) => `not in the audit log: ${action} of ${subject}`),
  }
}
