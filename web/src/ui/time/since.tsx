/** Start time, with its day if not today, and the exact time on hover and focus. */
import { formatSince } from '../../lib/format-clock.ts'
import { TimeTooltip } from './time-tooltip.tsx'
import styles from './time.module.css'
import { useNow } from '../../lib/use-now.ts'

export function Since({ at }: { at: string }) {
  const now = useNow()
  return (
    <TimeTooltip at={at} className={styles.time}>
      {formatSince(new Date(at), new Date(now))}
    </TimeTooltip>
  )
}
