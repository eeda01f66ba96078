/** A time as people say it; exactly on hover and focus. */
import { relativeTime } from '../words/time.ts'
import { ExactTime } from './exact-time.tsx'
import styles from './time.module.css'
import { useNow } from './use-now.ts'

export function Time({ at }: { at: string }) {
  const now = useNow()
  return (
    <ExactTime at={at} className={styles.time}>
      {relativeTime(new Date(at), now)}
    </ExactTime>
  )
}
