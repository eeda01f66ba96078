/** Time in a list: absolute or relative, as the user prefers, with the other and UTC on hover and focus. */
import { formatSecond } from '../../lib/format-clock.ts'
import { formatRelative } from '../../lib/format-time.ts'
import { useTimeStyle } from '../../lib/time-preference.ts'
import { useNow } from '../../lib/use-now.ts'
import { TimeTooltip } from './time-tooltip.tsx'
import styles from './time.module.css'

export function ListTime({ at }: { at: string }) {
  const now = useNow()
  const style = useTimeStyle()
  const moment = new Date(at)
  const relative = formatRelative(moment, now)
  return (
    <TimeTooltip at={at} className={styles.time} {...(style === 'absolute' && { relative })}>
      {style === 'absolute' ? formatSecond(moment, new Date(now)) : relative}
    </TimeTooltip>
  )
}
