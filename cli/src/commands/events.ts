import type { Client } from '@hookline/client'
import type { Command } from 'commander'
import { connected } from '../action.ts'
import { CliError, exitCodes } from '../errors.ts'
import { readTime } from '../since.ts'
import { formatTime, paint, printable, printJson, printTable, type Style } from '../output.ts'

interface SearchOptions {
  webhook?: string
  state?: string
  type?: string
  from?: string
  to?: string
  limit: string
  json?: boolean
}

export function addEvents(program: Command): void {
  const events = program.command('events').description('search, show and replay events')
  events
    .command('search [text]')
    .description('search by number, message id, foreign id or event id; newest first')
    .option('--webhook <id>', 'only events of this webhook')
    .option('--state <state>', 'delivered, failed, waiting, held, expired or cancelled')
    .option('--type <type>', 'only this event type')
    .option('--from <time>', 'accepted from this time on, such as 2h or 2026-11-15T09:30')
    .option('--to <time>', 'accepted before this time')
    .option('--limit <count>', 'max events', '50')
    .addHelpText(
      'after',
      '\nExamples:\n  hookline events search +491701234567\n  hookline events search --webhook 12 --state failed --json | jq -r .[].id',
    )
    .action(connected(search))
  events
    .command('show <id>')
    .description('show an event, and why each webhook received it or not')
    .option('--reveal', 'show text and numbers unmasked; the audit log records it')
    .action(connected(show))
  events
    .command('replay <id>')
    .description('send the finished deliveries of an event again')
    .option('--webhook <id>', 'only to this webhook')
    .action(connected(replay))
}

async function search({ client }: { client: Client }, options: SearchOptions, text?: string): Promise<void> {
  const max = Number(options.limit)
  if (!Number.isInteger(max) || max < 1)
    throw new CliError('--limit must be a positive integer.', { exitCode: exitCodes.usage })
  const found: Awaited<ReturnType<typeof page>>['events'] = []
  const page = (cursor: string | undefined) =>
    client.get('/api/events', {
      query: {
        q: text,
        type: options.type,
        ...(options.webhook !== undefined && { hook_id: options.webhook as unknown as number }),
        ...(options.state !== undefined && { state: options.state as 'failed' }),
        from: options.from === undefined ? undefined : readTime(options.from),
        to: options.to === undefined ? undefined : readTime(options.to),
        cursor,
      },
    })
  let cursor: string | undefined
  do {
    const result = await page(cursor)
    found.push(...result.events)
    cursor = result.next ?? undefined
    if (cursor !== undefined && found.length < max && process.stderr.isTTY)
      process.stderr.write(`\r${found.length} found, searching …\x1b[K`)
  } while (cursor !== undefined && found.length < max)
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  printTable(
    found.slice(0, max),
    {
      accepted: (event) => formatTime(event.accepted_at),
      type: ({ type }) => type,
      from: ({ from }) => from,
      to: ({ to }) => to,
      deliveries: ({ deliveries }) =>
        deliveries.map(({ hook_id: id, state }) => `${id}: ${state}`).join(', '),
      id: ({ id }) => id,
    },
    { json: options.json, empty: 'No events match.' },
  )
}

const verdictStyles: Record<string, Style> = { matched: 'green', held: 'yellow' }

async function show(
  { client }: { client: Client },
  { reveal, json }: { reveal?: boolean; json?: boolean },
  id = '',
): Promise<void> {
  const details = await client.get('/api/events/{id}', { path: { id }, query: { reveal } })
  if (json) return printJson(details)
  const { event, hooks } = details
  console.log(
    `${paint('bold', printable(event.type))}  ${printable(event.id)}  accepted ${formatTime(event.accepted_at)}${event.is_test ? paint('magenta', '  test') : ''}`,
  )
  const data = JSON.stringify(event.data)
  console.log(printable(data))
  if (!reveal && data.includes('••'))
    console.error(paint('dim', 'Text and numbers are masked. To see them: --reveal'))
  for (const { hook_id: hookId, webhook, verdict, why, deliveries } of hooks) {
    const name =
      webhook === null
        ? `Webhook ${printable(hookId)}`
        : `${printable(webhook.name ?? webhook.endpoint)} (${printable(hookId)})`
    console.log(`\n${paint('bold', name)}: ${paint(verdictStyles[verdict] ?? 'dim', printable(why.message))}`)
    for (const { message, attempts } of deliveries) {
      for (const attempt of attempts)
        console.log(
          `  ${paint('dim', formatTime(attempt.started_at))} attempt ${printable(attempt.attempt)}: ${printable(attempt.message)}`,
        )
      console.log(`  ${printable(message)}`)
    }
  }
}

async function replay(
  { client }: { client: Client },
  { webhook, json }: { webhook?: string; json?: boolean },
  id = '',
): Promise<void> {
  const selection = { events: [id], ...(webhook !== undefined && { hook_id: webhook as unknown as number }) }
  const { replay: started } = await client.post('/api/replays', { body: { selection } })
  if (started.total === 0)
    throw new CliError('There is nothing to replay: no delivery of the event has finished.', {
      exitCode: exitCodes.rejected,
      hint: `See its deliveries: hookline events show ${id}`,
    })
  if (json) return printJson(started)
  console.log(
    `${paint('green', '✓')} Replay ${printable(started.id)} started: ${started.total === 1 ? '1 delivery' : `${printable(started.total)} deliveries`}.`,
  )
  console.log(paint('dim', `  See the result: hookline events show ${id}`))
}
