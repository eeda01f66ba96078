import { createWriteStream } from 'node:fs'
import { access, constants, link, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { readEventTypes } from '../catalog/event-types.ts'
import { createCatalog } from '../model/event-type/catalog.ts'
import { hookLimits } from '../hooks/hook-limits.ts'
import { unusablePasswordHash } from '../identity/accounts/import-logins.ts'
import { createPasswords } from '../identity/accounts/passwords.ts'
import { OperatorError } from '../model/errors.ts'
import { hasErrorCode } from '../runtime/has-error-code.ts'
import { command, run } from './command.ts'
import { exportRecords } from './transfer/export-records.ts'
import { reserveIds, runPass } from './transfer/import-file.ts'
import { createProgress } from './transfer/progress.ts'
import type { RecordKind } from './transfer/records.ts'
import { presentReport } from './transfer/report.ts'

interface ImportOptions {
  dryRun?: boolean
  skipInvalid?: boolean
  rejects?: string
}

export function addTransferCommands(program: Command): void {
  command(program, 'import', 'import accounts, logins, API keys and webhooks from a JSON Lines file')
    .argument('<file>', 'path of the file, see docs/migrating.md')
    .option('--dry-run', 'check the file and print the report; write nothing')
    .option('--skip-invalid', 'import the valid lines of a file with errors')
    .option(
      '--rejects <file>',
      'write lines with errors and the reasons to this file; it can contain secrets',
    )
    .action(
      run(async ({ config, db, vault }, options: ImportOptions, path: string) => {
        await rejectUnreadable(path)
        const catalog = createCatalog((await readEventTypes(db)).types, false)
        const deps = { db, vault, catalog, rules: hookLimits(config, new Set<number>()) }
        const { rejects } = options
        const name = basename(path)
        const checked = await runPass(deps, { path, rejects, progress: createProgress('Checking') })
        const { errorCount } = checked.report
        if (options.dryRun || (errorCount > 0 && !options.skipInvalid)) {
          if (errorCount > 0) process.exitCode = 1
          const hint =
            errorCount === 0 ? '' : ' Fix the lines with errors, or import the others with --skip-invalid.'
          return presentReport(checked.report, true, `Checked ${name}. Nothing was imported.${hint}`)
        }
        await reserveIds(deps, checked)
        const imported = await runPass(deps, {
          path,
          rejects,
          progress: createProgress('Importing'),
          write: {
            skipInvalid: options.skipInvalid ?? false,
            passwordHash: await unusablePasswordHash(createPasswords()),
            file: checked.digest.slice(0, 16),
            reserved: checked.maxIds,
          },
        })
        return presentReport(imported.report, false, `Imported ${name}.`)
      }),
    )

  command(
    program,
    'export',
    'export all accounts, logins and webhooks in the format of import, without secrets and API keys',
  )
    .argument('[file]', 'path of the new file; default: standard output')
    .option(
      '--with-secrets',
      'also export API keys, signing secrets and custom headers IN CLEAR TEXT: anyone with the file can act for every account',
    )
    .action(
      run(async ({ db, vault }, { withSecrets = false }: { withSecrets?: boolean }, path?: string) => {
        const counts: Partial<Record<RecordKind, number>> = {}
        const progress = createProgress('Exporting')
        const records = exportRecords(db, vault, {
          withSecrets,
          onRecords(kind, count) {
            counts[kind] = (counts[kind] ?? 0) + count
            progress.update(
              Object.values(counts).reduce((sum, part) => sum + part, 0),
              undefined,
            )
          },
        })
        if (path === undefined) return { stream: Readable.from(records, { objectMode: false }) }
        await writeExport(path, records)
        progress.done()
        const { account = 0, login = 0, key = 0, hook = 0 } = counts
        return {
          json: { accounts: account, logins: login, keys: key, hooks: hook },
          text: `Exported to ${path}: ${account} accounts, ${login} logins, ${key} API keys, ${hook} webhooks.`,
        }
      }),
    )
}

async function writeExport(path: string, records: AsyncGenerator<string>): Promise<void> {
  // Under another name until it is complete: an incomplete file looks like a complete one.
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  const target = createWriteStream(partial, { flags: 'wx', mode: 0o600 })
  try {
    await pipeline(records, target)
    await link(partial, path)
  } catch (error) {
    throw hasErrorCode(error, 'EEXIST')
      ? new OperatorError(`The file ${path} exists. Choose another name.`)
      : error
  } finally {
    await rm(partial, { force: true })
  }
}

async function rejectUnreadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK)
  } catch {
    throw new OperatorError(`The file ${path} does not exist or is not readable.`)
  }
}
