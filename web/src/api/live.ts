/**
 * Events as they happen, by one line that stays open. The service sends them in the order of their commits, each with a
 * place; a line that breaks is taken up again at the last place, by the browser or by us, so nothing is missed or doubled.
 * Kept in memory are only the newest; what comes fast is drawn a few times a second, not each by itself.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { codes, leaveForSignIn, queryClient, sessionQuery } from './api.ts'
import type { DeliveryMark, EventRow } from './shapes.ts'

export const mostShown = 200

/**
 * `full`: the account has as many lines open as it may have. `restored`: taken up where it broke. `reopened`: it broke
 * before there was a place to take it up at.
 */
export type LiveState = 'connecting' | 'open' | 'broken' | 'full' | 'restored' | 'reopened'

export interface Live {
  state: LiveState
  /** Newest first. */
  rows: readonly EventRow[]
  /** Events since the beginning. */
  seen: number
  isPaused: boolean
  /** Events that came while paused. */
  held: number
  togglePause: () => void
}

const drawMs = 250
const restoredShownMs = 4_000
const againMs = [1_000, 2_000, 5_000, 10_000]
const longestAskMs = 5_000

type DeliveryNews = DeliveryMark & { event_id: string }

interface Shown {
  rows: readonly EventRow[]
  seen: number
}

/** What has come and is not drawn yet. */
interface Coming {
  events: EventRow[]
  news: DeliveryNews[]
  count: number
}

const nothing: Coming = { events: [], news: [], count: 0 }
const mostNews = 2_000

/** New events in front, news of deliveries at their events. */
function take({ rows, seen }: Shown, { events, news, count }: Coming): Shown {
  const known = new Set(rows.map(({ id }) => id))
  const fresh = events.filter(({ id }) => !known.has(id)).toReversed()
  const all = [...fresh, ...rows].slice(0, mostShown)
  return { seen: seen + count, rows: news.length === 0 ? all : all.map((row) => withNews(row, news)) }
}

function withNews(row: EventRow, news: readonly DeliveryNews[]): EventRow {
  const own = news.filter(({ event_id: id }) => id === row.id)
  if (own.length === 0) return row
  const marks = new Map(row.deliveries.map((mark) => [mark.hook_id, mark]))
  for (const { event_id: _event, ...mark } of own) marks.set(mark.hook_id, mark)
  return { ...row, deliveries: [...marks.values()] }
}

export function useLive(): Live {
  const [state, setState] = useState<LiveState>('connecting')
  const [shown, setShown] = useState<Shown>({ rows: [], seen: 0 })
  const [isPaused, setPaused] = useState(false)
  const [held, setHeld] = useState(0)
  const paused = useRef(false)
  const coming = useRef<Coming>(nothing)

  const draw = useCallback(() => {
    const come = coming.current
    if (come === nothing) return
    if (paused.current) {
      setHeld(come.count)
      return
    }
    coming.current = nothing
    setShown((now) => take(now, come))
  }, [])

  useEffect(
    () =>
      openLine({
        onState: setState,
        // A long pause keeps no more than can be shown.
        onEvent(event) {
          const { events, news, count } = coming.current
          coming.current = { events: [...events, event].slice(-mostShown), news, count: count + 1 }
        },
        onDelivery(one) {
          const { news, ...rest } = coming.current
          coming.current = { ...rest, news: [...news, one].slice(-mostNews) }
        },
      }),
    [],
  )
  useEffect(() => {
    const timer = setInterval(draw, drawMs)
    return () => clearInterval(timer)
  }, [draw])

  const togglePause = () => {
    paused.current = !paused.current
    setPaused(paused.current)
    if (!paused.current) {
      setHeld(0)
      draw()
    }
  }
  return { state, ...shown, isPaused, held, togglePause }
}

interface Listener {
  onState: (state: LiveState) => void
  onEvent: (event: EventRow) => void
  onDelivery: (news: DeliveryNews) => void
}

/** Opens the line and keeps it open; returns how to close it. */
function openLine({ onState, onEvent, onDelivery }: Listener): () => void {
  let place = 'now'
  let failures = 0
  let wasBroken = false
  let hasGap = false
  let isFull = false
  const over = new AbortController()
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const read = <Data>(tell: (data: Data) => void) => {
    return (message: MessageEvent<string>) => {
      if (message.lastEventId !== '') place = message.lastEventId
      tell(JSON.parse(message.data) as Data)
    }
  }
  const connect = () => {
    source = new EventSource(addressFrom(place))
    source.addEventListener('event', read(onEvent))
    source.addEventListener('delivery', read(onDelivery))
    source.addEventListener('open', () => {
      failures = 0
      onState(wasBroken ? (hasGap ? 'reopened' : 'restored') : 'open')
      if (wasBroken) timer = setTimeout(() => onState('open'), restoredShownMs)
      wasBroken = false
      hasGap = false
      isFull = false
    })
    source.addEventListener('error', () => {
      clearTimeout(timer)
      wasBroken = true
      // While it is connecting the browser goes on by itself, from the last place; closed means that we were refused.
      const isRefused = source?.readyState === EventSource.CLOSED
      isFull &&= isRefused
      if (!isFull) onState('broken')
      if (!isRefused) return
      hasGap = place === 'now'
      void leaveIfSignedOut()
      void goOnLater()
    })
  }
  const goOnLater = async () => {
    isFull = await hasTooMany(place, over.signal)
    if (over.signal.aborted) return
    onState(isFull ? 'full' : 'broken')
    timer = setTimeout(connect, againMs[Math.min(failures, againMs.length - 1)])
    failures += 1
  }
  connect()
  return () => {
    over.abort()
    clearTimeout(timer)
    source?.close()
  }
}

function addressFrom(place: string): string {
  return `/api/events/stream?from=${encodeURIComponent(place)}`
}

/** A line that was refused does not say why, so it is asked for once more in a way that does, and let go at once. */
async function hasTooMany(place: string, over: AbortSignal): Promise<boolean> {
  const asked = new AbortController()
  const signal = AbortSignal.any([asked.signal, over, AbortSignal.timeout(longestAskMs)])
  try {
    const answer = await fetch(addressFrom(place), { signal })
    if (answer.ok) return false
    const refusal = (await answer.json()) as { code?: number }
    return refusal.code === codes.tooManyStreams
  } catch {
    return false
  } finally {
    asked.abort()
  }
}

async function leaveIfSignedOut(): Promise<void> {
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)
  if (session === null) leaveForSignIn()
}
