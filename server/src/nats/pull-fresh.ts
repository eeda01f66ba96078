/**
 * Pulls fresh events from the stream: requests as many messages as needed and buffers them until they are pulled.
 * Uses the protocol directly, not the client's `consume()`: that one was observed not to continue after a server
 * restart. Here every request ends within a second, so the next one starts afresh.
 */
import { createInbox, type Msg, nanos, type Subscription } from '@nats-io/transport-node'
import type { Event } from '../model/event.ts'
import { consumerName, decodeEvents, maxEventsPerMessage, streamNames } from './fresh-events.ts'
import { monitorStream } from './stream-monitor.ts'
import type { Nats } from './nats.ts'

export interface PulledMessage {
  events: Event[]
  /** Subject for the acknowledgment. */
  acknowledgeAt: string
}

export interface FreshPuller {
  /** Returns messages with about `maxEvents` events. Waits at most a second for the first. */
  pull: (maxEvents: number, signal: AbortSignal) => Promise<PulledMessage[]>
  acknowledge: (at: string) => void
  /** Whether stream and consumer exist, as far as known. */
  isReady: () => boolean
  /** Checks that stream and consumer exist before the next request. */
  renew: () => void
  /** Stops requesting. Returns messages that were received and not pulled. */
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
  const replyTo = createInbox()
  let buffered: PulledMessage[] = []
  let wake: (() => void) | undefined
  let subscription: Subscription | undefined
  const monitor = monitorStream(nats, installation, onError)
  /** Messages that were requested and have not arrived. */
  let expected = 0

  async function subscribe(): Promise<void> {
    const connection = await nats.first
    subscription = connection.subscribe(replyTo, { callback: (_error, message) => onMessage(message) })
  }

  function onMessage(message: Msg): void {
    if (message.reply !== undefined && message.reply !== '') {
      expected = Math.max(0, expected - 1)
      buffered.push({
        events: decodeEvents(message.string(), message.headers),
        acknowledgeAt: message.reply,
      })
    } else {
      // A status ends the request. 408 is its timeout; any other means that stream or consumer are missing.
      expected = 0
      if (message.headers?.code !== 408) monitor.invalidate()
    }
    wake?.()
  }

  /** Resolves on the next message, on timeout, or when stopped. */
  function nextMessage(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(() => {
        // The server should have ended the request by now, so its state is unknown.
        expected = 0
        monitor.invalidate()
        done()
      }, waitMs + 500)
      signal.addEventListener('abort', done)
      wake = done
    })
  }

  void subscribe()
  return {
    async pull(maxEvents, signal) {
      const connection = nats.live()
      if (buffered.length === 0 && connection !== undefined && !signal.aborted) {
        if (!(await monitor.ensure())) return []
        if (expected === 0) {
          expected = Math.max(1, Math.floor(maxEvents / maxEventsPerMessage))
          const request = JSON.stringify({ batch: expected, expires: nanos(waitMs) })
          connection.publish(nextSubject, request, { reply: replyTo })
        }
        if (buffered.length === 0 && !signal.aborted) await nextMessage(signal)
      }
      let events = 0
      const until = buffered.findIndex((message) => (events += message.events.length) >= maxEvents)
      return buffered.splice(0, until === -1 ? buffered.length : until + 1)
    },
    acknowledge(at) {
      nats.live()?.publish(at, '+ACK')
    },
    isReady: monitor.isPresent,
    renew: monitor.invalidate,
    close() {
      subscription?.unsubscribe()
      return buffered.splice(0)
    },
  }
}
