/**
 * A listener: a consumer of this machine whose events are forwarded to a local receiver, one after the other. An event
 * counts as handled when the receiver has responded, with any status. While nothing listens there, the listener waits.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiError, type Client, consume, type ConsumedEvent } from '@hookline/sdk'
import type { Format } from '../format.ts'
import { type Forwarded, forward } from './forward.ts'

export interface ListenerEvents {
  onConnected: () => void
  onRetry: (error: ApiError, delayMs: number) => void
  onPruned: (pruned: { from: string; to: string; events: number | null }) => void
  /** Nothing listens at the target. Called once per event. */
  onTargetDown: () => void
  onForwarded: (event: ConsumedEvent, result: Forwarded) => void
}

interface Listener {
  client: Client
  consumerId: number
  target: URL
  requestMethod: Format | undefined
  /** Events that were accepted earlier are skipped. A position by time can be a few minutes too early. */
  since: Date | undefined
  signal: AbortSignal
}

const targetRetryMs = 1_000

export async function listen(
  { client, consumerId, target, requestMethod, since, signal }: Listener,
  events: ListenerEvents,
): Promise<void> {
  const options = { consumerId, signal, targetUrl: target.href, requestMethod }
  for await (const event of consume(client, { ...options, ...events })) {
    if (since !== undefined && new Date(event.accepted_at) < since) continue
    const result = await forwardWhenUp(event, events, signal)
    // Stopped before the event was handled: it is read again.
    if (result === undefined) return
    events.onForwarded(event, result)
  }
}

async function forwardWhenUp(
  { request, reason }: ConsumedEvent,
  { onTargetDown }: ListenerEvents,
  signal: AbortSignal,
): Promise<Forwarded | undefined> {
  if (request === null) return { error: `too large for the format: ${reason}`, isRefused: false, ms: 0 }
  for (let tries = 1; !signal.aborted; tries++) {
    const result = await forward(request)
    if (!('isRefused' in result) || !result.isRefused) return result
    if (tries === 1) onTargetDown()
    await sleep(targetRetryMs, undefined, { signal }).catch(() => {})
  }
  return undefined
}
