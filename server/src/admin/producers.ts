import type { Command } from 'commander'
import { createProducer, listProducers, revokeProducer } from '../identity/keys/producers.ts'
import { result, table } from './output.ts'
import { command, run, wholeNumber } from './command.ts'

export function addProducerCommands(program: Command): void {
  const producer = program
    .command('producer')
    .description('manage producers, the gateway components that submit events')

  command(producer, 'create', 'create a producer and print its key, which is shown only once')
    .requiredOption('--name <name>', 'name of the gateway component')
    .action(
      run(async ({ db, vault }, options: { name: string }) => {
        const created = await createProducer(db, vault, 'operator', options.name)
        return {
          json: { producer_id: created.producerId, key: created.key },
          text: `Created producer ${created.producerId}. Its key:\n\n  ${created.key}\n`,
        }
      }),
    )

  command(producer, 'list', 'list all producers').action(
    run(async ({ db }) => table(await listProducers(db), ['id', 'name', 'prefix', 'revokedAt', 'createdAt'])),
  )

  command(producer, 'revoke', 'revoke the key of a producer permanently')
    .argument('<id>', 'producer id', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await revokeProducer(db, 'operator', id)
        return result(isDone, `Revoked producer ${id}.`, `Producer ${id} not found or already revoked.`)
      }),
    )
}
