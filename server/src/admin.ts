/**
 * `npm run admin -- …`: the operator's tool for accounts, logins, keys, webhooks and producers. Every command takes
 * `--json` for scripts. A new key is printed once; passwords may come from standard input, so that they stay out of
 * process lists.
 */
import { Command } from 'commander'
import { addAccountCommands } from './admin/accounts.ts'
import { addHookCommands } from './admin/hooks.ts'
import { addKeyCommands } from './admin/keys.ts'
import { addLoginCommands } from './admin/logins.ts'
import { addProducerCommands } from './admin/producers.ts'

const program = new Command('admin').description("Hookline's operator tool.").showHelpAfterError()
addAccountCommands(program)
addLoginCommands(program)
addKeyCommands(program)
addHookCommands(program)
addProducerCommands(program)
await program.parseAsync()
