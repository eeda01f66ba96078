/**
 * Live tail over server-sent events. Events arrive in commit order, each with a cursor. After a disconnect the stream
 * resumes at the last cursor, so no event is missed or repeated. Only the newest events stay in memory, and rendering is
 * batched to four times a second.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { codes, redirectToSignIn, queryClient, sessionQuery } from './client.ts'
import type { DeliverySummary, EventRow } from './types.ts'

export const maxVisible = 200

/**
 * `full`: the live connection limit of the account is reached. `restored`: resumed at the last cursor. `reopened`:
 * reconnected without a cursor, so events may be missing.
 */
export type LiveState = 'connecting' | 'open' | 'broken' | 'full' | 'restored' | 'reopened'

export interface Live {
  state: LiveState
  /** Newest first. */
  rows: readonly EventRow[]
  /** Events received since the page was opened. */
  seen: number
  isPaused: boolean
  /** Events received while paused. */
  buffered: number
  togglePause: () => void
}

const renderMs = 250
const restoredNoticeMs = 4_000
const retryDelaysMs = [1_000, 2_000, 5_000, 10_000]
const requestTimeoutMs = 5_000

type DeliveryUpdate = DeliverySummary & { event_id: string }

interface VisibleEvents {
  rows: readonly EventRow[]
  seen: number
}

/** Received, not rendered yet. */
interface Buffer {
  events: EventRow[]
  updates: DeliveryUpdate[]
  count: number
}

const emptyBuffer: Buffer = { events: [], updates: [], count: 0 }
const maxUpdates = 2_000

/** Prepends new events and applies delivery updates. */
function applyBuffer({ rows, seen }: VisibleEvents, { events, updates, count }: Buffer): VisibleEvents {
  const existing = new Set(rows.map(({ id }) => id))
  const fresh = events.filter(({ id }) => !existing.has(id)).toReversed()
  const all = [...fresh, ...rows].slice(0, maxVisible)
  return {
    seen: seen + count,
    rows: updates.length === 0 ? all : all.map((row) => withUpdates(row, updates)),
  }
}

function withUpdates(row: EventRow, updates: readonly DeliveryUpdate[]): EventRow {
  const rowUpdates = updates.filter(({ event_id: id }) => id === row.id)
  if (rowUpdates.length === 0) return row
  const deliveries = new Map(row.deliveries.map((delivery) => [delivery.hook_id, delivery]))
  for (const { event_id: _event, ...delivery } of rowUpdates) deliveries.set(delivery.hook_id, delivery)
  return { ...row, deliveries: [...deliveries.values()] }
}

export function useLive(): Live {
  const [state, setState] = useState<LiveState>('connecting')
  const [visible, setVisible] = useState<VisibleEvents>({ rows: [], seen: 0 })
  const [isPaused, setPaused] = useState(false)
  const [buffered, setBuffered] = useState(0)
  const paused = useRef(false)
  const buffer = useRef<Buffer>(emptyBuffer)

  const render = useCallback(() => {
    const received = buffer.current
    if (received === emptyBuffer) return
    if (paused.current) {
      setBuffered(received.count)
      return
    }
    buffer.current = emptyBuffer
    setVisible((current) => applyBuffer(current, received))
  }, [])

  useEffect(
    () =>
      connectStream({
        onState: setState,
        // A long pause keeps only the visible number of events.
        onEvent(event) {
          const { events, updates, count } = buffer.current
          buffer.current = { events: [...events, event].slice(-maxVisible), updates, count: count + 1 }
        },
        onDelivery(update) {
          const { updates, ...rest } = buffer.current
          buffer.current = { ...rest, updates: [...updates, update].slice(-maxUpdates) }
        },
      }),
    [],
  )
  useEffect(() => {
    const timer = setInterval(render, renderMs)
    return () => clearInterval(timer)
  }, [render])

  const togglePause = () => {
    paused.current = !paused.current
    setPaused(paused.current)
    if (!paused.current) {
      setBuffered(0)
      render()
    }
  }
  return { state, ...visible, isPaused, buffered, togglePause }
}

interface Listener {
  onState: (state: LiveState) => void
  onEvent: (event: EventRow) => void
  onDelivery: (update: DeliveryUpdate) => void
}

/** Opens the stream and reconnects after errors. Returns a function that closes it. */
function connectStream({ onState, onEvent, onDelivery }: Listener): () => void {
  let cursor = 'now'
  let failures = 0
  let wasBroken = false
  let hasGap = false
  let isFull = false
  const closed = new AbortController()
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const parse = <Data>(handle: (data: Data) => void) => {
    return (message: MessageEvent<string>) => {
      if (message.lastEventId !== '') cursor = message.lastEventId
      handle(JSON.parse(message.data) as Data)
    }
  }
  const connect = () => {
    source = new EventSource(streamUrl(cursor))
    source.addEventListener('event', parse(onEvent))
    source.addEventListener('delivery', parse(onDelivery))
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
    isFull = await isOverTailLimit(cursor, closed.signal)
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

function streamUrl(cursor: string): string {
  return `/api/events/stream?from=${encodeURIComponent(cursor)}`
}

/** EventSource hides error responses, so a fetch to the same URL reads the error code and is aborted at once. */
async function isOverTailLimit(cursor: string, closed: AbortSignal): Promise<boolean> {
  const probe = new AbortController()
  const signal = AbortSignal.any([probe.signal, closed, AbortSignal.timeout(requestTimeoutMs)])
  try {
    const response = await fetch(streamUrl(cursor), { signal })
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
