/** The way of an event in three steps: accepted, considered, what became of it. */
import { IconArrowRight } from '@tabler/icons-react'
import type { DeliveryState, EventStory } from '../../api/shapes.ts'
import { shapeOf } from '../../parts/state-badge.tsx'
import { clockTime } from '../../words/clock.ts'
import { counted } from '../../words/count.ts'
import { deliveryStates, deliveryWords } from '../../words/states.ts'
import styles from './event.module.css'

interface Step {
  title: string
  more: { words: string; tone: 'good' | 'attention' | 'bad' | 'quiet' | 'accent' }[]
}

export function EventWay({ story }: { story: EventStory }) {
  const steps = stepsOf(story)
  return (
    <ol className={styles.way} aria-label="What became of it">
      {steps.map(({ title, more }, index) => (
        <li key={title} className={styles.wayStep}>
          {index > 0 && <IconArrowRight className={styles.arrow} size={18} aria-hidden="true" />}
          <span>{title}</span>
          {more.map(({ words, tone }) => {
            const Shape = shapeOf[tone]
            return (
              <span key={words} className={styles.wayMore} data-tone={tone}>
                <Shape size={14} aria-hidden="true" /> {words}
              </span>
            )
          })}
        </li>
      ))}
    </ol>
  )
}

const ends: Record<DeliveryState, string> = {
  delivered: 'delivered to',
  failed: 'failed at',
  expired: 'too late for',
  cancelled: 'cancelled at',
  waiting: 'waiting for',
  held: 'held for',
}

function stepsOf({ event, routed, hooks }: EventStory): Step[] {
  const accepted = { title: `Accepted ${clockTime(new Date(event.accepted_at))}`, more: [] }
  if (routed === null) return [accepted, { title: 'Not matched against webhooks yet', more: [] }]
  const last = hooks.flatMap(({ deliveries }) => deliveries.at(-1) ?? [])
  const unwanted = hooks.filter(({ deliveries }) => deliveries.length === 0).length
  const count = (state: DeliveryState) => last.filter((delivery) => delivery.state === state).length
  const became: Step['more'] = deliveryStates
    .filter((state) => count(state) > 0)
    .map((state) => ({ words: `${ends[state]} ${count(state)}`, tone: deliveryWords[state].tone }))
  if (unwanted > 0) became.push({ words: `not wanted by ${unwanted}`, tone: 'quiet' })
  return [
    accepted,
    { title: `${counted(hooks.length, 'webhook')} considered`, more: [] },
    {
      title: became.length === 0 ? 'No webhook was there' : 'What became of it',
      more: became,
    },
  ]
}
