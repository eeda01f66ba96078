/** Texts of a listener that its two outputs share. */
import type { ApiError, ResponseBody } from '@hookline/client'
import { formatTime, paint, printable, type Style } from '../output.ts'
import type { Forwarded } from './forward.ts'

export type Consumer = ResponseBody<'get', '/api/consumers'>['consumers'][number]

export interface Intro {
  url: string
  target: URL
  consumer: Consumer
  /** The secret for the receiver, if it is that of the listener. */
  secret: string | undefined
  /** Whether the target accepted a connection. */
  isUp: boolean
  /** Whether it starts where it stopped, because no time was named. */
  isContinued: boolean
  /** What to run next. */
  commands: { listen: string; trigger: string }
}

const newMs = 10_000

/** The lines at the start. */
export function introLines({ url, target, consumer, secret, isUp, isContinued }: Intro): string[] {
  const what =
    consumer.hook_id === null
      ? describeSelection(consumer)
      : `the events of webhook ${printable(consumer.hook_id)}`
  const isLate = isContinued && Date.now() - Date.parse(consumer.position_at) > newMs
  return [
    `Forwarding ${what} from ${new URL(url).host} to ${paint('bold', target.href)}`,
    ...(secret === undefined ? [] : [`Signing secret: ${paint('bold', printable(secret))}`]),
    ...(consumer.hook_id === null
      ? []
      : [paint('dim', `Signed with the secret of webhook ${printable(consumer.hook_id)}.`)]),
    ...(isLate
      ? [
          paint(
            'dim',
            `Continuing from ${formatTime(consumer.position_at)}. Use --since now to skip what was missed.`,
          ),
        ]
      : []),
    ...(isUp
      ? []
      : [paint('yellow', `${target.host} does not respond yet. Events wait until your server runs.`)]),
  ]
}

function describeSelection({ event_type: type, chosen, event_filter: filter }: Consumer): string {
  if (chosen !== null) return printable(`events of type ${chosen.event_types.join(', ')}`)
  const types = type === 'all' ? 'all events' : `events of type ${printable(type)}`
  return filter === null ? types : `${types} that match ${printable(filter)}`
}

export function describeResult(result: Forwarded): string {
  if (result.error !== undefined) return paint('red', printable(result.error))
  return `${paint(statusStyle(result.status), String(result.status))} in ${result.ms} ms`
}

function statusStyle(status: number): Style {
  return status < 300 ? 'green' : status < 500 ? 'yellow' : 'red'
}

const inUse = 1109

/** At the end. */
export function describeEnd({ commands }: Intro, forwarded: number): string {
  return `${forwarded === 1 ? '1 event' : `${forwarded} events`} forwarded. To continue: ${commands.listen}`
}

/** Why the listener waits before its next try. */
export function describeRetry({ message, code }: ApiError, delayMs: number): string {
  const reason =
    code === inUse
      ? 'Another listener with this name is active. For a second one: --name <name>.'
      : printable(message)
  return `${reason} Next try in ${Math.ceil(delayMs / 1_000)} s.`
}

export function describeDown({ target }: Intro, error: string): string {
  return `${target.host} does not respond: ${printable(error)}. Events wait until it does.`
}
