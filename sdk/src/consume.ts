/**
 * Reads the events of a consumer as an async iterator: at least once, in commit order. An event is handled when the loop
 * asks for the next one. What was handled is committed about once per second, before each poll, and at the end.
 */
import type { Client, ResponseBody } from './client.ts'
import { ApiError } from './errors.ts'
import { isTemporary, retryDelayMs, sleep } from './retry.ts'

type Polled = ResponseBody<'post', '/api/consumers/{id}/poll'>

export type ConsumedEvent = Polled['events'][number]

export interface ConsumeOptions {
  consumerId: number
  /** Ends the iteration after the current event. */
  signal?: AbortSignal | undefined
  /** Builds and signs the requests for this URL. */
  targetUrl?: string | undefined
  /** Builds the requests in this format. */
  requestMethod?: 'POST' | 'GET' | 'JSON' | undefined
  /** Longer than an event takes to be handled. If it is exceeded, another reader can take over. */
  leaseSeconds?: number | undefined
  /** Retention deleted events before they were read. */
  onPruned?: ((pruned: NonNullable<Polled['pruned']>) => void) | undefined
  /** The service cannot be reached or another reader is active. The next try is after this time. */
  onRetry?: ((error: ApiError, delayMs: number) => void) | undefined
  /** A poll has succeeded: at first, and after retries. */
  onConnected?: (() => void) | undefined
}

const waitSeconds = 20
const responseTimeoutMs = 35_000
/** For calls that nothing waits for longer than this. */
const shortly = { timeoutMs: 8_000, maxRetries: 0 }
const commitEveryMs = 1_000
const maxRetryMs = 15_000
const leaseLost = 1112
const inUse = 1109

export async function* consume(
  client: Client,
  { consumerId, signal, ...options }: ConsumeOptions,
): AsyncGenerator<ConsumedEvent, void, undefined> {
  const path = { id: consumerId }
  let lease: string | undefined
  /** Of the last handled event, until it is committed. */
  let handled: string | undefined
  let retries = 0
  let isConnected = false

  async function commit(): Promise<void> {
    if (lease === undefined || handled === undefined) return
    const cursor = handled
    await client.post('/api/consumers/{id}/commit', { path, body: { lease, cursor }, ...shortly })
    if (handled === cursor) handled = undefined
  }

  async function poll(): Promise<Polled> {
    const body = {
      lease,
      // The first poll does not wait, to report a connection at once.
      wait: isConnected ? waitSeconds : 0,
      target_url: options.targetUrl,
      request_method: options.requestMethod,
      lease_seconds: options.leaseSeconds,
    }
    // A lost connection would otherwise keep the call waiting, as when the machine slept.
    const limits = { timeoutMs: responseTimeoutMs, maxRetries: 0 }
    return client.post('/api/consumers/{id}/poll', { path, body, signal, ...limits })
  }

  async function wait(error: ApiError): Promise<void> {
    const delayMs = Math.min(maxRetryMs, retryDelayMs(error, retries++))
    isConnected = false
    options.onRetry?.(error, delayMs)
    await sleep(delayMs, signal)
  }

  try {
    while (!isAborted(signal)) {
      let polled: Polled
      try {
        await commit()
        polled = await poll()
      } catch (error) {
        if (isAborted(signal)) return
        if (!(error instanceof ApiError)) throw error
        if (error.code === leaseLost) {
          // The next poll starts from the committed position, or waits for the other reader.
          lease = handled = undefined
          continue
        }
        if (!isTemporary(error) && error.code !== inUse) throw error
        await wait(error)
        continue
      }
      lease = polled.lease
      retries = 0
      if (!isConnected) options.onConnected?.()
      isConnected = true
      if (polled.pruned !== null) options.onPruned?.(polled.pruned)
      let committedAt = Date.now()
      for (const event of polled.events) {
        if (isAborted(signal)) return
        yield event
        handled = event.cursor
        if (Date.now() - committedAt < commitEveryMs) continue
        committedAt = Date.now()
        // Another error comes again with the commit before the next poll.
        if (!(await commit().then(() => false, isLeaseLost))) continue
        lease = handled = undefined
        break
      }
      if (lease !== undefined) handled = polled.cursor
    }
  } finally {
    await commit().catch(() => {})
    if (lease !== undefined)
      await client.post('/api/consumers/{id}/release', { path, body: { lease }, ...shortly }).catch(() => {})
  }
}

function isLeaseLost(error: unknown): boolean {
  return error instanceof ApiError && error.code === leaseLost
}

/** A function, because the compiler assumes that a property does not change between two reads. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}
