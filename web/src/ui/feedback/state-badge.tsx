/** State as text, color and icon. Each of them identifies the state. */
import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconInfoCircleFilled,
} from '@tabler/icons-react'
import type { Tone } from '../../lib/tone.ts'
import styles from './state-badge.module.css'

export const toneIcons = {
  success: IconCircleCheckFilled,
  warning: IconAlertTriangleFilled,
  danger: IconCircleXFilled,
  neutral: IconCircleDashed,
  info: IconInfoCircleFilled,
}

export function StateBadge({ tone, label }: { tone: Tone; label: string }) {
  const Icon = toneIcons[tone]
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon size={13} aria-hidden="true" />
      {label}
    </span>
  )
}
