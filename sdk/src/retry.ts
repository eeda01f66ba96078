import type { ApiError } from './errors.ts'

const minDelayMs = 500
const maxDelayMs = 15_000

/** No response, too many calls, or an outage: the same call may succeed later. */
export function isTemporary({ status }: ApiError): boolean {
  return status === 0 || status === 429 || status >= 500
}

/** Returns the time before the next try: twice as long after each, with jitter, and at least `Retry-After`. */
export function retryDelayMs({ retryAfterSeconds = 0 }: ApiError, retries: number): number {
  const backoffMs = Math.min(maxDelayMs, minDelayMs * 2 ** retries) * (0.5 + Math.random() / 2)
  return Math.max(retryAfterSeconds * 1_000, backoffMs)
}

/** Ends early when the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end)
  })
}
