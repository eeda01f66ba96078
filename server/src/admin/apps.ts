import { type Command, Option } from 'commander'
import { listAllApps, setPkceRequired } from '../identity/oauth/apps.ts'
import { result, table } from './output.ts'
import { command, run } from './command.ts'

export function addAppCommands(program: Command): void {
  const app = program.command('app').description('manage OAuth apps')

  command(app, 'list', 'list all apps').action(
    run(async ({ db }) =>
      table(await listAllApps(db), ['id', 'accountId', 'name', 'isPublic', 'pkceRequired', 'createdAt']),
    ),
  )

  command(app, 'pkce', 'require PKCE of an app, or make it optional for an app with a secret')
    .argument('<id>', 'app id')
    .addOption(
      new Option('--use <mode>', 'whether PKCE is required')
        .choices(['required', 'optional'])
        .makeOptionMandatory(),
    )
    .action(
      run(async ({ db }, { use }: { use: 'required' | 'optional' }, id: string) => {
        const isDone = await setPkceRequired(db, 'operator', id, use === 'required')
        return result(
          isDone,
          `PKCE is now ${use} for app ${id}.`,
          `App ${id} not found, without a secret, or PKCE is already ${use}.`,
        )
      }),
    )
}
