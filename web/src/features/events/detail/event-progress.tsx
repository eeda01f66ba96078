/** Shows the progress of an event in three steps: accepted, matched, delivered. */
import { IconArrowRight } from '@tabler/icons-react'
import type { DeliveryState, EventDetail } from '../../../api/types.ts'
import { toneIcons } from '../../../ui/feedback/state-badge.tsx'
import { formatClock } from '../../../lib/format-clock.ts'
import type { Tone } from '../../../lib/tone.ts'
import { plural } from '../../../lib/format-number.ts'
import { deliveryStates, deliveryStateText } from '../../../messages/states.ts'
import styles from './event.module.css'

interface Step {
  title: string
  notes: { text: string; tone: Tone }[]
}

export function EventProgress({ detail }: { detail: EventDetail }) {
  const steps = stepsOf(detail)
  return (
    <ol className={styles.progress} aria-label="Progress">
      {steps.map(({ title, notes }, index) => (
        <li key={title} className={styles.progressStep}>
          {index > 0 && <IconArrowRight className={styles.arrow} size={18} aria-hidden="true" />}
          <span>{title}</span>
          {notes.map(({ text, tone }) => {
            const Shape = toneIcons[tone]
            return (
              <span key={text} className={styles.progressNote} data-tone={tone}>
                <Shape size={14} aria-hidden="true" /> {text}
              </span>
            )
          })}
        </li>
      ))}
    </ol>
  )
}

function stepsOf({ event, routed, hooks }: EventDetail): Step[] {
  const accepted = { title: `Accepted ${formatClock(new Date(event.accepted_at))}`, notes: [] }
  if (routed === null) return [accepted, { title: 'Waiting to be matched', notes: [] }]
  const last = hooks.flatMap(({ deliveries }) => deliveries.at(-1) ?? [])
  const unmatched = hooks.filter(({ deliveries }) => deliveries.length === 0).length
  const count = (state: DeliveryState) => last.filter((delivery) => delivery.state === state).length
  const outcomes: Step['notes'] = deliveryStates
    .filter((state) => count(state) > 0)
    .map((state) => {
      const { label, tone } = deliveryStateText[state]
      return { text: `${count(state)} ${label.toLowerCase()}`, tone }
    })
  if (unmatched > 0) outcomes.push({ text: `${unmatched} not matched`, tone: 'neutral' })
  return [
    accepted,
    { title: `${plural(hooks.length, 'webhook')} checked`, notes: [] },
    { title: outcomes.length === 0 ? 'No webhooks' : 'Deliveries', notes: outcomes },
  ]
}
