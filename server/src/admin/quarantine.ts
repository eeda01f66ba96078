import type { Command } from 'commander'
import { cancelQuarantined, listQuarantined, retryQuarantined } from '../pipeline/work/suspects.ts'
import { done, rows } from './answer.ts'
import { command, run, wholeNumber } from './command.ts'

interface Named {
  hook: number
}

export function addQuarantineCommands(program: Command): void {
  const quarantine = program
    .command('quarantine')
    .description('deliveries that crash the process that attempts them')

  command(quarantine, 'list', 'show quarantined deliveries').action(
    run(async ({ db }) =>
      rows(await listQuarantined(db), ['accountId', 'eventId', 'hookId', 'quarantinedAt', 'reason']),
    ),
  )

  command(quarantine, 'retry', 'attempt a quarantined delivery once more, in a process of its own')
    .argument('<event>', 'id of the event')
    .requiredOption('--hook <id>', 'id of the webhook', wholeNumber)
    .action(
      run(async ({ db }, { hook }: Named, eventId: string) =>
        done(
          await retryQuarantined(db, { eventId, hookId: hook }),
          `The delivery of event ${eventId} to webhook ${hook} is attempted again.`,
          notFound(eventId, hook),
        ),
      ),
    )

  command(quarantine, 'cancel', 'give up a quarantined delivery')
    .argument('<event>', 'id of the event')
    .requiredOption('--hook <id>', 'id of the webhook', wholeNumber)
    .action(
      run(async ({ db }, { hook }: Named, eventId: string) =>
        done(
          await cancelQuarantined(db, { eventId, hookId: hook }),
          `The delivery of event ${eventId} to webhook ${hook} is canceled.`,
          notFound(eventId, hook),
        ),
      ),
    )
}

function notFound(eventId: string, hookId: number): string {
  return `No quarantined delivery of event ${eventId} to webhook ${hookId}. \`npm run admin -- quarantine list\` shows them.`
}
