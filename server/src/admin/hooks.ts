import { type Command, Option } from 'commander'
import { listProblems } from '../hooks/hook-problems.ts'
import { listHooks } from '../hooks/list-hooks.ts'
import { setHookEnabled } from '../hooks/set-enabled.ts'
import { setHookOptions } from '../hooks/set-options.ts'
import { viewSecrets } from '../hooks/view-secrets.ts'
import {
  type DeliveryOptions,
  formFieldStyles,
  retryPolicies,
  signatureUrls,
} from '../model/delivery-options.ts'
import { hookName, nameRule } from '../model/display-name.ts'
import { OperatorError } from '../model/errors.ts'
import { enableHook } from '../replays/enable-hook.ts'
import { result, table } from './output.ts'
import { command, rejectUnknownAccount, rejectUnknownHook, run, wholeNumber } from './command.ts'

export function addHookCommands(program: Command): void {
  const hook = program.command('hook').description('manage webhooks')

  command(hook, 'list', 'list the webhooks of an account')
    .requiredOption('--account <id>', 'account id', wholeNumber)
    .action(
      run(async ({ db, vault }, options: { account: number }) => {
        await rejectUnknownAccount(db, options.account)
        return table(await listHooks(db, vault, options.account), [
          'id',
          'name',
          'targetUrl',
          'eventType',
          'requestMethod',
          'eventFilter',
          'enabled',
        ])
      }),
    )

  command(
    hook,
    'problems',
    'list webhooks of all accounts that cannot be loaded; their deliveries stay pending',
  ).action(run(async ({ db }) => table(await listProblems(db), ['accountId', 'hookId', 'problem', 'since'])))

  command(hook, 'secret', 'print the signing secret of a webhook and the signing key of its account')
    .argument('<id>', 'webhook id', wholeNumber)
    .requiredOption('--account <id>', 'account id', wholeNumber)
    .action(
      run(async ({ db, vault }, options: { account: number }, id: number) => {
        const found = await viewSecrets(db, vault, 'operator', { accountId: options.account, hookId: id })
        if (found === undefined)
          throw new OperatorError(`Webhook ${id} of account ${options.account} not found.`)
        return {
          json: { secret: found.secret, signing_key: found.signingKey },
          text: `webhook secret (Standard Webhooks)  ${found.secret}\naccount signing key (X-Signature)    ${found.signingKey}`,
        }
      }),
    )

  command(hook, 'disable', 'disable a webhook; its deliveries are held')
    .argument('<id>', 'webhook id', wholeNumber)
    .requiredOption('--account <id>', 'account id', wholeNumber)
    .action(
      run(async ({ db }, options: { account: number }, id: number) => {
        const change = { enabled: false, reason: 'operator' } as const
        const isDone = await setHookEnabled(db, 'operator', options.account, id, change)
        return result(
          isDone,
          `Disabled webhook ${id}.`,
          `Webhook ${id} of account ${options.account} not found or already disabled.`,
        )
      }),
    )

  command(hook, 'enable', 'enable a webhook')
    .argument('<id>', 'webhook id', wholeNumber)
    .requiredOption('--account <id>', 'account id', wholeNumber)
    .addOption(
      new Option('--held <action>', 'deliver or drop its held events')
        .choices(['deliver', 'drop'])
        .default('deliver'),
    )
    .action(
      run(async ({ db }, options: { account: number; held: 'deliver' | 'drop' }, id: number) => {
        await rejectUnknownHook(db, options.account, id)
        const target = { accountId: options.account, hookId: id, actor: 'operator' } as const
        const { held, replayId } = await enableHook(db, target, options.held)
        const outcome = options.held === 'drop' ? 'dropped' : 'being delivered'
        return {
          json: { success: true, held, replay_id: replayId },
          text: `Enabled webhook ${id}.${held === 0 ? '' : ` Held events: ${held}, ${outcome}.`}`,
        }
      }),
    )

  command(hook, 'rename', 'set the name of a webhook')
    .argument('<id>', 'webhook id', wholeNumber)
    .requiredOption('--account <id>', 'account id', wholeNumber)
    .option('--name <name>', 'name for users; omit to remove it')
    .action(
      run(async ({ db }, options: { account: number; name?: string }, id: number) => {
        const { account, name = null } = options
        if (name !== null && !hookName.test(name))
          throw new OperatorError(`The name must have 1 to 200 characters in one line: ${nameRule}.`)
        const isDone = await setHookOptions(db, 'operator', account, id, { name })
        return result(
          isDone,
          name === null ? `Removed the name of webhook ${id}.` : `Renamed webhook ${id}.`,
          `Webhook ${id} of account ${account} not found.`,
        )
      }),
    )

  command(hook, 'rate', 'set the rate limit of a webhook')
    .argument('<id>', 'webhook id', wholeNumber)
    .requiredOption('--account <id>', 'account id', wholeNumber)
    .option('--per-second <deliveries>', 'max deliveries per second; omit to remove the limit', wholeNumber)
    .action(
      run(async ({ db }, options: { account: number; perSecond?: number }, id: number) => {
        const isDone = await setHookOptions(db, 'operator', options.account, id, {
          maxPerSecond: options.perSecond ?? null,
        })
        const limit =
          options.perSecond === undefined
            ? 'no rate limit'
            : `a rate limit of ${options.perSecond} deliveries per second`
        return result(
          isDone,
          `Webhook ${id} now has ${limit}.`,
          `Webhook ${id} of account ${options.account} not found.`,
        )
      }),
    )

  command(hook, 'options', 'set delivery options of a webhook, for receivers of the original service')
    .argument('<id>', 'webhook id', wholeNumber)
    .requiredOption('--account <id>', 'account id', wholeNumber)
    .addOption(new Option('--form-fields <style>', 'fields of a form').choices(formFieldStyles))
    .addOption(new Option('--retry-policy <policy>', 'statuses, attempts and timeout').choices(retryPolicies))
    .addOption(new Option('--accept-header <switch>', 'send Accept: */*').choices(['on', 'off']))
    .addOption(new Option('--trace-header <switch>', 'send traceparent').choices(['on', 'off']))
    .addOption(new Option('--signature-url <url>', 'URL that x-signature signs').choices(signatureUrls))
    .action(
      run(async ({ db }, input: OptionsInput, id: number) => {
        const { account, json: _, acceptHeader, traceHeader, ...others } = input
        const options = {
          ...others,
          ...(acceptHeader !== undefined && { acceptHeader: acceptHeader === 'on' }),
          ...(traceHeader !== undefined && { traceHeader: traceHeader === 'on' }),
        }
        if (Object.keys(options).length === 0)
          throw new OperatorError('No option given. List the options with `hook options --help`.')
        const isDone = await setHookOptions(db, 'operator', account, id, options)
        return result(
          isDone,
          `Changed the delivery options of webhook ${id}.`,
          `Webhook ${id} of account ${account} not found.`,
        )
      }),
    )
}

interface OptionsInput extends Partial<Omit<DeliveryOptions, 'acceptHeader' | 'traceHeader'>> {
  account: number
  json?: boolean
  acceptHeader?: 'on' | 'off'
  traceHeader?: 'on' | 'off'
}
