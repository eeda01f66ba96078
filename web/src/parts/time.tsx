/** A time as people say it; exactly, in local time and UTC, on hover and focus. */
import { Tooltip } from '@mantine/core'
import { exactTime, relativeTime } from '../words/time.ts'
import styles from './time.module.css'
import { useNow } from './use-now.ts'

export function Time({ at }: { at: string }) {
  const now = useNow()
  const moment = new Date(at)
  const { local, utc } = exactTime(moment)
  return (
    <Tooltip
      label={
        <>
          {local}
          <br />
          {utc}
        </>
      }
    >
      <time className={styles.time} dateTime={at} tabIndex={0}>
        {relativeTime(moment, now)}
      </time>
    </Tooltip>
  )
}
