/**
 * One request over one connection and what was answered, read as far as it is wanted. Uses the client's own callbacks,
 * without the streams it would wrap them in: most answers are empty, and a stream for each costs more than the request.
 */
import type { Client, Dispatcher } from 'undici'

export interface ExchangeRequest {
  method: 'GET' | 'POST'
  path: string
  /** Name and value in turn, in the order they are sent. */
  headers: string[]
  body: string | null
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** As much as was read. */
  body: Buffer
  /** False: there would have been more, so the connection cannot be used again. */
  isComplete: boolean
  firstByteAt: number
}

/** No answer, or not all of it. */
export interface Broken {
  error: Error
  /** Whether it had begun to answer: then it has the request. */
  hasAnswered: boolean
}

export class DeadlinePassed extends Error {}

/** The parser accepts it, and it is no answer all the same. */
export class InvalidAnswer extends Error {}

/** Interim answers (102, 103) before the answer. */
const maxInterimAnswers = 100
/** Of anything that comes in for one request: more than head, body and interim answers can honestly need. */
const maxWireBytes = 1024 * 1024
/** How often a slow exchange is looked at. A quick one is over before that. */
const checkMs = 250

/** `endsAt` is on the monotonic clock: nothing is sent after it, and no answer is waited for. */
export function exchange(
  client: Client,
  request: ExchangeRequest,
  endsAt: number,
  mostBytes: number,
  /** What has come in over the connection so far. */
  bytesRead: () => number,
): Promise<Answer | Broken> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let head: Pick<Answer, 'status' | 'headers' | 'firstByteAt'> | undefined
    const chunks: Buffer[] = []
    let bytes = 0
    let isOver = false
    let interimAnswers = 0
    const bytesBefore = bytesRead()
    let timer = setTimeout(check, untilCheck())

    function untilCheck(): number {
      return Math.min(checkMs, endsAt - performance.now())
    }

    /** Bytes that are no body (blank lines, chunk extensions) are bounded here: the parser skips them without end. */
    function check(): void {
      if (performance.now() >= endsAt) return fail(new DeadlinePassed('the deadline has passed'))
      if (bytesRead() - bytesBefore > maxWireBytes) return fail(new InvalidAnswer('the answer has no end'))
      timer = setTimeout(check, untilCheck())
    }

    function end(): boolean {
      if (isOver) return false
      isOver = true
      clearTimeout(timer)
      return true
    }

    function fail(error: Error): void {
      if (!end()) return
      resolve({ error, hasAnswered: head !== undefined })
      controller?.abort(error)
    }

    function answer(isComplete: boolean): void {
      if (head === undefined) return fail(new Error('the answer has no head'))
      if (end()) resolve({ ...head, body: Buffer.concat(chunks), isComplete })
    }

    if (performance.now() > endsAt) return fail(new DeadlinePassed('too late to be sent'))
    client.dispatch(request, {
      onRequestStart(started) {
        controller = started
        // The client may keep a request for some milliseconds before it writes it, to see whether a used socket is still
        // good. A process that is stopped in that time would write it when it goes on, long after its lease is lost. So
        // the clock is asked once more, at the last moment before a byte leaves.
        if (isOver || performance.now() > endsAt) started.abort(new DeadlinePassed('too late to be sent'))
      },
      onResponseStart(_controller, status, headers) {
        if (status < 100) return fail(new InvalidAnswer('the status is none'))
        // What comes before the answer (102, 103) is not the answer.
        if (status < 200) {
          if (++interimAnswers > maxInterimAnswers) fail(new InvalidAnswer('too many interim answers'))
        } else head = { status, headers, firstByteAt: performance.now() }
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes <= mostBytes) return
        answer(false)
        controller?.abort(new Error('the answer is long enough'))
      },
      onResponseEnd: () => answer(true),
      onResponseError: (_controller, error) => fail(error),
    })
  })
}
