/** A time to the millisecond, for those who compare logs; with its day, in local time and UTC, on hover and focus. */
import { clockTime, dayOf } from '../words/clock.ts'
import styles from './clock.module.css'
import { ExactTime } from './exact-time.tsx'

export function Clock({ at, isLong = false }: { at: string; isLong?: boolean }) {
  const moment = new Date(at)
  return (
    <ExactTime at={at} className={styles.clock} utc={at.replace('T', ' ').replace('Z', ' UTC')}>
      {isLong && <span className={styles.day}>{dayOf(moment)} </span>}
      {clockTime(moment)}
    </ExactTime>
  )
}
