import type { Command } from 'commander'
import { createProducer, listProducers, revokeProducer } from '../identity/keys/producers.ts'
import { done, rows } from './answer.ts'
import { command, run, wholeNumber } from './command.ts'

export function addProducerCommands(program: Command): void {
  const producer = program.command('producer').description('parts of the gateway that hand in events')

  command(producer, 'create', 'make a producer; its key is printed once')
    .requiredOption('--name <name>', 'which part of the gateway it is')
    .action(
      run(async ({ db, vault }, options: { name: string }) => {
        const made = await createProducer(db, vault, 'operator', options.name)
        return {
          json: { producer_id: made.producerId, key: made.key },
          text: `Producer ${made.producerId} is made. Its key:\n\n  ${made.key}\n`,
        }
      }),
    )

  command(producer, 'list', 'show all producers').action(
    run(async ({ db }) => rows(await listProducers(db), ['id', 'name', 'prefix', 'revokedAt', 'createdAt'])),
  )

  command(producer, 'revoke', "end a producer's key for good, at once")
    .argument('<id>', 'its id', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await revokeProducer(db, 'operator', id)
        return done(isDone, `Producer ${id} is revoked.`, `There is no producer ${id} that is not revoked.`)
      }),
    )
}
