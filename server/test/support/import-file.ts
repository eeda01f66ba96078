/** Writes files for imports and runs the import as an operator does. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AdminRun, runAdmin } from './admin-tool.ts'

export const header = { format: 'hookline', version: 1 }

export interface ImportFolder {
  path: (name: string) => string
  /** Writes lines, as JSON or as they are, and returns the path. */
  write: (...lines: Array<object | string>) => Promise<string>
  remove: () => Promise<void>
}

export async function createImportFolder(): Promise<ImportFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-test-'))
  let files = 0
  return {
    path: (name) => join(folder, name),
    async write(...lines) {
      const path = join(folder, `${++files}.jsonl`)
      const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      await writeFile(path, `${texts.join('\n')}\n`)
      return path
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

type Counts = Record<'new' | 'unchanged' | 'deleted' | 'invalid', number>

export interface ImportResult extends AdminRun {
  report: {
    dry_run: boolean
    records: Record<'account' | 'login' | 'key' | 'hook', Counts>
    unknown_lines: number
    error_count: number
    errors: Array<{ line: number; message: string }>
    warnings: Array<{ message: string; count: number; first_line: number }>
  }
}

export async function runImport(
  settings: Record<string, string>,
  path: string,
  ...options: string[]
): Promise<ImportResult> {
  const ran = await runAdmin(settings, ['import', path, '--json', ...options])
  if (!ran.stdout.startsWith('{')) throw new Error(`the import failed: ${ran.stderr}`)
  return { ...ran, report: JSON.parse(ran.stdout) }
}
