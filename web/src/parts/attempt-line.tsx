/** One attempt in a line: how it went, when, how long it took. */
import type { ReactNode } from 'react'
import type { Attempt } from '../api/shapes.ts'
import { durationWords } from '../words/figures.ts'
import { clockTime, dayOf } from '../words/clock.ts'
import { reasonWords } from '../words/states.ts'
import { unbroken } from '../words/unbroken.ts'
import { StateBadge } from './state-badge.tsx'
import styles from './attempt-line.module.css'

interface AttemptLineProps {
  attempt: Attempt
  /** What stands before the rest, such as "Attempt 2". */
  name: ReactNode
}

export function AttemptLine({ attempt, name }: AttemptLineProps) {
  const { reason, status, started_at: at, phases, sentence } = attempt
  const isDelivered = reason === 'delivered'
  const moment = new Date(at)
  return (
    <span className={styles.line}>
      <span className={styles.name}>{name}</span>
      <StateBadge
        tone={isDelivered ? 'good' : 'bad'}
        word={status === null ? (reasonWords[reason] ?? reason) : String(status)}
      />
      <span className={styles.sentence}>{unbroken(sentence)}</span>
      <span className={styles.figures}>
        <time dateTime={at}>
          {dayOf(moment)} {clockTime(moment)}
        </time>
        <span>{durationWords(phases.total_ms)}</span>
      </span>
    </span>
  )
}
