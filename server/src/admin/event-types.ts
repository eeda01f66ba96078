import { readFile, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { addEventType, countHooks, readEventTypes, removeEventType } from '../catalog/event-types.ts'
import { OperatorError } from '../model/errors.ts'
import { parseDefinition } from '../model/event-type/definition.ts'
import { table } from './output.ts'
import { command, run } from './command.ts'

const maxFileBytes = 1024 * 1024
const takesEffect = 'It takes effect within 2 seconds.'

export function addEventTypeCommands(program: Command): void {
  const eventType = program.command('event-type').description('manage event types of this installation')

  command(eventType, 'add', 'add an event type, defined in a JSON file')
    .argument('<file>', 'file with name, label, schema, sample and public_fields')
    .option('--replace', 'change an existing type')
    .action(
      run(async ({ db }, options: { replace?: boolean }, file: string) => {
        const definition = parseDefinition(await readDefinitionFile(file))
        const done = await addEventType(db, definition, options.replace ?? false)
        return {
          json: { name: definition.name, done },
          text: `${done === 'added' ? 'Added' : 'Replaced'} event type ${definition.name}. ${takesEffect}`,
        }
      }),
    )

  command(eventType, 'list', 'list the custom event types').action(
    run(async ({ db }) => {
      const hooks = await countHooks(db)
      const types = (await readEventTypes(db)).types.filter(({ removedAt }) => removedAt === null)
      return table(
        types.map(({ definition: { name, label, filter_field, time_sensitive }, changedAt }) => ({
          name,
          label,
          filterField: filter_field,
          timeSensitive: time_sensitive,
          hooks: hooks.get(name) ?? 0,
          changedAt,
        })),
        ['name', 'label', 'filterField', 'timeSensitive', 'hooks', 'changedAt'],
      )
    }),
  )

  command(eventType, 'show', 'print the definition of an event type, in the form of its file')
    .argument('<name>', 'name of the event type')
    .action(
      run(async ({ db }, _options, name: string) => {
        const found = (await readEventTypes(db)).types.find(
          ({ definition, removedAt }) => definition.name === name && removedAt === null,
        )
        if (found === undefined) throw new OperatorError(`Event type ${name} not found.`)
        return { json: found.definition, text: JSON.stringify(found.definition, null, 2) }
      }),
    )

  command(eventType, 'remove', 'remove an event type; new events of the type are rejected')
    .argument('<name>', 'name of the event type')
    .option('--force', 'remove it although webhooks have this type; they stay, but receive no new events')
    .action(
      run(async ({ db }, options: { force?: boolean }, name: string) => {
        const hooks = await removeEventType(db, name, options.force ?? false)
        const left =
          hooks === 0 ? '' : ` ${hooks === 1 ? '1 webhook has' : `${hooks} webhooks have`} this type.`
        return { json: { name, hooks }, text: `Removed event type ${name}.${left} ${takesEffect}` }
      }),
    )
}

async function readDefinitionFile(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size > maxFileBytes) throw new OperatorError(`${file} has more than ${maxFileBytes} bytes.`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${file} cannot be read.`)
  }
}
