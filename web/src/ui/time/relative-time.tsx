/** Relative time, with the exact time on hover and focus. */
import { formatRelative } from '../../lib/format-time.ts'
import { TimeTooltip } from './time-tooltip.tsx'
import styles from './time.module.css'
import { useNow } from '../../lib/use-now.ts'

export function RelativeTime({ at }: { at: string }) {
  const now = useNow()
  return (
    <TimeTooltip at={at} className={styles.time}>
      {formatRelative(new Date(at), now)}
    </TimeTooltip>
  )
}
