/** Summarizes one attempt in a line: result, time and duration. */
import type { ReactNode } from 'react'
import type { Attempt } from '../../api/types.ts'
import { formatDuration } from '../../lib/format-duration.ts'
import { formatClock, formatDay } from '../../lib/format-clock.ts'
import { textFor } from '../../lib/text-for.ts'
import { describeAttempt } from '../../messages/attempts.ts'
import { reasonText } from '../../messages/states.ts'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import styles from './attempt-line.module.css'

interface AttemptLineProps {
  attempt: Attempt
  /** Leading label, such as "Attempt 2". */
  name: ReactNode
  /** Truncates the message instead of wrapping it. */
  isOneLine?: boolean
}

export function AttemptLine({ attempt, name, isOneLine = false }: AttemptLineProps) {
  const { reason, status, started_at: at, phases } = attempt
  const isDelivered = reason === 'delivered'
  const moment = new Date(at)
  return (
    <span className={styles.line} data-one-line={isOneLine}>
      <span className={styles.name}>{name}</span>
      <StateBadge
        tone={isDelivered ? 'success' : 'danger'}
        label={status === null ? textFor(reasonText, reason, 'Failed') : String(status)}
      />
      <span className={styles.message}>{describeAttempt(attempt)}</span>
      <span className={styles.values}>
        <time dateTime={at}>
          {formatDay(moment)} {formatClock(moment)}
        </time>
        <span>{formatDuration(phases.total_ms)}</span>
      </span>
    </span>
  )
}
