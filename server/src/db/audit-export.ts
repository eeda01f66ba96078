/** Exports the audit log, oldest first. Reads page by page to bound memory use. */
import { sql } from 'kysely'
import { csvLine } from '../model/csv.ts'
import type { Database } from './database.ts'
import type { JsonObject } from './types.ts'

export const exportFormats = ['ndjson', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

interface ExportOptions {
  /** Undefined: all accounts. */
  accountId?: number | undefined
  /** Undefined: all entries. */
  since?: Date | undefined
  format: ExportFormat
  /** Called before each page. The export fails when it returns false. */
  isStillAllowed?: () => Promise<boolean>
}

interface Entry {
  id: string
  accountId: number | null
  at: Date
  actor: string
  action: string
  subject: string
  detail: JsonObject
}

const pageSize = 500
const columns = ['id', 'at', 'account_id', 'actor', 'action', 'subject', 'detail'] as const

export async function* exportAudit(db: Database, options: ExportOptions): AsyncGenerator<string> {
  const { format, isStillAllowed = async () => true } = options
  if (format === 'csv') yield csvLine(columns)
  let after = '0'
  for (;;) {
    if (!(await isStillAllowed())) throw new Error('export is no longer allowed')
    const page = await readPage(db, options, after)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
      .map((entry) => (format === 'csv' ? formatCsv(entry) : `${JSON.stringify(fieldsOf(entry))}\n`))
      .join('')
    after = last.id
  }
}

async function readPage(db: Database, { accountId, since }: ExportOptions, after: string): Promise<Entry[]> {
  const accountCondition = accountId === undefined ? sql`` : sql`account_id = ${accountId} AND`
  const timeCondition = since === undefined ? sql`` : sql`at >= ${since} AND`
  const { rows } = await sql<Entry>`
    SELECT id, account_id, at, actor, action, subject, detail FROM audit
    WHERE ${accountCondition} ${timeCondition} id > ${after}::bigint ORDER BY id LIMIT ${pageSize}
  `.execute(db)
  return rows
}

function fieldsOf({ id, at, accountId, ...entry }: Entry) {
  return { id: Number(id), at: at.toISOString(), account_id: accountId, ...entry }
}

function formatCsv(entry: Entry): string {
  const fields = fieldsOf(entry)
  return csvLine(
    columns.map((column) => {
      const value = fields[column]
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
    }),
  )
}
