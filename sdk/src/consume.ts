/**
 * Reads the events of a consumer as an async iterator: at least once, in commit order. An event is handled when the loop
 * asks for the next one. What was handled is committed about once per second, before each poll, and at the end.
 */
import { ApiError, type Client, type ResponseBody } from './client.ts'

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
const callTimeoutMs = 8_000
const commitEveryMs = 1_000
const minRetryMs = 500
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
    await client.post('/api/consumers/{id}/commit', { path, body: { lease, cursor }, signal: shortly() })
    if (handled === cursor) handled = undefined
  }

  /** A connection that was lost while the machine slept would keep a call waiting. */
  async function poll(): Promise<Polled> {
    const timeout = AbortSignal.timeout(responseTimeoutMs)
    const body = {
      lease,
      // The first poll does not wait, to report a connection at once.
      wait: isConnected ? waitSeconds : 0,
      target_url: options.targetUrl,
      request_method: options.requestMethod,
      lease_seconds: options.leaseSeconds,
    }
    const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal])
    try {
      return await client.post('/api/consumers/{id}/poll', { path, body, signal: either })
    } catch (error) {
      if (!timeout.aborted || isAborted(signal)) throw error
      throw new ApiError('The service did not respond in time.', { status: 0 })
    }
  }

  async function wait(error: ApiError): Promise<void> {
    const backoffMs = Math.min(maxRetryMs, minRetryMs * 2 ** retries++) * (0.5 + Math.random() / 2)
    const delayMs = Math.min(maxRetryMs, Math.max((error.retryAfterSeconds ?? 0) * 1_000, backoffMs))
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
        if (isTimeout(error)) {
          await wait(new ApiError('The service did not respond in time.', { status: 0 }))
          continue
        }
        if (!(error instanceof ApiError)) throw error
        if (error.code === leaseLost) {
          // The next poll starts from the committed position, or waits for the other reader.
          lease = handled = undefined
          continue
        }
        if (!isTemporary(error)) throw error
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
      await client
        .post('/api/consumers/{id}/release', { path, body: { lease }, signal: shortly() })
        .catch(() => {})
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

function isLeaseLost(error: unknown): boolean {
  return error instanceof ApiError && error.code === leaseLost
}

/** For calls that nothing waits for longer than this. */
function shortly(): AbortSignal {
  return AbortSignal.timeout(callTimeoutMs)
}

/** No response, too many calls, another reader, or an outage. */
function isTemporary({ status, code }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 500 || code === inUse
}

/** A function, because the compiler assumes that a property does not change between two reads. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
