import type { Command } from 'commander'
import { commandLine } from '../model/command-line.ts'
import type { Database } from '../db/database.ts'
import { createStop, endStop, listStops } from '../db/stops.ts'
import { parseHost, type StopTarget } from '../model/stop.ts'
import { OperatorError } from '../model/errors.ts'
import { result, table } from './output.ts'
import { command, rejectUnknownAccount, rejectUnknownHook, run, wholeNumber } from './command.ts'

interface TargetOptions {
  account?: number
  hook?: number
  host?: string
  all?: boolean
}

const maxReasonLength = 200

export function addStopCommands(program: Command): void {
  const stop = program
    .command('stop')
    .description('stop deliveries to an account, a webhook, a host or everywhere')

  command(stop, 'create', 'stop deliveries; they stay pending until the stop ends')
    .option('--account <id>', 'all webhooks of an account', wholeNumber)
    .option('--hook <id>', 'one webhook; needs --account', wholeNumber)
    .option('--host <host>', 'every webhook of a host, such as example.com or example.com:8443')
    .option('--all', 'every webhook of every account')
    .requiredOption('--reason <text>', 'reason, which accounts see on their webhooks')
    .action(
      run(async ({ db }, options: TargetOptions & { reason: string }) => {
        const target = await readTarget(db, options)
        const reason = options.reason.trim()
        if (reason === '' || reason.length > maxReasonLength)
          throw new OperatorError(`The reason must have 1 to ${maxReasonLength} characters.`)
        const id = await db.transaction().execute((trx) => createStop(trx, 'operator', { target, reason }))
        if (id === undefined)
          throw new OperatorError(`Already stopped. List stops with \`${commandLine('admin stop list')}\`.`)
        return { json: { stop_id: id }, text: `Created stop ${id}. It takes effect within 1 second.` }
      }),
    )

  command(stop, 'list', 'list active stops, including those of suspended accounts').action(
    run(async ({ db }) =>
      table(await listStops(db), [
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

  command(stop, 'end', 'end a stop; pending deliveries resume with a slow start')
    .argument('<id>', 'stop id', wholeNumber)
    .action(
      run(async ({ db }, _options, id: number) => {
        const isDone = await db.transaction().execute((trx) => endStop(trx, 'operator', id))
        return result(
          isDone,
          `Ended stop ${id}.`,
          `Stop ${id} not found. List stops with \`stop list\`. End a suspension with \`account resume\`.`,
        )
      }),
    )
}

async function readTarget(db: Database, { account, hook, host, all }: TargetOptions): Promise<StopTarget> {
  const targets = [hook ?? account, host, all].filter((option) => option !== undefined)
  if (targets.length !== 1)
    throw new OperatorError('Choose one target: --account, --account with --hook, --host, or --all.')
  if (host !== undefined) {
    if (/:(80|443)$/.test(host.trim()))
      throw new OperatorError(
        'Ports 80 and 443 cannot be stopped on their own. Omit the port to stop the whole host.',
      )
    const parsed = parseHost(host)
    if (parsed === undefined)
      throw new OperatorError(
        `"${host}" is not a valid host. Use a form such as example.com or example.com:8443.`,
      )
    return { scope: 'host', host: parsed }
  }
  if (all) return { scope: 'all' }
  if (account === undefined) throw new OperatorError('--hook needs --account.')
  await rejectUnknownAccount(db, account)
  if (hook === undefined) return { scope: 'account', accountId: account }
  await rejectUnknownHook(db, account, hook)
  return { scope: 'hook', accountId: account, hookId: hook }
}
