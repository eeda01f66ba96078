/** What every command of the operator's tool has in common. */
import { pipeline } from 'node:stream/promises'
import { type Command, InvalidArgumentError, type OptionValues } from 'commander'
import { loadConfig } from '../config.ts'
import { openDatabase, type Database } from '../db/database.ts'
import { vaultKeyStore } from '../db/vault-key-store.ts'
import { hasAccount } from '../identity/accounts/accounts.ts'
import { Advice } from '../model/errors.ts'
import { exitWithMessage } from '../ops/exit.ts'
import { openVault, type Vault } from '../vault/vault.ts'
import type { Answer, Printed } from './answer.ts'

interface Parts {
  db: Database
  vault: Vault
}

export function command(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description).option('--json', 'print JSON for scripts')
}

/** Opens the database for one command, prints its answer and closes. */
export function run<Options extends OptionValues, Argument>(
  act: (parts: Parts, options: Options, argument: Argument) => Promise<Answer | Printed>,
) {
  return async (...given: unknown[]): Promise<void> => {
    // Commander passes arguments, options and last the command itself, which has both.
    const ran = given.at(-1) as Command
    try {
      const config = loadConfig(process.env)
      const db = openDatabase(config.databaseUrl, 2, exitWithMessage, config)
      const vault = await openVault(vaultKeyStore(db), config)
      const answer = await act({ db, vault }, ran.opts<Options>(), ran.processedArgs[0] as Argument)
      if ('stream' in answer) await pipeline(answer.stream, process.stdout, { end: false })
      await db.destroy()
      if ('stream' in answer) return
      console.log(ran.opts().json ? JSON.stringify(answer.json) : answer.text)
    } catch (error) {
      exitWithMessage(error)
    }
  }
}

export async function refuseUnknownAccount(db: Database, id: number): Promise<void> {
  if (!(await hasAccount(db, id)))
    throw new Advice(`There is no account ${id}. \`npm run admin -- account list\` shows them.`)
}

export async function refuseUnknownHook(db: Database, accountId: number, hookId: number): Promise<void> {
  const found = await db
    .selectFrom('hooks')
    .select('id')
    .where('accountId', '=', accountId)
    .where('id', '=', hookId)
    .executeTakeFirst()
  if (found === undefined) throw new Advice(`Account ${accountId} has no webhook ${hookId}.`)
}

export function wholeNumber(given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(given)
}
