/**
 * Hands accepted events to whichever worker has room, without waiting. What cannot be published is not lost and needs no
 * second try: the inbox source takes it two seconds later.
 */
import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node'
import type { Event } from '../model/event.ts'
import { encodeEvents, ensureStream, streamNames } from './fresh-events.ts'
import type { Nats } from './nats.ts'

export interface FreshPublisher {
  publish: (events: readonly Event[]) => void
}

/** A server that does not answer must not fill this process: so many messages may be on their way. */
const mostUnanswered = 5_000

export function createFreshPublisher(
  nats: Nats,
  installation: string,
  onError: (error: unknown) => void,
): FreshPublisher {
  const { subject } = streamNames(installation)
  // One inbox for all answers: with a subscription of its own, a message costs many times as much.
  const answersTo = createInbox()
  let unanswered = 0
  let isEnsuring = false

  async function listen(): Promise<void> {
    const connection = await nats.first
    connection.subscribe(answersTo, { callback: (_error, answer) => hear(connection, answer) })
    await ensure(connection)
    // Answers to what was sent before a cut never come.
    for await (const { type } of connection.status()) if (type === 'reconnect') unanswered = 0
  }

  function hear(connection: NatsConnection, answer: Msg): void {
    unanswered = Math.max(0, unanswered - 1)
    // No responders, or an error: there is no such stream (any more).
    if (answer.headers !== undefined || answer.string().startsWith('{"error"')) void ensure(connection)
  }

  async function ensure(connection: NatsConnection): Promise<void> {
    if (isEnsuring) return
    isEnsuring = true
    await ensureStream(connection, installation).catch(onError)
    isEnsuring = false
  }

  void listen()
  return {
    publish(events) {
      const connection = nats.live()
      if (connection === undefined || events.length === 0) return
      for (const message of encodeEvents(events)) {
        if (unanswered >= mostUnanswered) return
        unanswered++
        connection.publish(subject, message, { reply: answersTo })
      }
    },
  }
}
