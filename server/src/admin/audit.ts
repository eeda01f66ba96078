import { Readable } from 'node:stream'
import { type Command, Option } from 'commander'
import { type ExportFormat, exportAudit, exportFormats } from '../db/audit-export.ts'
import { command, refuseUnknownAccount, run, wholeNumber } from './command.ts'

export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('who changed what')

  command(audit, 'export', 'print the audit log, oldest entry first')
    .option('--account <id>', 'of this account alone', wholeNumber)
    .addOption(new Option('--format <format>', 'of the lines').choices(exportFormats).default('ndjson'))
    .action(
      run(async ({ db }, options: { account?: number; format: ExportFormat }) => {
        if (options.account !== undefined) await refuseUnknownAccount(db, options.account)
        const { account: accountId, format } = options
        return { stream: Readable.from(exportAudit(db, { accountId, format }), { objectMode: false }) }
      }),
    )
}
