/** Everything that happened to the event, in order, in words. */
import type { EventStory } from '../../api/shapes.ts'
import { Clock } from '../../parts/clock.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useNow } from '../../parts/use-now.ts'
import { dayOf } from '../../words/clock.ts'
import { unbroken } from '../../words/unbroken.ts'
import styles from './event.module.css'

export function Timeline({ story: { timeline, event } }: { story: EventStory }) {
  const now = useNow()
  const firstDay = dayOf(new Date(event.accepted_at))
  return (
    <Panel title="Timeline">
      <ol className={styles.timeline}>
        {timeline.map(({ at, sentence }) => (
          <li key={`${at} ${sentence}`} data-ahead={Date.parse(at) > now}>
            <Clock at={at} isLong={dayOf(new Date(at)) !== firstDay} />
            <span className={styles.timelineSentence}>{unbroken(sentence)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
