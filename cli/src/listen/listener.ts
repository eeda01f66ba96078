/**
 * A listener: a consumer of this machine whose events are forwarded to a local receiver, one after the other. An event
 * counts as handled when the receiver has responded, with any status. While nothing listens there, the listener waits.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiError, type Client, consume, type ConsumedEvent } from '@hookline/client'
import type { Format } from '../format.ts'
import { CliError } from '../errors.ts'
import { type Forwarded, type ForwardedRequest, forward } from './forward.ts'

export interface ListenerEvents {
  onConnected: () => void
  onRetry: (error: ApiError, delayMs: number) => void
  onPruned: (pruned: { from: string; to: string; events: number | null }) => void
  /** The target does not respond. Called once per event. */
  onTargetDown: (error: string) => void
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
/** An event that the receiver does not respond to, for another reason than being down, is given up after this. */
const maxTries = 4
/** Receivers accept signatures for five minutes. An event that waited longer is requested again, with a new one. */
const maxSignatureMs = 4 * 60_000

export async function listen(listener: Listener, events: ListenerEvents): Promise<void> {
  while (!listener.signal.aborted) await forwardAll(listener, events)
}

/** Ends when the signatures of the events at hand are too old. */
async function forwardAll(
  { client, consumerId, target, requestMethod, since, signal }: Listener,
  events: ListenerEvents,
): Promise<void> {
  const options = { consumerId, signal, targetUrl: target.href, requestMethod }
  for await (const event of consume(client, { ...options, ...events })) {
    if (since !== undefined && new Date(event.accepted_at) < since) continue
    if (event.request !== null && new URL(event.request.url).origin !== target.origin)
      throw new CliError(`The service sent a request for another host than ${target.host}.`)
    const result = await forwardWhenUp(event, events, signal)
    // Not handled: it is read again.
    if (result === undefined) return
    events.onForwarded(event, result)
  }
}

/** Returns undefined if the listener was stopped, or the signature is too old. */
async function forwardWhenUp(
  { request, reason }: ConsumedEvent,
  { onTargetDown }: ListenerEvents,
  signal: AbortSignal,
): Promise<Forwarded | undefined> {
  if (request === null) return { error: `too large for the format: ${reason}`, isDown: false, ms: 0 }
  let failures = 0
  let isReported = false
  while (!signal.aborted && !isTooOld(request)) {
    const result = await forward(request)
    if (result.status !== undefined) return result
    if (!result.isDown && ++failures === maxTries) return result
    if (!isReported) onTargetDown(result.error)
    isReported = true
    await sleep(targetRetryMs, undefined, { signal }).catch(() => {})
  }
  return undefined
}

function isTooOld({ headers }: ForwardedRequest): boolean {
  const timestamp = headers.find(({ name }) => name === 'webhook-timestamp')?.value
  return Date.now() - Number(timestamp) * 1_000 > maxSignatureMs
}
