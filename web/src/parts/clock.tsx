/** A time to the millisecond, for those who compare logs; with its day, in local time and UTC, on hover and focus. */
import { Tooltip } from '@mantine/core'
import { clockTime, dayOf } from '../words/clock.ts'
import { exactTime } from '../words/time.ts'
import styles from './clock.module.css'

export function Clock({ at, isLong = false }: { at: string; isLong?: boolean }) {
  const moment = new Date(at)
  const { local } = exactTime(moment)
  return (
    <Tooltip
      label={
        <>
          {local}
          <br />
          {at.replace('T', ' ').replace('Z', ' UTC')}
        </>
      }
    >
      <time className={styles.clock} dateTime={at} tabIndex={0}>
        {isLong && <span className={styles.day}>{dayOf(moment)} </span>}
        {clockTime(moment)}
      </time>
    </Tooltip>
  )
}
