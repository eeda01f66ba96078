/**
 * Live tail over server-sent events. Messages arrive in commit order, each with a cursor. After a disconnect the stream
 * resumes at the last cursor, so none is missed or repeated.
 */
import { codes, redirectToSignIn, queryClient, sessionQuery } from './client.ts'
import type { AttemptResult, LiveMessage } from './live-rows.ts'
import type { DeliverySummary, EventRow, EventSearch } from './types.ts'

/**
 * `full`: the live connection limit of the account is reached. `restored`: resumed at the last cursor. `reopened`:
 * reconnected without a cursor, so events may be missing.
 */
export type LiveState = 'connecting' | 'open' | 'broken' | 'full' | 'restored' | 'reopened'

/** Filters that the server applies, because numbers are masked in the browser. */
export type StreamFilters = Pick<EventSearch, 'q' | 'message_id' | 'number' | 'foreign_id' | 'type'>

interface Listener {
  onState: (state: LiveState) => void
  onMessage: (message: LiveMessage) => void
}

const restoredNoticeMs = 4_000
const retryDelaysMs = [1_000, 2_000, 5_000, 10_000]
const requestTimeoutMs = 5_000

/** Opens the stream and reconnects after errors. Returns a function that closes it. */
export function connectStream(filters: StreamFilters, { onState, onMessage }: Listener): () => void {
  let cursor = 'now'
  let failures = 0
  let wasBroken = false
  let hasGap = false
  let isFull = false
  const closed = new AbortController()
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const parse = <Data>(toMessage: (data: Data) => LiveMessage) => {
    return (message: MessageEvent<string>) => {
      if (message.lastEventId !== '') cursor = message.lastEventId
      onMessage(toMessage(JSON.parse(message.data) as Data))
    }
  }
  const connect = () => {
    source = new EventSource(streamUrl(filters, cursor))
    source.addEventListener(
      'event',
      parse((event: EventRow) => ({ kind: 'event', event })),
    )
    source.addEventListener(
      'attempt',
      parse((attempt: AttemptResult) => ({ kind: 'attempt', attempt })),
    )
    source.addEventListener(
      'delivery',
      parse(({ event_id: eventId, ...delivery }: DeliverySummary & { event_id: string }) => ({
        kind: 'delivery',
        eventId,
        delivery,
      })),
    )
    source.addEventListener(
      'route',
      parse(({ event_id: eventId, deliveries }: { event_id: string; deliveries: DeliverySummary[] }) => ({
        kind: 'route',
        eventId,
        deliveries,
      })),
    )
    source.addEventListener('open', () => {
      failures = 0
      onState(wasBroken ? (hasGap ? 'reopened' : 'restored') : 'open')
      if (wasBroken) timer = setTimeout(() => onState('open'), restoredNoticeMs)
      wasBroken = false
      hasGap = false
      isFull = false
    })
    source.addEventListener('error', () => {
      clearTimeout(timer)
      wasBroken = true
      // While connecting, the browser retries from the last cursor. CLOSED means that the server rejected the request.
      const isRejected = source?.readyState === EventSource.CLOSED
      isFull &&= isRejected
      if (!isFull) onState('broken')
      if (!isRejected) return
      hasGap = cursor === 'now'
      void redirectIfSignedOut()
      void reconnect()
    })
  }
  const reconnect = async () => {
    isFull = await isOverTailLimit(streamUrl(filters, cursor), closed.signal)
    if (closed.signal.aborted) return
    onState(isFull ? 'full' : 'broken')
    timer = setTimeout(connect, retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)])
    failures += 1
  }
  connect()
  return () => {
    closed.abort()
    clearTimeout(timer)
    source?.close()
  }
}

function streamUrl(filters: StreamFilters, cursor: string): string {
  const params = new URLSearchParams({ from: cursor })
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) params.set(name, value)
  return `/api/events/stream?${params.toString()}`
}

/** EventSource hides error responses, so a fetch to the same URL reads the error code and is aborted at once. */
async function isOverTailLimit(url: string, closed: AbortSignal): Promise<boolean> {
  const probe = new AbortController()
  const signal = AbortSignal.any([probe.signal, closed, AbortSignal.timeout(requestTimeoutMs)])
  try {
    const response = await fetch(url, { signal })
    if (response.ok) return false
    const rejection = (await response.json()) as { code?: number }
    return rejection.code === codes.tooManyTails
  } catch {
    return false
  } finally {
    probe.abort()
  }
}

async function redirectIfSignedOut(): Promise<void> {
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)
  if (session === null) redirectToSignIn()
}
