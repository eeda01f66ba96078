/** Ratio as a bar with its value. */
import { formatPercent } from '../../lib/format-duration.ts'
import type { Tone } from '../../lib/tone.ts'
import styles from './meter.module.css'

interface MeterProps {
  /** From 0 to 1. */
  ratio: number
  tone: Tone
  /** Accessible name. */
  label: string
  text?: string
}

export function Meter({ ratio, tone, label, text = formatPercent(ratio) }: MeterProps) {
  const percent = Math.min(100, Math.max(0, ratio * 100))
  return (
    <span className={styles.bar}>
      <span
        className={styles.track}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent * 10) / 10}
        aria-valuetext={text}
      >
        <span className={styles.fill} data-tone={tone} style={{ inlineSize: `${percent}%` }} />
      </span>
      <span className={styles.text} aria-hidden="true">
        {text}
      </span>
    </span>
  )
}
