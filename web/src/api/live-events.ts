/**
 * Events as they happen: the newest results of the search, and everything that the stream reports afterwards. Rendering
 * is batched to four times a second. While paused, the visible rows stay as they are.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { applyMessage, applySearch, type LiveRow, newestFirst } from './live-rows.ts'
import { connectStream, type LiveState, type StreamFilters } from './live-stream.ts'
import type { EventRow } from './types.ts'

interface Live {
  state: LiveState
  /** Newest first. */
  rows: readonly LiveRow[]
  /** Events received since the list was opened or cleared. */
  seen: number
  isPaused: boolean
  /** Events received while paused. */
  buffered: number
  togglePause: () => void
  clear: () => void
}

const renderMs = 250

/** `filters` must not change: the list of another search is another list. */
export function useLive(filters: StreamFilters, found: readonly EventRow[] | undefined): Live {
  const [state, setState] = useState<LiveState>('connecting')
  const [visible, setVisible] = useState<{ rows: readonly LiveRow[]; seen: number }>({ rows: [], seen: 0 })
  const [isPaused, setPaused] = useState(false)
  const [buffered, setBuffered] = useState(0)
  const [openedWith] = useState(filters)
  const rows = useRef(new Map<string, LiveRow>())
  const seen = useRef(0)
  const hasChanged = useRef(false)
  const seenWhenPaused = useRef<number | undefined>(undefined)
  const isCleared = useRef(false)

  const render = useCallback(() => {
    if (!hasChanged.current) return
    if (seenWhenPaused.current !== undefined) {
      setBuffered(seen.current - seenWhenPaused.current)
      return
    }
    hasChanged.current = false
    setVisible({ rows: newestFirst(rows.current), seen: seen.current })
  }, [])

  useEffect(
    () =>
      connectStream(openedWith, {
        onState: setState,
        onMessage(message) {
          if (message.kind === 'event') seen.current += 1
          applyMessage(rows.current, message)
          hasChanged.current = true
        },
      }),
    [openedWith],
  )
  useEffect(() => {
    if (found === undefined || isCleared.current) return
    applySearch(rows.current, found)
    hasChanged.current = true
    render()
  }, [found, render])
  useEffect(() => {
    const timer = setInterval(render, renderMs)
    return () => clearInterval(timer)
  }, [render])

  const togglePause = () => {
    const isNowPaused = seenWhenPaused.current === undefined
    seenWhenPaused.current = isNowPaused ? seen.current : undefined
    setPaused(isNowPaused)
    setBuffered(0)
    render()
  }
  const clear = () => {
    rows.current.clear()
    seen.current = 0
    isCleared.current = true
    if (seenWhenPaused.current !== undefined) seenWhenPaused.current = 0
    setBuffered(0)
    setVisible({ rows: [], seen: 0 })
  }
  return { state, ...visible, isPaused, buffered, togglePause, clear }
}
