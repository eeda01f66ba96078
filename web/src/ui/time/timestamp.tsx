/** Time in milliseconds, for comparison with logs. The tooltip adds the day and UTC. */
import { formatClock, formatDay } from '../../lib/format-clock.ts'
import styles from './timestamp.module.css'
import { TimeTooltip } from './time-tooltip.tsx'

export function Timestamp({ at, hasDate = false }: { at: string; hasDate?: boolean }) {
  const moment = new Date(at)
  return (
    <TimeTooltip at={at} className={styles.clock} utc={at.replace('T', ' ').replace('Z', ' UTC')}>
      {hasDate && <span className={styles.day}>{formatDay(moment)} </span>}
      {formatClock(moment)}
    </TimeTooltip>
  )
}
