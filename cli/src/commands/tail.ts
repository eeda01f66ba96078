import type { Command } from 'commander'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client, streamEvents } from '@hookline/client'
import { connected } from '../action.ts'
import { readSince } from '../since.ts'
import { formatTime, paint, printable, toJson, type Style } from '../output.ts'

export function addTail(program: Command): void {
  program
    .command('tail')
    .description('print events and deliveries of the account as they happen')
    .option('--type <type>', 'only events of this type')
    .option('--since <time>', 'start earlier: 30m, 2h, 3d or a time', 'now')
    .action(connected(tail))
}

const retryMs = 2_000

async function tail(
  { client }: { client: Client },
  { type, since, json }: { type?: string; since: string; json?: boolean },
): Promise<void> {
  let from = readSince(since).replace('newest', 'now')
  console.error(paint('dim', 'Waiting for events, Ctrl+C to stop.'))
  for (;;)
    try {
      for await (const { id, event, data } of streamEvents(client, { from, type })) {
        if (id !== undefined) from = id
        if (json) console.log(toJson({ message: event, ...data }))
        else printMessage(event, data)
      }
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 0 && error.status < 500)) throw error
      console.error(paint('yellow', `${printable(error.message)} Reconnecting …`))
      await sleep(retryMs)
    }
}

const stateStyles: Record<string, Style> = { delivered: 'green', failed: 'red', expired: 'red' }

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? printable(String(value)) : ''
}

function printMessage(event: string, data: Record<string, unknown>): void {
  // Messages about deliveries and attempts have no time.
  const time = paint('dim', formatTime(text(data.accepted_at) || new Date()))
  if (event === 'event')
    console.log(
      `${time}  ${paint('bold', text(data.type).padEnd(12))} ${text(data.from)} → ${text(data.to)}  ${paint('dim', text(data.id))}`,
    )
  else if (event === 'delivery')
    console.log(
      `${time}  ${paint(stateStyles[text(data.state)] ?? 'dim', text(data.state).padEnd(12))} webhook ${text(data.hook_id)}, ${text(data.attempts)} attempts  ${paint('dim', text(data.event_id))}`,
    )
  else if (event === 'attempt')
    console.log(
      `${time}  ${paint('yellow', 'attempt'.padEnd(12))} webhook ${text(data.hook_id)}: ${text(data.reason)} ${text(data.status)}  ${paint('dim', text(data.event_id))}`,
    )
}
