/**
 * The one door through which bytes leave for receivers. One deadline covers DNS, connect, TLS, headers and body; of the
 * answer at most 16 KiB are read and 4 KiB kept, and it is never decompressed. Whatever goes wrong is an outcome.
 */
import { errors } from 'undici'
import type { Outcome, Reason, Timings } from '../../model/outcome.ts'
import { ConnectTimeout } from './connect.ts'
import type { Connection, Connections } from './connections.ts'
import { Unresolved } from './resolve.ts'

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

export function createSend(connections: Connections): Send {
  return async (request) => {
    const startedAt = performance.now()
    const deadline = AbortSignal.timeout(request.deadlineMs)
    const first = await attempt(connections, request, startedAt, deadline)
    // A receiver may close an idle connection just as we use it: nothing was answered, so it is sent once more at once.
    if (first.outcome.reason === 'connection_reset' && first.wasReused)
      return (await attempt(connections, request, startedAt, deadline, 'new')).outcome
    return first.outcome
  }
}

interface Attempted {
  outcome: Outcome
  wasReused: boolean
}

async function attempt(
  connections: Connections,
  request: OutgoingRequest,
  startedAt: number,
  deadline: AbortSignal,
  which: 'any' | 'new' = 'any',
): Promise<Attempted> {
  const url = new URL(request.url)
  const endsAt = startedAt + request.deadlineMs
  if (performance.now() > endsAt)
    return {
      outcome: { reason: 'timeout', timings: { totalMs: performance.now() - startedAt } },
      wasReused: false,
    }
  const connection =
    which === 'new' ? connections.open(url.origin, endsAt) : connections.take(url.origin, endsAt)
  const timings = (): Timings => ({ ...connection.opened, totalMs: performance.now() - startedAt })
  let isReusable = false
  let hasAnswered = false
  try {
    const sent = connection.client.request({
      method: request.method,
      path: url.pathname + url.search,
      headers: request.headers,
      body: request.method === 'POST' ? request.body : null,
      signal: deadline,
    })
    // The client notices an abort only once it has a socket; the deadline also covers getting one.
    const response = await Promise.race([sent, whenAborted(deadline)])
    hasAnswered = true
    const firstByteAt = performance.now()
    const answer = await readAnswer(response.body, deadline)
    isReusable = answer.isComplete
    const opening = connection.opened
    const openMs = (opening?.dnsMs ?? 0) + (opening?.connectMs ?? 0) + (opening?.tlsMs ?? 0)
    const retryAfterMs = readRetryAfter(response.headers['retry-after'])
    const outcome: Outcome = {
      reason: reasonOf(response.statusCode),
      status: response.statusCode,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      answerHeaders: headerText(response.headers),
      answerBody: answer.kept,
      timings: {
        ...timings(),
        firstByteMs: firstByteAt - startedAt - openMs,
        bodyMs: performance.now() - firstByteAt,
      },
    }
    return { outcome, wasReused: opening === undefined }
  } catch (error) {
    const outcome: Outcome = { reason: failureReason(error, connection, deadline), timings: timings() }
    const wasReused = !hasAnswered && connection.opened === undefined && connection.failure === undefined
    return { outcome, wasReused }
  } finally {
    await connections.giveBack(url.origin, connection, isReusable)
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the deadline has passed')), { once: true })
  })
}

function reasonOf(status: number): Reason {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 410) return 'gone'
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

async function readAnswer(
  body: AsyncIterable<Buffer>,
  deadline: AbortSignal,
): Promise<{ kept: Buffer; isComplete: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    deadline.throwIfAborted()
    chunks.push(chunk)
    size += chunk.length
    if (size > readBytes) return { kept: Buffer.concat(chunks).subarray(0, keptBytes), isComplete: false }
  }
  return { kept: Buffer.concat(chunks).subarray(0, keptBytes), isComplete: true }
}

/** Seconds or a date; anything else says nothing. */
function readRetryAfter(value: string | string[] | undefined, now = Date.now()): number | undefined {
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

const reasonOfCode: Record<string, Reason> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ETIMEDOUT: 'connect_timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPROTO: 'tls',
}

function failureReason(error: unknown, connection: Connection, deadline: AbortSignal): Reason {
  const cause = connection.failure ?? error
  if (cause instanceof Unresolved) return cause.reason
  if (cause instanceof ConnectTimeout) return 'connect_timeout'
  if (deadline.aborted) return 'timeout'
  if (cause instanceof errors.HTTPParserError) return 'invalid_answer'
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const known = reasonOfCode[code]
  if (known !== undefined) return known
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_OSSL)/.test(code)) return 'tls'
  if (/^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH|UND_ERR_RESPONSE)/.test(code))
    return 'invalid_answer'
  return 'internal'
}
