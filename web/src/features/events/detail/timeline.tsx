/** Lists what happened to the event, in order. */
import type { EventDetail } from '../../../api/types.ts'
import { Timestamp } from '../../../ui/time/timestamp.tsx'
import { useShowMore } from '../../../ui/data/use-show-more.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { formatDay } from '../../../lib/format-clock.ts'
import { describeStep } from '../../../messages/timeline.ts'
import styles from './event.module.css'

const maxSteps = 15

export function Timeline({ detail }: { detail: EventDetail }) {
  const { timeline, event } = detail
  const now = useNow()
  const { shown, showMore } = useShowMore(timeline, maxSteps, 'steps')
  const firstDay = formatDay(new Date(event.accepted_at))
  return (
    <Panel title="Timeline">
      <ol className={styles.timeline}>
        {shown.map((step) => {
          const { at, type, hook_id: hookId, round, attempt } = step
          return (
            <li key={[type, hookId, round, attempt].join(' ')} data-ahead={Date.parse(at) > now}>
              <Timestamp at={at} hasDate={formatDay(new Date(at)) !== firstDay} />
              <span className={styles.timelineText}>{describeStep(step, detail, new Date(now))}</span>
            </li>
          )
        })}
      </ol>
      {showMore}
    </Panel>
  )
}
