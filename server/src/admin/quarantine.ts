import type { Command } from 'commander'
import { commandLine } from '../model/command-line.ts'
import { cancelQuarantined, listQuarantined, retryQuarantined } from '../delivery/queue/suspects.ts'
import { result, table } from './output.ts'
import { command, eventId, run, wholeNumber } from './command.ts'

interface HookOption {
  hook: number
}

export function addQuarantineCommands(program: Command): void {
  const quarantine = program
    .command('quarantine')
    .description('manage deliveries that crash the process that attempts them')

  command(quarantine, 'list', 'list quarantined deliveries').action(
    run(async ({ db }) =>
      table(await listQuarantined(db), ['accountId', 'eventId', 'hookId', 'quarantinedAt', 'reason']),
    ),
  )

  command(quarantine, 'retry', 'retry a quarantined delivery in a separate process')
    .argument('<event>', 'event id', eventId)
    .requiredOption('--hook <id>', 'webhook id', wholeNumber)
    .action(
      run(async ({ db }, { hook }: HookOption, event: string) =>
        result(
          await retryQuarantined(db, 'operator', { eventId: event, hookId: hook }),
          `Retrying the delivery of event ${event} to webhook ${hook}.`,
          notFound(event, hook),
        ),
      ),
    )

  command(quarantine, 'cancel', 'cancel a quarantined delivery')
    .argument('<event>', 'event id', eventId)
    .requiredOption('--hook <id>', 'webhook id', wholeNumber)
    .action(
      run(async ({ db }, { hook }: HookOption, event: string) =>
        result(
          await cancelQuarantined(db, 'operator', { eventId: event, hookId: hook }),
          `Canceled the delivery of event ${event} to webhook ${hook}.`,
          notFound(event, hook),
        ),
      ),
    )
}

function notFound(event: string, hookId: number): string {
  return `No quarantined delivery of event ${event} to webhook ${hookId}. List them with \`${commandLine('admin quarantine list')}\`.`
}
