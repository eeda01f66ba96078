/** How long until something happens, second by second; not read out, because the sentence beside it says when. */
import { useEffect, useState } from 'react'
import { durationWords } from '../words/figures.ts'
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
      {leftMs <= 0 ? 'now' : `in ${durationWords(Math.ceil(leftMs / 1_000) * 1_000).replace('.0 s', ' s')}`}
    </span>
  )
}
