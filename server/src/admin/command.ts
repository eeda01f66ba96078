/** Shared helpers of the admin commands. */
import { pipeline } from 'node:stream/promises'
import { type Command, InvalidArgumentError, type OptionValues } from 'commander'
import { commandLine } from '../model/command-line.ts'
import { type Config, loadConfig } from '../config.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { vaultKeyStore } from '../db/vault-key-store.ts'
import { hasAccount } from '../identity/accounts/accounts.ts'
import { OperatorError } from '../model/errors.ts'
import { isEventId } from '../model/event-id.ts'
import { exitWithMessage } from '../runtime/exit.ts'
import { openVault, type Vault } from '../vault/vault.ts'
import type { CommandOutput, CommandStream } from './output.ts'

interface Deps {
  config: Config
  db: Database
  vault: Vault
}

export function command(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description).option('--json', 'print JSON for scripts')
}

/** Opens the database for one command, prints the output and closes the database. */
export function run<Options extends OptionValues, Argument>(
  action: (deps: Deps, options: Options, argument: Argument) => Promise<CommandOutput | CommandStream>,
) {
  return async (...input: unknown[]): Promise<void> => {
    // Commander passes the arguments, the options and then the command, which holds both.
    const invoked = input.at(-1) as Command
    try {
      const config = loadConfig(process.env)
      const db = openDatabase(config.databaseUrl, 2, exitWithMessage, config)
      const vault = await openVault(vaultKeyStore(db), config)
      const result = await action(
        { config, db, vault },
        invoked.opts<Options>(),
        invoked.processedArgs[0] as Argument,
      )
      if ('stream' in result) await pipeline(result.stream, process.stdout, { end: false })
      await db.destroy()
      if ('stream' in result) return
      console.log(invoked.opts().json ? JSON.stringify(result.json) : result.text)
    } catch (error) {
      exitWithMessage(error)
    }
  }
}

export async function rejectUnknownAccount(db: Database, id: number): Promise<void> {
  if (!(await hasAccount(db, id)))
    throw new OperatorError(
      `Account ${id} not found. List accounts with \`${commandLine('admin account list')}\`.`,
    )
}

export async function rejectUnknownHook(db: Database, accountId: number, hookId: number): Promise<void> {
  const found = await db
    .selectFrom('hooks')
    .select('id')
    .where('accountId', '=', accountId)
    .where('id', '=', hookId)
    .executeTakeFirst()
  if (found === undefined) throw new OperatorError(`Webhook ${hookId} of account ${accountId} not found.`)
}

export function wholeNumber(input: string): number {
  if (!/^[1-9]\d{0,8}$/.test(input)) throw new InvalidArgumentError('Expected a positive integer.')
  return Number(input)
}

export function time(input: string): Date {
  const at = new Date(input)
  if (Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Expected a time such as 2027-01-31T00:00:00Z.')
  return at
}

export function eventId(input: string): string {
  if (!isEventId(input))
    throw new InvalidArgumentError('Expected an event id (UUID). List them with `quarantine list`.')
  return input
}
