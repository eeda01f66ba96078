/**
 * Takes fresh events out of the stream: asks for as many messages as there is room for and keeps what comes until it is
 * wanted. Written against the protocol, not the client's `consume()`: that one was seen not to go on after a restart of
 * the server, and here every question ends within a second, so the next one starts anew whatever happened.
 */
import { createInbox, type Msg, nanos, type Subscription } from '@nats-io/transport-node'
import type { Event } from '../model/event.ts'
import { consumerName, decodeEvents, mostEventsAMessage, streamNames } from './fresh-events.ts'
import { keepStream } from './keep-stream.ts'
import type { Nats } from './nats.ts'

export interface PulledMessage {
  events: Event[]
  /** Where to acknowledge it. */
  acknowledgeAt: string
}

export interface FreshPuller {
  /** Messages with about so many events; waits for the first of them for at most a second. */
  pull: (mostEvents: number, signal: AbortSignal) => Promise<PulledMessage[]>
  acknowledge: (at: string) => void
  /** Whether stream and consumer are there, as far as is known. */
  isReady: () => boolean
  /** Looks whether stream and consumer are there before it asks again. */
  renew: () => void
  /** Asks for nothing more; what had come and was not pulled. */
  close: () => PulledMessage[]
}

const waitMs = 1_000

export function createFreshPuller(
  nats: Nats,
  installation: string,
  onError: (error: unknown) => void,
): FreshPuller {
  const { stream } = streamNames(installation)
  const nextSubject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumerName}`
  const answersTo = createInbox()
  let arrived: PulledMessage[] = []
  let wake: (() => void) | undefined
  let subscription: Subscription | undefined
  const keeper = keepStream(nats, installation, onError)
  /** Messages that were asked for and have not come. */
  let expected = 0

  async function listen(): Promise<void> {
    const connection = await nats.first
    subscription = connection.subscribe(answersTo, { callback: (_error, message) => hear(message) })
  }

  function hear(message: Msg): void {
    if (message.reply !== undefined && message.reply !== '') {
      expected = Math.max(0, expected - 1)
      arrived.push({ events: decodeEvents(message.string()), acknowledgeAt: message.reply })
    } else {
      // A status ends the question. 408 is its end by time; anything else says that stream or consumer are not there.
      expected = 0
      if (message.headers?.code !== 408) keeper.doubt()
    }
    wake?.()
  }

  /** Resolves with the next arrival, the end of the time, or a stop. */
  function whenHeard(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(() => {
        // The server should have ended the question by now: it is not known any more.
        expected = 0
        keeper.doubt()
        done()
      }, waitMs + 500)
      signal.addEventListener('abort', done)
      wake = done
    })
  }

  void listen()
  return {
    async pull(mostEvents, signal) {
      const connection = nats.live()
      if (arrived.length === 0 && connection !== undefined && !signal.aborted) {
        if (!(await keeper.ensure())) return []
        if (expected === 0) {
          expected = Math.max(1, Math.floor(mostEvents / mostEventsAMessage))
          const question = JSON.stringify({ batch: expected, expires: nanos(waitMs) })
          connection.publish(nextSubject, question, { reply: answersTo })
        }
        if (arrived.length === 0 && !signal.aborted) await whenHeard(signal)
      }
      let events = 0
      const until = arrived.findIndex((message) => (events += message.events.length) >= mostEvents)
      return arrived.splice(0, until === -1 ? arrived.length : until + 1)
    },
    acknowledge(at) {
      nats.live()?.publish(at, '+ACK')
    },
    isReady: keeper.isThere,
    renew: keeper.doubt,
    close() {
      subscription?.unsubscribe()
      return arrived.splice(0)
    },
  }
}
