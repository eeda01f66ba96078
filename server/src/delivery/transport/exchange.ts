/**
 * Sends one request over one connection and reads the response up to a limit. Uses the client's callbacks directly:
 * most responses are empty, and a stream for each would cost more than the request.
 */
import type { Client, Dispatcher } from 'undici'

export interface ExchangeRequest {
  method: 'GET' | 'POST'
  path: string
  /** Alternating names and values, in the order they are sent. */
  headers: string[]
  body: string | null
}

export interface ExchangeResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The part that was read. */
  body: Buffer
  /** False: the response is longer, so the connection cannot be reused. */
  isComplete: boolean
  firstByteAt: number
}

/** No response, or an incomplete one. */
export interface ExchangeFailure {
  error: Error
  /** Whether the response had started: then the receiver has the request. */
  hasResponded: boolean
}

export class DeadlinePassed extends Error {}

/** The parser accepts the response, but it is not valid HTTP. */
export class InvalidResponse extends Error {}

/** Limit for interim responses (102, 103). */
const maxInterimResponses = 100
/** Limit for all bytes received for one request: more than head, body and interim responses can legitimately need. */
const maxWireBytes = 1024 * 1024
/** Check interval. A fast exchange finishes earlier. */
const checkMs = 250

/** `endsAt` is on the monotonic clock. Nothing is sent and no response is awaited after it. */
export function exchange(
  client: Client,
  request: ExchangeRequest,
  endsAt: number,
  maxBytes: number,
  /** Bytes received on the connection so far. */
  bytesRead: () => number,
): Promise<ExchangeResponse | ExchangeFailure> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let head: Pick<ExchangeResponse, 'status' | 'headers' | 'firstByteAt'> | undefined
    const chunks: Buffer[] = []
    let bytes = 0
    let isFinished = false
    let interimResponses = 0
    const bytesBefore = bytesRead()
    let timer = setTimeout(check, untilCheck())

    function untilCheck(): number {
      return Math.min(checkMs, endsAt - performance.now())
    }

    /** Limits bytes outside the body (blank lines, chunk extensions): the parser skips them without limit. */
    function check(): void {
      if (performance.now() >= endsAt) return fail(new DeadlinePassed('deadline passed'))
      if (bytesRead() - bytesBefore > maxWireBytes)
        return fail(new InvalidResponse('response exceeds the limit'))
      timer = setTimeout(check, untilCheck())
    }

    function end(): boolean {
      if (isFinished) return false
      isFinished = true
      clearTimeout(timer)
      return true
    }

    function fail(error: Error): void {
      if (!end()) return
      resolve({ error, hasResponded: head !== undefined })
      controller?.abort(error)
    }

    function response(isComplete: boolean): void {
      if (head === undefined) return fail(new Error('response has no head'))
      if (end()) resolve({ ...head, body: Buffer.concat(chunks), isComplete })
    }

    if (performance.now() > endsAt) return fail(new DeadlinePassed('deadline passed before sending'))
    client.dispatch(request, {
      onRequestStart(started) {
        controller = started
        // The client may delay a request for some milliseconds to check a reused socket. A process that is stopped in
        // that time would send it when it continues, long after its lease is lost. So the clock is checked again
        // immediately before the first byte.
        if (isFinished || performance.now() > endsAt)
          started.abort(new DeadlinePassed('deadline passed before sending'))
      },
      onResponseStart(_controller, status, headers) {
        if (status < 100) return fail(new InvalidResponse('invalid status'))
        // Interim responses (102, 103) precede the response.
        if (status < 200) {
          if (++interimResponses > maxInterimResponses)
            fail(new InvalidResponse('too many interim responses'))
        } else head = { status, headers, firstByteAt: performance.now() }
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes <= maxBytes) return
        response(false)
        controller?.abort(new Error('read limit reached'))
      },
      onResponseEnd: () => response(true),
      onResponseError: (_controller, error) => fail(error),
    })
  })
}
