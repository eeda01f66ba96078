/**
 * The one door through which bytes leave for receivers. One deadline covers DNS, connect, TLS, headers and body; of the
 * answer at most 16 KiB are read and 4 KiB kept, and it is never decompressed. Whatever goes wrong is an outcome.
 */
import type { Outcome, Reason, Timings } from '../../model/outcome.ts'
import type { Connections } from './connections.ts'
import { exchange } from './exchange.ts'
import { errorCode, failureReason } from './failure-reason.ts'

export interface OutgoingRequest {
  method: 'GET' | 'POST'
  url: string
  /** Name and value in turn, in the order they are sent. */
  headers: string[]
  body: string
  deadlineMs: number
}

export type Send = (request: OutgoingRequest) => Promise<Outcome>

const readBytes = 16 * 1024
const keptBytes = 4 * 1024
const keptHeaderBytes = 8 * 1024

/** `now` tells the true time, for receivers that name a date to wait for. */
export function createSend(connections: Connections, now: () => number = Date.now): Send {
  return async (request) => {
    const startedAt = performance.now()
    const first = await attempt(connections, now, request, startedAt)
    // A receiver may close an idle connection just as we use it: nothing was answered, so it is sent once more at once.
    if (first.outcome.reason === 'connection_reset' && first.wasReused)
      return (await attempt(connections, now, request, startedAt, 'new')).outcome
    return first.outcome
  }
}

interface Attempted {
  outcome: Outcome
  wasReused: boolean
}

async function attempt(
  connections: Connections,
  now: () => number,
  request: OutgoingRequest,
  startedAt: number,
  which: 'any' | 'new' = 'any',
): Promise<Attempted> {
  const { origin, pathname, search } = new URL(request.url)
  const endsAt = startedAt + request.deadlineMs
  const connection = which === 'new' ? connections.open(origin, endsAt) : connections.take(origin, endsAt)
  const timings = (): Timings => ({ ...connection.opened, totalMs: performance.now() - startedAt })
  const answer = await exchange(
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
  const { opened, failure } = connection
  connections.giveBack(origin, connection, 'status' in answer && answer.isComplete)
  if ('error' in answer) {
    const error = failure ?? answer.error
    return {
      outcome: { reason: failureReason(error), errorCode: errorCode(error), timings: timings() },
      wasReused: !answer.hasAnswered && opened === undefined && failure === undefined,
    }
  }
  const openMs = (opened?.dnsMs ?? 0) + (opened?.connectMs ?? 0) + (opened?.tlsMs ?? 0)
  const retryAfterMs = readRetryAfter(answer.headers['retry-after'], now())
  const outcome: Outcome = {
    reason: reasonOf(answer.status),
    status: answer.status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    answerHeaders: headerText(answer.headers),
    answerBody: answer.body.subarray(0, keptBytes),
    timings: {
      ...timings(),
      firstByteMs: answer.firstByteAt - startedAt - openMs,
      bodyMs: performance.now() - answer.firstByteAt,
    },
  }
  return { outcome, wasReused: opened === undefined }
}

function reasonOf(status: number): Reason {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 410) return 'gone'
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

/** Seconds or a date; anything else says nothing. */
function readRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1_000
  // Date.parse finds a year in any sentence, so it must look like a date of HTTP.
  if (!/^[A-Z][a-z]{2,8},? \d/.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

function headerText(headers: Record<string, string | string[] | undefined>): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? ''].flat().map((line) => `${name}: ${line}`),
  )
  // PostgreSQL's text cannot hold NUL, which a receiver might send.
  return lines.join('\n').replaceAll('\0', '').slice(0, keptHeaderBytes)
}
