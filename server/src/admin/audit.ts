import { Readable } from 'node:stream'
import { type Command, Option } from 'commander'
import { type ExportFormat, exportAudit, exportFormats } from '../db/audit-export.ts'
import { command, rejectUnknownAccount, run, wholeNumber } from './command.ts'

export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('read the audit log')

  command(audit, 'export', 'print the audit log, oldest entry first')
    .option('--account <id>', 'only entries of this account', wholeNumber)
    .addOption(new Option('--format <format>', 'output format').choices(exportFormats).default('ndjson'))
    .action(
      run(async ({ db }, options: { account?: number; format: ExportFormat }) => {
        if (options.account !== undefined) await rejectUnknownAccount(db, options.account)
        const { account: accountId, format } = options
        return { stream: Readable.from(exportAudit(db, { accountId, format }), { objectMode: false }) }
      }),
    )
}
