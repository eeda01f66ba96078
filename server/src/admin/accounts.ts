import { type Command, Option } from 'commander'
import {
  createAccount,
  listAccounts,
  setCountry,
  setOriginalStatuses,
  setSignedCallsRequired,
  setSuspended,
} from '../identity/accounts/accounts.ts'
import { viewSigningKeys } from '../hooks/signing-key.ts'
import { countries } from '../model/countries.ts'
import { createPasswords } from '../identity/accounts/passwords.ts'
import { result, table } from './output.ts'
import { command, rejectUnknownAccount, run, wholeNumber } from './command.ts'
import { type LoginOptions, readLogin } from './login-options.ts'

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description('manage accounts')

  command(account, 'create', 'create an account; --alias, --email and a password add its first login')
    .requiredOption('--name <name>', 'account name')
    .option('--alias <alias>', 'alias of the first login')
    .option('--email <email>', 'email of the first login')
    .option('--password <password>', 'password of the first login')
    .option('--password-stdin', 'read the password from standard input')
    .action(
      run(async ({ db, vault }, options: LoginOptions & { name: string }) => {
        const { alias, email, password, passwordStdin } = options
        const hasLogin = [alias, email, password, passwordStdin].some((option) => option !== undefined)
        const first = hasLogin ? await readLogin(options) : undefined
        const created = await createAccount({ db, vault, passwords: createPasswords() }, 'operator', {
          name: options.name,
          login: first,
        })
        return {
          json: { account_id: created.accountId, login_id: created.loginId },
          text: `Created account ${created.accountId}.`,
        }
      }),
    )

  command(account, 'list', 'list all accounts').action(
    run(async ({ db }) =>
      table(await listAccounts(db), [
        'id',
        'name',
        'suspendedAt',
        'originalStatuses',
        'country',
        'createdAt',
      ]),
    ),
  )

  command(account, 'suspend', 'reject all calls of an account and stop its deliveries')
    .argument('<id>', 'account id', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await setSuspended(db, 'operator', id, true)
        return result(isDone, `Suspended account ${id}.`, `Account ${id} not found or already suspended.`)
      }),
    )

  command(account, 'resume', 'resume a suspended account')
    .argument('<id>', 'account id', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await setSuspended(db, 'operator', id, false)
        return result(isDone, `Resumed account ${id}.`, `Account ${id} not found or not suspended.`)
      }),
    )

  command(account, 'statuses', 'set the HTTP statuses of failed calls to /api/hooks')
    .argument('<id>', 'account id', wholeNumber)
    .addOption(
      new Option('--use <statuses>', 'default: as the installation')
        .choices(Object.keys(statusChoices))
        .makeOptionMandatory(),
    )
    .action(
      run(async ({ db }, { use }: { use: keyof typeof statusChoices }, id: number) => {
        await rejectUnknownAccount(db, id)
        const isDone = await setOriginalStatuses(db, 'operator', id, statusChoices[use])
        return result(
          isDone,
          `Account ${id} now uses ${use} statuses.`,
          `Account ${id} already uses ${use} statuses.`,
        )
      }),
    )

  command(account, 'country', 'set the default country of an account, for searches of national numbers')
    .argument('<id>', 'account id', wholeNumber)
    .addOption(
      new Option('--use <country>', 'two-letter code such as DE, or none')
        .choices(['none', ...countries])
        .makeOptionMandatory(),
    )
    .action(
      run(async ({ db }, { use }: { use: string }, id: number) => {
        await rejectUnknownAccount(db, id)
        const isDone = await setCountry(db, 'operator', id, use === 'none' ? null : use)
        return result(
          isDone,
          `The default country of account ${id} is now ${use}.`,
          `The default country of account ${id} is already ${use}.`,
        )
      }),
    )

  command(account, 'signing-key', 'print the signing key of an account, and the next one during a rotation')
    .argument('<id>', 'account id', wholeNumber)
    .action(
      run(async ({ db, vault }, _options, id: number) => {
        await rejectUnknownAccount(db, id)
        const { current, next, switchesAt } = await viewSigningKeys(db, vault, 'operator', id)
        const nextLine =
          next === null ? '' : `\nnext signing key  ${next} (from ${switchesAt?.toISOString()})`
        return {
          json: { signing_key: current, next_signing_key: next, switches_at: switchesAt },
          text: `signing key       ${current}${nextLine}`,
        }
      }),
    )

  command(account, 'signed-calls', 'set whether calls with the credentials of an account must be signed')
    .argument('<id>', 'account id', wholeNumber)
    .addOption(new Option('--use <rule>', 'rule').choices(['required', 'optional']).makeOptionMandatory())
    .action(
      run(async ({ db }, { use }: { use: 'required' | 'optional' }, id: number) => {
        await rejectUnknownAccount(db, id)
        const isDone = await setSignedCallsRequired(db, 'operator', id, use === 'required')
        return result(
          isDone,
          `Signed calls are now ${use} for account ${id}.`,
          `Signed calls are already ${use} for account ${id}.`,
        )
      }),
    )
}

/** `default` follows the setting of the installation. */
const statusChoices = { original: true, http: false, default: null }
