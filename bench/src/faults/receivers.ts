/**
 * Receivers that record each request and respond 204 after a delay, so that some requests are always in flight. Probes
 * can control the responses of one hook.
 */
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startReceiver } from '../../../dev/receiver.ts'
import type { ReceivedDelivery } from './verify.ts'

export interface Receivers {
  /** Returns the endpoint URL for one hook of an account. */
  url: (accountId: number, hookNumber: number) => string
  received: readonly ReceivedDelivery[]
  /** Number of requests without a response yet. */
  inFlight: () => number
  /** From now on, the caller controls the responses for this hook. */
  respondManually: (hookId: number) => ManualResponder
  /** From now on, this part of the requests of all other hooks gets an error. */
  failRequests: (ratio: number) => void
  close: () => Promise<void>
}

interface ManualResponder {
  /** Waits for the nth request. Returns a function that responds to it. */
  request: (count: number, timeoutMs: number) => Promise<(status: number) => void>
}

/** One response in twenty is slow: at 200 requests per second about 18 are in flight. */
const defaultMs = 40
const slowMs = 1_000
const slowRatio = 0.05

export async function startReceivers(): Promise<Receivers> {
  const received: ReceivedDelivery[] = []
  const manual = new Map<number, ServerResponse[]>()
  let inFlight = 0
  let failRatio = 0
  let responses = 0
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
    const manualResponses = manual.get(hookId)
    if (manualResponses !== undefined) return void manualResponses.push(response)
    inFlight++
    await sleep(Math.random() < slowRatio ? slowMs : defaultMs)
    inFlight--
    // Evenly spread: of each five requests three, for a ratio of 0.6.
    const isFailure = Math.floor(++responses * failRatio) > Math.floor((responses - 1) * failRatio)
    respond(response, isFailure ? 500 : 204)
  })

  return {
    url: (accountId, hookNumber) => receiver.url(`/account-${accountId}/hook-${hookNumber}`),
    received,
    inFlight: () => inFlight,
    respondManually(hookId) {
      const requests: ServerResponse[] = []
      manual.set(hookId, requests)
      return {
        async request(count, timeoutMs) {
          const endsAt = performance.now() + timeoutMs
          for (;;) {
            const response = requests[count - 1]
            if (response !== undefined) return (status) => respond(response, status)
            if (performance.now() > endsAt)
              throw new Error(`hook ${hookId} got ${requests.length} of ${count} requests in ${timeoutMs} ms`)
            await sleep(20)
          }
        },
      }
    },
    failRequests: (ratio) => (failRatio = ratio),
    close: () => receiver.close(),
  }
}

/** Returns the key in the event data. All hooks use the method JSON, so the body contains the data unchanged. */
function keyOf(body: string): string {
  try {
    return String((JSON.parse(body) as { data: { id: unknown } }).data.id)
  } catch {
    return 'unreadable'
  }
}

function respond(response: ServerResponse, status: number): void {
  response.statusCode = status
  response.end()
}
