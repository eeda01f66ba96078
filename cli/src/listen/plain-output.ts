/** Prints a line per event: for people, or as JSON. Messages about the listener itself go to stderr. */
import { formatTime, paint, printable, toJson } from '../output.ts'
import type { ListenerEvents } from './listener.ts'
import {
  describeDown,
  describeEnd,
  describeResult,
  describeRetry,
  type Intro,
  introLines,
} from './describe.ts'

export function createPlainOutput(intro: Intro, json: boolean): ListenerEvents & { close: () => void } {
  for (const line of introLines(intro)) console.error(line)
  let isConnected = false
  let forwarded = 0
  return {
    onConnected() {
      console.error(
        paint('dim', isConnected ? 'Connected again.' : 'Ready. Waiting for events, Ctrl+C to stop.'),
      )
      isConnected = true
    },
    onRetry: (error, delayMs) => console.error(paint('yellow', describeRetry(error, delayMs))),
    onPruned: ({ from, to, events }) =>
      console.error(
        paint(
          'yellow',
          printable(
            `Retention deleted ${events ?? 'some'} events between ${from} and ${to} before they were read.`,
          ),
        ),
      ),
    onTargetDown: (error) => console.error(paint('yellow', describeDown(intro, error))),
    onForwarded(event, result) {
      forwarded++
      if (json)
        return console.log(
          toJson({
            event_id: event.id,
            type: event.type,
            accepted_at: event.accepted_at,
            is_test: event.is_test,
            cursor: event.cursor,
            status: result.status ?? null,
            error: result.error ?? null,
            duration_ms: result.ms,
          }),
        )
      const test = event.is_test ? paint('magenta', ' test') : ''
      console.log(
        `${paint('dim', formatTime(event.accepted_at))}  ${printable(event.type).padEnd(12)}${test}  ${describeResult(result)}  ${paint('dim', printable(event.id))}`,
      )
    },
    close: () => console.error(paint('dim', describeEnd(intro, forwarded))),
  }
}
