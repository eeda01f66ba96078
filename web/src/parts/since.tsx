/** When something began: the time of today, or with its day; exactly on hover and focus. */
import { sinceWords } from '../words/clock.ts'
import { ExactTime } from './exact-time.tsx'
import styles from './time.module.css'
import { useNow } from './use-now.ts'

export function Since({ at }: { at: string }) {
  const now = useNow()
  return (
    <ExactTime at={at} className={styles.time}>
      {sinceWords(new Date(at), new Date(now))}
    </ExactTime>
  )
}
