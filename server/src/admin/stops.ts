import type { Command } from 'commander'
import type { Database } from '../db/database.ts'
import { createStop, endStop, listStops } from '../db/stops.ts'
import { readHostOf, type StopTarget } from '../model/stop.ts'
import { Advice } from '../model/errors.ts'
import { done, rows } from './answer.ts'
import { command, refuseUnknownAccount, refuseUnknownHook, run, wholeNumber } from './command.ts'

interface TargetOptions {
  account?: number
  hook?: number
  host?: string
  all?: boolean
}

const maxReasonLength = 200

export function addStopCommands(program: Command): void {
  const stop = program.command('stop').description('sends that are stopped')

  command(
    stop,
    'create',
    'stop sending to an account, a webhook, a host, or at all; deliveries wait until it ends',
  )
    .option('--account <id>', 'all webhooks of an account', wholeNumber)
    .option('--hook <id>', 'one webhook; needs --account', wholeNumber)
    .option('--host <host>', 'every webhook of a host, such as example.com or example.com:8443')
    .option('--all', 'every webhook of every account')
    .requiredOption('--reason <text>', 'why; owners of the webhooks see it')
    .action(
      run(async ({ db }, options: TargetOptions & { reason: string }) => {
        const target = await readTarget(db, options)
        const reason = options.reason.trim()
        if (reason === '' || reason.length > maxReasonLength)
          throw new Advice(`The reason must have 1 to ${maxReasonLength} characters.`)
        const id = await db.transaction().execute((trx) => createStop(trx, 'operator', { target, reason }))
        if (id === undefined)
          throw new Advice('This is stopped already. `npm run admin -- stop list` shows the stop.')
        return { json: { stop_id: id }, text: `Created stop ${id}. Nothing new is sent within a second.` }
      }),
    )

  command(stop, 'list', 'show the stops in force, those of suspended accounts too').action(
    run(async ({ db }) =>
      rows(await listStops(db), [
        'id',
        'scope',
        'accountId',
        'hookId',
        'host',
        'reason',
        'isSuspension',
        'actor',
        'createdAt',
      ]),
    ),
  )

  command(stop, 'end', 'end a stop; waiting deliveries are sent with a slow start')
    .argument('<id>', 'id of the stop', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await db.transaction().execute((trx) => endStop(trx, 'operator', id))
        return done(
          isDone,
          `Ended stop ${id}.`,
          `There is no stop ${id} to end. \`stop list\` shows them; \`account resume\` ends a suspension.`,
        )
      }),
    )
}

async function readTarget(db: Database, { account, hook, host, all }: TargetOptions): Promise<StopTarget> {
  const given = [hook ?? account, host, all].filter((option) => option !== undefined)
  if (given.length !== 1)
    throw new Advice('Name one target: --account, --account and --hook, --host, or --all.')
  if (host !== undefined) {
    if (/:(80|443)$/.test(host.trim()))
      throw new Advice(
        'Ports 80 and 443 cannot be stopped by themselves. Name the host alone to stop all its ports.',
      )
    const read = readHostOf(host)
    if (read === undefined)
      throw new Advice(`"${host}" is not a host. Give it as in example.com or example.com:8443.`)
    return { scope: 'host', host: read }
  }
  if (all) return { scope: 'all' }
  if (account === undefined) throw new Advice('--hook needs --account.')
  await refuseUnknownAccount(db, account)
  if (hook === undefined) return { scope: 'account', accountId: account }
  await refuseUnknownHook(db, account, hook)
  return { scope: 'hook', accountId: account, hookId: hook }
}
