/** Switches lists between absolute and relative times. */
import { UnstyledButton } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { setTimeStyle, useTimeStyle } from '../../lib/time-preference.ts'
import styles from './time.module.css'

export function TimeStyleToggle() {
  const style = useTimeStyle()
  const other = style === 'absolute' ? 'relative' : 'absolute'
  return (
    <UnstyledButton className={styles.toggle} onClick={() => setTimeStyle(other)}>
      <IconClock size={14} aria-hidden="true" /> Show {other} times
    </UnstyledButton>
  )
}
