/**
 * `npm run admin -- …`: the operator's tool for accounts, logins, keys and producers. Every command takes `--json` for
 * scripts. A new key is printed once; passwords may come from standard input, so that they stay out of process lists.
 */
import { text } from 'node:stream/consumers'
import { Command, InvalidArgumentError, Option, type OptionValues } from 'commander'
import { loadConfig } from './config.ts'
import { openDatabase, type Database } from './db/database.ts'
import { vaultKeyStore } from './db/vault-key-store.ts'
import { signingSecrets } from './hooks/delivery-hooks.ts'
import { listHooks } from './hooks/list-hooks.ts'
import { setHookEnabled } from './hooks/set-enabled.ts'
import { createAccount, hasAccount, listAccounts, setSuspended } from './identity/accounts/accounts.ts'
import { createLogin, setPassword } from './identity/accounts/logins.ts'
import { createPasswords } from './identity/accounts/passwords.ts'
import { createKey } from './identity/keys/create-key.ts'
import { listKeys } from './identity/keys/list-keys.ts'
import { createProducer, listProducers, revokeProducer } from './identity/keys/producers.ts'
import { revokeKey } from './identity/keys/revoke-key.ts'
import { isScope, scopes, type Scope } from './model/caller.ts'
import { Advice } from './model/errors.ts'
import { exitWithMessage } from './ops/exit.ts'
import { untilNone } from './ops/until-none.ts'
import { dropHeld } from './pipeline/work/finish.ts'
import { releaseHeld } from './pipeline/work/held.ts'
import { openVault, type Vault } from './vault/vault.ts'
import { type Answer, done, rows } from './admin-answer.ts'

interface Parts {
  db: Database
  vault: Vault
}

const program = new Command('admin').description("Hookline's operator tool.").showHelpAfterError()
const account = program.command('account').description('customers of the gateway')
const login = program.command('login').description('people who sign in for an account')
const key = program.command('key').description('API keys of an account')
const hook = program.command('hook').description('webhooks of an account')
const producer = program.command('producer').description('parts of the gateway that hand in events')

command(account, 'create', 'make an account, with a first login if --alias, --email and a password are given')
  .requiredOption('--name <name>', 'name of the account')
  .option('--alias <alias>', 'alias of its first login')
  .option('--email <email>', 'e-mail address of its first login')
  .option('--password <password>', 'password of its first login')
  .option('--password-stdin', 'read the password from standard input')
  .action(
    run(async ({ db }, options: LoginOptions & { name: string }) => {
      const wantsLogin = options.alias !== undefined || options.email !== undefined
      const first = wantsLogin ? await newLogin(options) : undefined
      const made = await createAccount(db, await createPasswords(), 'operator', {
        name: options.name,
        login: first,
      })
      return {
        json: { account_id: made.accountId, login_id: made.loginId },
        text: `Account ${made.accountId} is made.`,
      }
    }),
  )

command(account, 'list', 'show all accounts').action(
  run(async ({ db }) => rows(await listAccounts(db), ['id', 'name', 'suspendedAt', 'createdAt'])),
)

command(account, 'suspend', 'refuse every call of an account')
  .argument('<id>', 'its id', wholeNumber)
  .action(
    run(async ({ db }, _options, id: number) => {
      const isDone = await setSuspended(db, 'operator', id, true)
      return done(isDone, `Account ${id} is suspended.`, `There is no account ${id} that is not suspended.`)
    }),
  )

command(account, 'resume', 'let a suspended account work again')
  .argument('<id>', 'its id', wholeNumber)
  .action(
    run(async ({ db }, _options, id: number) => {
      const isDone = await setSuspended(db, 'operator', id, false)
      return done(isDone, `Account ${id} works again.`, `There is no suspended account ${id}.`)
    }),
  )

command(login, 'create', 'add a login to an account')
  .requiredOption('--account <id>', 'id of the account', wholeNumber)
  .requiredOption('--alias <alias>', 'alias to sign in with')
  .requiredOption('--email <email>', 'e-mail address to sign in with')
  .option('--password <password>', 'password')
  .option('--password-stdin', 'read the password from standard input')
  .action(
    run(async ({ db }, options: LoginOptions & { account: number }) => {
      await refuseUnknownAccount(db, options.account)
      const wanted = await newLogin(options)
      const id = await createLogin(db, await createPasswords(), 'operator', options.account, wanted)
      return { json: { login_id: id }, text: `Login ${id} is made.` }
    }),
  )

