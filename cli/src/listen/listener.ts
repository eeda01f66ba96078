/**
 * A listener: a consumer of this machine whose events are forwarded to a local receiver, one after the other. An event
 * counts as handled when the receiver has responded, with any status. While nothing listens there, the listener waits.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiError, type Client, consume, type ConsumedEvent, type ResponseBody } from '@hookline/client'
import type { Format } from '../format.ts'
import { CliError } from '../errors.ts'
import type { Consumer } from './describe.ts'
import { type Forwarded, type ForwardedRequest, forward } from './forward.ts'

export interface ListenerEvents {
  onConnected: () => void
  onRetry: (error: ApiError, delayMs: number) => void
  onPruned: (pruned: { from: string; to: string; events: number | null }) => void
  /** The target does not respond. Called once per event. */
  onTargetDown: (error: string) => void
  /** `sign` returns the request again, with a new signature. */
  onForwarded: (event: ConsumedEvent, result: Forwarded, sign: Sign) => void
}

export type Sign = () => Promise<ForwardedRequest>

interface Listener {
  client: Client
  consumer: Pick<Consumer, 'id' | 'cursor'>
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

/** What is needed to read an event once more. */
interface Reading {
  lease: string | undefined
  /** When the requests at hand were signed, by the clock of this machine, which may differ from that of the service. */
  signedAt: number
  /** The position before the current event. */
  cursor: string
}

export async function listen(listener: Listener, events: ListenerEvents): Promise<void> {
  const reading: Reading = { lease: undefined, signedAt: Date.now(), cursor: listener.consumer.cursor }
  const client = observeLease(listener.client, reading)
  while (!listener.signal.aborted) await forwardAll({ ...listener, client }, events, reading)
}

const pollPath = '/api/consumers/{id}/poll'

/** Keeps the lease that the reader gets, because only its holder can poll. */
function observeLease(client: Client, reading: Reading): Client {
  const post = (async (...call: Parameters<Client['post']>) => {
    const body = await client.post(...call)
    if (call[0] === pollPath) Object.assign(reading, { lease: (body as Polled).lease, signedAt: Date.now() })
    return body
  }) as Client['post']
  return Object.create(client, { post: { value: post } }) as Client
}

type Polled = ResponseBody<'post', typeof pollPath>

const maxReadAgain = 20

/** Reads the event after a position again. The service builds and signs its request anew. */
async function signAgain(
  { client, consumer, target, requestMethod }: Listener,
  { id }: ConsumedEvent,
  after: string,
  lease: string | undefined,
): Promise<ForwardedRequest> {
  const { events } = await client.post(pollPath, {
    path: { id: consumer.id },
    body: { lease, after, limit: maxReadAgain, target_url: target.href, request_method: requestMethod },
  })
  const request = events.find((event) => event.id === id)?.request
  if (request == null) throw new CliError('the service no longer has this event')
  checkRequest(request, target)
  return request
}

/** Headers that decide where a request goes or where it ends. */
const framing = /^(host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer)$/i

/** The service chooses what the target gets, but not another host, another page or a second request. */
function checkRequest({ url, method, headers, body }: ForwardedRequest, target: URL): void {
  const { origin, pathname } = URL.parse(url) ?? {}
  if (origin !== target.origin || pathname !== target.pathname)
    throw new CliError(`The service sent a request for another URL than ${target.href}.`)
  const isOther = method === 'GET' ? body !== '' : method !== 'POST'
  if (isOther || headers.some(({ name }) => framing.test(name)))
    throw new CliError('The service sent a request that no webhook has.')
}

/** Ends when the signatures of the events at hand are too old. */
async function forwardAll(listener: Listener, events: ListenerEvents, reading: Reading): Promise<void> {
  const { client, consumer, target, requestMethod, since, signal } = listener
  const options = { consumerId: consumer.id, signal, targetUrl: target.href, requestMethod }
  for await (const event of consume(client, { ...options, ...events })) {
    const before = reading.cursor
    reading.cursor = event.cursor
    if (since !== undefined && new Date(event.accepted_at) < since) continue
    if (event.request !== null) checkRequest(event.request, target)
    const result = await forwardWhenUp(event, events, { signal, signedAt: reading.signedAt })
    if (result === undefined) {
      // Not handled: it is read again.
      reading.cursor = before
      return
    }
    events.onForwarded(event, result, () => signAgain(listener, event, before, reading.lease))
  }
}

/** Returns undefined if the listener was stopped, or the signature is too old. */
async function forwardWhenUp(
  { request, reason }: ConsumedEvent,
  { onTargetDown }: ListenerEvents,
  { signal, signedAt }: { signal: AbortSignal; signedAt: number },
): Promise<Forwarded | undefined> {
  if (request === null) return { error: `too large for the format: ${reason}`, isDown: false, ms: 0 }
  let failures = 0
  let isReported = false
  while (!signal.aborted && Date.now() - signedAt < maxSignatureMs) {
    const result = await forward(request)
    if (result.status !== undefined) return result
    if (!result.isDown && ++failures === maxTries) return result
    if (!isReported) onTargetDown(result.error)
    isReported = true
    await sleep(targetRetryMs, undefined, { signal }).catch(() => {})
  }
  return undefined
}
