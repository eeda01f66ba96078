/**
 * The only way to send requests to receivers. One deadline covers DNS, connect, TLS, headers and body. At most 16 KiB
 * of the response are read and 4 KiB stored, never decompressed. Every error becomes an outcome.
 */
import type { Outcome, AttemptReason, Timings } from '../../model/delivery/outcome.ts'
import type { OutgoingRequest } from '../../model/delivery/outgoing-request.ts'
import type { Connections } from './connections.ts'
import { exchange } from './exchange.ts'
import { errorCode, failureReason } from './failure-reason.ts'

export type Send = (request: OutgoingRequest) => Promise<Outcome>

const readBytes = 16 * 1024
const storedBytes = 4 * 1024
const storedHeaderBytes = 8 * 1024

/** `now` returns the true time, for receivers that send a date in Retry-After. */
export function createSend(connections: Connections, now: () => number = Date.now): Send {
  return async (request) => {
    const startedAt = performance.now()
    const first = await attempt(connections, now, request, startedAt)
    // A receiver may close an idle connection just as it is reused. There was no response, so the request is sent
    // once more immediately.
    if (first.outcome.reason === 'connection_reset' && first.wasReused)
      return (await attempt(connections, now, request, startedAt, 'new')).outcome
    return first.outcome
  }
}

interface SingleAttempt {
  outcome: Outcome
  wasReused: boolean
}

async function attempt(
  connections: Connections,
  now: () => number,
  request: OutgoingRequest,
  startedAt: number,
  which: 'any' | 'new' = 'any',
): Promise<SingleAttempt> {
  const { origin, pathname, search } = new URL(request.url)
  const endsAt = startedAt + request.deadlineMs
  const connection = which === 'new' ? connections.open(origin, endsAt) : connections.acquire(origin, endsAt)
  const timings = (): Timings => ({ ...connection.opened, totalMs: performance.now() - startedAt })
  const response = await exchange(
    connection.client,
    {
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      body: request.method === 'POST' ? request.body : null,
    },
    endsAt,
    readBytes,
    () => connection.bytesRead(),
  )
  const { opened, certificateUntil, failure } = connection
  connections.release(origin, connection, 'status' in response && response.isComplete)
  if ('error' in response) {
    const error = failure ?? response.error
    return {
      outcome: { reason: failureReason(error), errorCode: errorCode(error), timings: timings() },
      wasReused: !response.hasResponded && opened === undefined && failure === undefined,
    }
  }
  const openMs = (opened?.dnsMs ?? 0) + (opened?.connectMs ?? 0) + (opened?.tlsMs ?? 0)
  const retryAfterMs = readRetryAfter(response.headers['retry-after'], now())
  const outcome: Outcome = {
    reason: reasonOf(response.status),
    status: response.status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    answerHeaders: headerText(response.headers),
    answerBody: response.body.subarray(0, storedBytes),
    ...(certificateUntil !== undefined && { certificateUntil }),
    timings: {
      ...timings(),
      firstByteMs: response.firstByteAt - startedAt - openMs,
      bodyMs: performance.now() - response.firstByteAt,
    },
  }
  return { outcome, wasReused: opened === undefined }
}

function reasonOf(status: number): AttemptReason {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 410) return 'gone'
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

/** Parses seconds or a date. Other values are ignored. */
function readRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000
  // Date.parse finds a year in any sentence, so the value must look like an HTTP date.
  if (!/^[A-Z][a-z]{2,8},? \d/.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

function headerText(headers: Record<string, string | string[] | undefined>): string {
  let text = ''
  for (const [name, value = ''] of Object.entries(headers)) {
    if (text !== '') text += '\n'
    text +=
      typeof value === 'string' ? `${name}: ${value}` : value.map((line) => `${name}: ${line}`).join('\n')
  }
  // PostgreSQL text cannot contain NUL, which a receiver might send.
  return text.replaceAll('\0', '').slice(0, storedHeaderBytes)
}
