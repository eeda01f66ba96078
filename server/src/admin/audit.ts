import { Readable } from 'node:stream'
import { type Command, Option } from 'commander'
import { type ExportFormat, exportAudit, exportFormats } from '../db/audit-export.ts'
import { command, rejectUnknownAccount, run, time, wholeNumber } from './command.ts'

export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('read the audit log')

  command(audit, 'export', 'print the audit log, oldest entry first')
    .option('--account <id>', 'only entries of this account', wholeNumber)
    .option('--since <time>', 'only entries since this time, for example 2026-11-18T07:00:00Z', time)
    .addOption(new Option('--format <format>', 'output format').choices(exportFormats).default('ndjson'))
    .action(
      run(async ({ db }, options: { account?: number; since?: Date; format: ExportFormat }) => {
        if (options.account !== undefined) await rejectUnknownAccount(db, options.account)
        const { account: accountId, since, format } = options
        return { stream: Readable.from(exportAudit(db, { accountId, since, format }), { objectMode: false }) }
      }),
    )
}
