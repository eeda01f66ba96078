/**
 * Hands accepted events to whichever worker has room, without waiting. What cannot be published is not lost and needs no
 * second try: the inbox source takes it two seconds later.
 */
import { createInbox, type Msg } from '@nats-io/transport-node'
import type { Event } from '../model/event.ts'
import { encodeEvents, streamNames } from './fresh-events.ts'
import { keepStream } from './keep-stream.ts'
import type { Nats } from './nats.ts'

export interface FreshPublisher {
  publish: (events: readonly Event[]) => void
}

/** A server that does not answer must not fill this process: so many messages may be on their way. */
const mostUnanswered = 5_000

/** Answers that have not come in this time never will: a stream without a leader, or one that is not there. */
const answerMs = 5_000

export function createFreshPublisher(
  nats: Nats,
  installation: string,
  onError: (error: unknown) => void,
): FreshPublisher {
  const { subject } = streamNames(installation)
  const keeper = keepStream(nats, installation, onError)
  // One inbox for all answers: with a subscription of its own, a message costs many times as much.
  const answersTo = createInbox()
  let unanswered = 0
  let answeredAt = performance.now()

  async function listen(): Promise<void> {
    const connection = await nats.first
    connection.subscribe(answersTo, { callback: (_error, answer) => hear(answer) })
    await keeper.ensure()
    // Answers to what was sent before a cut never come.
    for await (const { type } of connection.status()) if (type === 'reconnect') unanswered = 0
  }

  function hear(answer: Msg): void {
    unanswered = Math.max(0, unanswered - 1)
    answeredAt = performance.now()
    // No responders, or an error: there is no such stream (any more).
    if (answer.headers !== undefined || answer.string().startsWith('{"error"')) renew()
  }

  function renew(): void {
    keeper.doubt()
    void keeper.ensure()
  }

  /** Whether one more may be on its way. */
  function hasRoom(): boolean {
    if (unanswered === 0) answeredAt = performance.now()
    if (performance.now() - answeredAt > answerMs) {
      unanswered = 0
      answeredAt = performance.now()
      renew()
    }
    return unanswered < mostUnanswered
  }

  void listen()
  return {
    publish(events) {
      const connection = nats.live()
      if (connection === undefined || events.length === 0) return
      const mostBytes = connection.info?.max_payload ?? 0
      for (const text of encodeEvents(events)) {
        if (!hasRoom()) return
        const message = Buffer.from(text)
        if (message.length > mostBytes) continue
        unanswered++
        connection.publish(subject, message, { reply: answersTo })
      }
    },
  }
}
