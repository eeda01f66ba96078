import { type Command, Option } from 'commander'
import { signingSecrets } from '../hooks/delivery-hooks.ts'
import { listProblems } from '../hooks/hook-problems.ts'
import { listHooks } from '../hooks/list-hooks.ts'
import { setHookEnabled } from '../hooks/set-enabled.ts'
import { setHookRate } from '../hooks/set-rate.ts'
import { Advice } from '../model/errors.ts'
import { enableHook } from '../pipeline/switch-hook.ts'
import { done, rows } from './answer.ts'
import { command, refuseUnknownHook, run, wholeNumber } from './command.ts'

export function addHookCommands(program: Command): void {
  const hook = program.command('hook').description('webhooks of an account')

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

  command(
    hook,
    'problems',
    'show webhooks of all accounts that cannot be loaded; their deliveries wait',
  ).action(run(async ({ db }) => rows(await listProblems(db), ['accountId', 'hookId', 'problem', 'since'])))

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
        .choices(['deliver', 'drop'])
        .default('deliver'),
    )
    .action(
      run(async ({ db }, options: { account: number; held: 'deliver' | 'drop' }, id: number) => {
        await refuseUnknownHook(db, options.account, id)
        const owner = { accountId: options.account, hookId: id, actor: 'operator' } as const
        const { held, replayId } = await enableHook(db, owner, options.held)
        const told = options.held === 'drop' ? 'dropped' : 'being delivered'
        return {
          json: { success: true, held, replay_id: replayId },
          text: `Webhook ${id} is enabled.${held === 0 ? '' : ` Events held for it: ${held}, ${told}.`}`,
        }
      }),
    )

  command(hook, 'rate', 'send to a webhook at most so often')
    .argument('<id>', 'id of the webhook', wholeNumber)
    .requiredOption('--account <id>', 'id of the account', wholeNumber)
    .option('--per-second <deliveries>', 'deliveries a second; without it there is no limit', wholeNumber)
    .action(
      run(async ({ db }, options: { account: number; perSecond?: number }, id: number) => {
        const isDone = await setHookRate(db, 'operator', options.account, id, options.perSecond ?? null)
        const limit =
          options.perSecond === undefined
            ? 'as fast as it answers'
            : `at most ${options.perSecond} times a second`
        return done(
          isDone,
          `Webhook ${id} is called ${limit}.`,
          `Account ${options.account} has no webhook ${id}.`,
        )
      }),
    )
}
