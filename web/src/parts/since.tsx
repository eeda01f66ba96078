/** When something began: the time of today, or with its day; exactly on hover and focus. */
import { Tooltip } from '@mantine/core'
import { sinceWords } from '../words/clock.ts'
import { exactTime } from '../words/time.ts'
import styles from './time.module.css'
import { useNow } from './use-now.ts'

export function Since({ at }: { at: string }) {
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
        {sinceWords(moment, new Date(now))}
      </time>
    </Tooltip>
  )
}
