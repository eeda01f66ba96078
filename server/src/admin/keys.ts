import { type Command, InvalidArgumentError } from 'commander'
import { createKey } from '../identity/keys/create-key.ts'
import { keyColumns, listKeys } from '../identity/keys/list-keys.ts'
import { revokeKey } from '../identity/keys/revoke-key.ts'
import { isScope, scopes, type Scope } from '../model/caller.ts'
import { result, table } from './output.ts'
import { command, rejectUnknownAccount, run, time, wholeNumber } from './command.ts'

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('manage API keys')

  command(key, 'create', 'create an API key and print it')
    .requiredOption('--account <id>', 'account id', wholeNumber)
    .requiredOption('--name <name>', 'name of the key')
    .option(
      '--scopes <scopes>',
      `comma-separated scopes (default: all): ${Object.keys(scopes).join(', ')}`,
      scopeList,
    )
    .option('--expires <time>', 'expiry time, for example 2027-01-31T00:00:00Z', futureTime)
    .option('--allow-ips <networks>', 'comma-separated IP addresses or networks that can use the key')
    .option('--signed', 'accept only signed calls with the key')
    .action(
      run(async ({ db, vault }, options: KeyOptions) => {
        await rejectUnknownAccount(db, options.account)
        const created = await createKey(db, vault, 'operator', {
          accountId: options.account,
          name: options.name,
          scopes: options.scopes ?? ['all'],
          expiresAt: options.expires,
          isSignatureRequired: options.signed ?? false,
          allowedIps: options.allowIps?.split(',').map((network) => network.trim()) ?? [],
        })
        return {
          json: { key_id: created.keyId, key: created.key },
          text: `Created API key ${created.keyId}:\n\n  ${created.key}\n`,
        }
      }),
    )

  command(key, 'list', 'list the API keys of an account')
    .requiredOption('--account <id>', 'account id', wholeNumber)
    .action(
      run(async ({ db }, options: { account: number }) => {
        await rejectUnknownAccount(db, options.account)
        return table(await listKeys(db, options.account), keyColumns)
      }),
    )

  command(key, 'revoke', 'revoke an API key permanently')
    .argument('<id>', 'API key id', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await revokeKey(db, 'operator', id)
        return result(isDone, `Revoked API key ${id}.`, `API key ${id} not found or already revoked.`)
      }),
    )
}

interface KeyOptions {
  account: number
  signed?: true
  name: string
  scopes?: Scope[]
  expires?: Date
  allowIps?: string
}

function futureTime(input: string): Date {
  const at = time(input)
  if (at.getTime() <= Date.now()) throw new InvalidArgumentError('Expected a time in the future.')
  return at
}

function scopeList(input: string): Scope[] {
  const requested = input.split(',').map((scope) => scope.trim())
  const unknown = requested.find((scope) => !isScope(scope))
  if (unknown !== undefined)
    throw new InvalidArgumentError(`Unknown scope "${unknown}". Use ${Object.keys(scopes).join(', ')}.`)
  return requested.filter(isScope)
}
