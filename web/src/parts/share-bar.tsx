/** A share of a whole as a bar with its figure. */
import { percentWords } from '../words/figures.ts'
import type { Tone } from './state-badge.tsx'
import styles from './share-bar.module.css'

interface ShareBarProps {
  /** From 0 to 1. */
  share: number
  tone: Tone
  /** What it is a share of, for those who hear it. */
  label: string
  words?: string
}

export function ShareBar({ share, tone, label, words = percentWords(share) }: ShareBarProps) {
  const percent = Math.min(100, Math.max(0, share * 100))
  return (
    <span className={styles.bar}>
      <span
        className={styles.track}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent * 10) / 10}
        aria-valuetext={words}
      >
        <span className={styles.fill} data-tone={tone} style={{ inlineSize: `${percent}%` }} />
      </span>
      <span className={styles.words} aria-hidden="true">
        {words}
      </span>
    </span>
  )
}
