/**
 * The receivers: each request is written down when it has come in, and answered with 204 after a while, so that at any
 * moment some are in flight. Probes can take over the answers of one hook.
 */
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startReceiver } from '../../../dev/receiver.ts'
import type { ReceivedDelivery } from './judge.ts'

export interface Receivers {
  /** The address for one hook of an account. */
  url: (accountId: number, place: number) => string
  received: readonly ReceivedDelivery[]
  /** Received and not answered yet. */
  inFlight: () => number
  /** From now on requests of this hook are answered by hand. */
  takeOver: (hookId: number) => HeldRequests
  close: () => Promise<void>
}

interface HeldRequests {
  /** Waits for the nth request and answers how to answer it. */
  request: (count: number, withinMs: number) => Promise<(status: number) => void>
}

/** Usually quick, one in twenty slow: at 200 a second about 18 are in flight. */
const usualMs = 40
const slowMs = 1_000
const slowShare = 0.05

export async function startReceivers(): Promise<Receivers> {
  const received: ReceivedDelivery[] = []
  const held = new Map<number, ServerResponse[]>()
  let inFlight = 0
  const receiver = await startReceiver(async (request, response) => {
    const hookId = Number(request.headers['x-hookline-hook'])
    received.push({
      eventId: String(request.headers['webhook-id']),
      hookId,
      attempt: Number(request.headers['x-hookline-attempt']),
      key: keyOf(request.body),
      digest: createHash('sha256').update(request.body).digest('hex'),
      at: request.at,
    })
    const byHand = held.get(hookId)
    if (byHand !== undefined) return void byHand.push(response)
    inFlight++
    await sleep(Math.random() < slowShare ? slowMs : usualMs)
    inFlight--
    answer(response, 204)
  })

  return {
    url: (accountId, place) => receiver.url(`/account-${accountId}/hook-${place}`),
    received,
    inFlight: () => inFlight,
    takeOver(hookId) {
      const requests: ServerResponse[] = []
      held.set(hookId, requests)
      return {
        async request(count, withinMs) {
          const endsAt = performance.now() + withinMs
          for (;;) {
            const response = requests[count - 1]
            if (response !== undefined) return (status) => answer(response, status)
            if (performance.now() > endsAt)
              throw new Error(`hook ${hookId} got ${requests.length} of ${count} requests in ${withinMs} ms`)
            await sleep(20)
          }
        },
      }
    },
    close: () => receiver.close(),
  }
}

/** Hooks of the round have the method JSON, so the event's data are in the body as they were handed in. */
function keyOf(body: string): string {
  try {
    return String((JSON.parse(body) as { data: { id: unknown } }).data.id)
  } catch {
    return 'unreadable'
  }
}

function answer(response: ServerResponse, status: number): void {
  response.statusCode = status
  response.end()
}
