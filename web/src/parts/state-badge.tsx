/** A state as a word, a colour and a shape: each of the three says it alone. */
import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconInfoCircleFilled,
} from '@tabler/icons-react'
import styles from './state-badge.module.css'

export type Tone = 'good' | 'attention' | 'bad' | 'quiet' | 'accent'

export const shapeOf = {
  good: IconCircleCheckFilled,
  attention: IconAlertTriangleFilled,
  bad: IconCircleXFilled,
  quiet: IconCircleDashed,
  accent: IconInfoCircleFilled,
}

export function StateBadge({ tone, word }: { tone: Tone; word: string }) {
  const Shape = shapeOf[tone]
  return (
    <span className={styles.badge} data-tone={tone}>
      <Shape size={13} aria-hidden="true" />
      {word}
    </span>
  )
}
