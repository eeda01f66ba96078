/** One line for attempts in a row with the same result. It expands to the attempts, and each of them to its details. */
import type { Attempt } from '../../../api/types.ts'
import { formatMinuteRange } from '../../../lib/format-clock.ts'
import { useNow } from '../../../lib/use-now.ts'
import { textFor } from '../../../lib/text-for.ts'
import { describeAttempts } from '../../../messages/attempts.ts'
import { reasonText } from '../../../messages/states.ts'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { TextLink } from '../../../ui/layout/links.tsx'
import { AttemptDetail } from '../../deliveries/attempt-detail.tsx'
import { AttemptLine } from '../../deliveries/attempt-line.tsx'
import styles from './attempt-group.module.css'

interface AttemptGroupProps {
  /** Newest first, at least one. */
  attempts: readonly Attempt[]
  onToggle: (isOpen: boolean) => void
}

export function AttemptGroup({ attempts, onToggle }: AttemptGroupProps) {
  const now = new Date(useNow())
  const [newest] = attempts
  const oldest = attempts.at(-1)
  if (newest === undefined || oldest === undefined) return null
  const list = attempts.map((attempt) => (
    <SingleAttempt key={keyOf(attempt)} attempt={attempt} onToggle={onToggle} />
  ))
  if (attempts.length === 1) return list
  const { reason, status } = newest
  return (
    <Disclosure
      onToggle={onToggle}
      summary={
        <span className={styles.line}>
          <StateBadge
            tone={reason === 'delivered' ? 'success' : 'danger'}
            label={status === null ? textFor(reasonText, reason, 'Failed') : String(status)}
          />
          <span className={styles.text}>
            {describeAttempts(reason, status)} · {attempts.length} times
          </span>
          <span className={styles.times}>
            {formatMinuteRange(new Date(oldest.started_at), new Date(newest.started_at), now)}
          </span>
        </span>
      }
    >
      {list}
    </Disclosure>
  )
}

export function keyOf({ event_id: event, round, attempt }: Attempt): string {
  return `${event}-${round}-${attempt}`
}

function SingleAttempt({ attempt, onToggle }: { attempt: Attempt; onToggle: (isOpen: boolean) => void }) {
  return (
    <Disclosure
      summary={<AttemptLine attempt={attempt} name={`Attempt ${attempt.attempt}`} isOneLine />}
      onToggle={onToggle}
    >
      <p className={styles.event}>
        Event{' '}
        <TextLink to="/events/$id" params={{ id: attempt.event_id }}>
          {attempt.event_id}
        </TextLink>
      </p>
      <AttemptDetail attempt={attempt} />
    </Disclosure>
  )
}
