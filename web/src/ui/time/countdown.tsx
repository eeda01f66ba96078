/** Countdown in seconds. Hidden from screen readers, because the adjacent text states the time. */
import { useEffect, useState } from 'react'
import { formatDuration } from '../../lib/format-duration.ts'
import styles from './countdown.module.css'

export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const leftMs = Date.parse(until) - now
  return (
    <span className={styles.countdown} aria-hidden="true">
      {leftMs <= 0 ? 'now' : `in ${formatDuration(Math.ceil(leftMs / 1_000) * 1_000).replace('.0 s', ' s')}`}
    </span>
  )
}
