import { type Command, InvalidArgumentError } from 'commander'
import { createKey } from '../identity/keys/create-key.ts'
import { keyColumns, listKeys } from '../identity/keys/list-keys.ts'
import { revokeKey } from '../identity/keys/revoke-key.ts'
import { isScope, scopes, type Scope } from '../model/caller.ts'
import { done, rows } from './answer.ts'
import { command, refuseUnknownAccount, run, wholeNumber } from './command.ts'

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys of an account')

  command(key, 'create', 'make an API key; it is printed once')
    .requiredOption('--account <id>', 'id of the account', wholeNumber)
    .requiredOption('--name <name>', 'what the key is for')
    .option(
      '--scopes <scopes>',
      `what it may do, separated by commas: ${Object.keys(scopes).join(', ')}`,
      scopeList,
    )
    .option('--expires <time>', 'when it ends, for example 2027-01-31T00:00:00Z', instant)
    .option('--allow-ips <networks>', 'from where it may be used: addresses or networks, separated by commas')
    .action(
      run(async ({ db, vault }, options: KeyOptions) => {
        await refuseUnknownAccount(db, options.account)
        const made = await createKey(db, vault, 'operator', {
          accountId: options.account,
          name: options.name,
          scopes: options.scopes ?? ['all'],
          expiresAt: options.expires,
          allowedIps: options.allowIps?.split(',').map((network) => network.trim()) ?? [],
        })
        return {
          json: { key_id: made.keyId, key: made.key },
          text: `API key ${made.keyId} is made:\n\n  ${made.key}\n`,
        }
      }),
    )

  command(key, 'list', 'show the API keys of an account')
    .requiredOption('--account <id>', 'id of the account', wholeNumber)
    .action(
      run(async ({ db }, options: { account: number }) =>
        rows(await listKeys(db, options.account), keyColumns),
      ),
    )

  command(key, 'revoke', 'end an API key for good, at once')
    .argument('<id>', 'its id', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await revokeKey(db, 'operator', id)
        return done(isDone, `API key ${id} is revoked.`, `There is no API key ${id} that is not revoked.`)
      }),
    )
}

interface KeyOptions {
  account: number
  name: string
  scopes?: Scope[]
  expires?: Date
  allowIps?: string
}

function instant(given: string): Date {
  const at = new Date(given)
  if (Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('It must be a time such as 2027-01-31T00:00:00Z.')
  return at
}

function scopeList(given: string): Scope[] {
  const wanted = given.split(',').map((scope) => scope.trim())
  const unknown = wanted.find((scope) => !isScope(scope))
  if (unknown !== undefined)
    throw new InvalidArgumentError(`"${unknown}" is none of ${Object.keys(scopes).join(', ')}.`)
  return wanted.filter(isScope)
}