command(login, 'set-password', 'give a login a new password')
  .argument('<alias-or-email>', 'whose')
  .option('--password <password>', 'new password')
  .option('--password-stdin', 'read the password from standard input')
  .action(
    run(async ({ db }, options: LoginOptions, name: string) => {
      const password = await passwordOf(options)
      const isDone = await setPassword(db, await createPasswords(), 'operator', name, password)
      return done(isDone, 'The password is changed.', 'Nobody signs in with this alias or e-mail address.')
    }),
  )

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
      rows(await listKeys(db, options.account), [
        'id',
        'name',
        'prefix',
        'scopes',
        'expiresAt',
        'revokedAt',
        'lastUsedAt',
        'lastUsedMethod',
      ]),
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

command(hook, 'list', 'show the webhooks of an account')
  .requiredOption('--account <id>', 'id of the account', wholeNumber)
  .action(
    run(async ({ db, vault }, options: { account: number }) =>
      rows(await listHooks(db, vault, options.account), [
        'id',
        'targetUrl',
        'eventType',
        'requestMethod',
        'eventFilter',
        'enabled',
      ]),
    ),
  )

command(hook, 'secret', 'show what a receiver verifies deliveries with')
  .argument('<id>', 'id of the webhook', wholeNumber)
  .requiredOption('--account <id>', 'id of the account', wholeNumber)
  .action(
    run(async ({ db, vault }, options: { account: number }, id: number) => {
      const found = await signingSecrets(db, vault, options.account, id)
      if (found === undefined) throw new Advice(`Account ${options.account} has no webhook ${id}.`)
      return {
        json: { secret: found.secret, signature_key: found.signatureKey },
        text: `secret of the webhook (Standard Webhooks)  ${found.secret}\nsignature key of the account (X-Signature)  ${found.signatureKey}`,
      }
    }),
  )

command(hook, 'disable', 'stop sending to a webhook; what it would have received is held')
  .argument('<id>', 'id of the webhook', wholeNumber)
  .requiredOption('--account <id>', 'id of the account', wholeNumber)
  .action(
    run(async ({ db }, options: { account: number }, id: number) => {
      const change = { enabled: false, reason: 'operator' } as const
      const isDone = await setHookEnabled(db, 'operator', options.account, id, change)
      return done(
        isDone,
        `Webhook ${id} is disabled.`,
        `Account ${options.account} has no enabled webhook ${id}.`,
      )
    }),
  )

command(hook, 'enable', 'send to a webhook again')
  .argument('<id>', 'id of the webhook', wholeNumber)
  .requiredOption('--account <id>', 'id of the account', wholeNumber)
  .addOption(
    new Option('--held <what>', 'what to do with events that were held for it')
      .choices(['deliver', 'drop', 'keep'])
      .default('keep'),
  )
  .action(
    run(async ({ db }, options: { account: number; held: string }, id: number) => {
      const isDone = await setHookEnabled(db, 'operator', options.account, id, { enabled: true })
      const act = { deliver: releaseHeld, drop: dropHeld }[options.held]
      if (isDone && act !== undefined) await untilNone(() => act(db, options.account, id))
      return done(
        isDone,
        `Webhook ${id} is enabled.`,
        `Account ${options.account} has no disabled webhook ${id}.`,
      )
    }),
  )

await program.parseAsync()

interface LoginOptions {
  alias?: string
  email?: string
  password?: string
  passwordStdin?: boolean
}

interface KeyOptions {
  account: number
  name: string
  scopes?: Scope[]
  expires?: Date
  allowIps?: string
}

function command(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description).option('--json', 'print JSON for scripts')
}

/** Opens the database for one command, prints its answer and closes. */
function run<Options extends OptionValues, Argument>(
  act: (parts: Parts, options: Options, argument: Argument) => Promise<Answer>,
) {
  return async (...given: unknown[]): Promise<void> => {
    // Commander passes arguments, options and last the command itself, which has both.
    const ran = given.at(-1) as Command
    try {
      const config = loadConfig(process.env)
      const db = openDatabase(config.databaseUrl, 2, exitWithMessage)
      const vault = await openVault(vaultKeyStore(db), config)
      const answer = await act({ db, vault }, ran.opts<Options>(), ran.processedArgs[0] as Argument)
      await db.destroy()
      console.log(ran.opts().json ? JSON.stringify(answer.json) : answer.text)
    } catch (error) {
      exitWithMessage(error)
    }
  }
}

async function newLogin(options: LoginOptions) {
  const { alias, email } = options
  if (alias === undefined || email === undefined)
    throw new Advice('A login needs both --alias and --email, and a password.')
  return { alias, email, password: await passwordOf(options) }
}

async function passwordOf(options: LoginOptions): Promise<string> {
  if (options.passwordStdin) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (options.password === undefined)
    throw new Advice('Give --password, or --password-stdin and the password.')
  return options.password
}

async function refuseUnknownAccount(db: Database, id: number): Promise<void> {
  if (!(await hasAccount(db, id)))
    throw new Advice(`There is no account ${id}. \`npm run admin -- account list\` shows them.`)
}

function wholeNumber(given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(given)
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
