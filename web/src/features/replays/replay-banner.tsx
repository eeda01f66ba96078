/** Shows a running replay on every page. */
import { useQuery } from '@tanstack/react-query'
import { isActive, replaysQuery } from '../../api/replays.ts'
import { TextLink } from '../../ui/layout/links.tsx'
import { replayStateText } from '../../messages/states.ts'
import { ReplayProgress } from './replay-progress.tsx'
import styles from './replay.module.css'

export function ReplayBanner() {
  const active = useQuery(replaysQuery).data?.filter(isActive) ?? []
  const [first] = active
  if (first === undefined) return null
  return (
    <section className={styles.banner} aria-label="Active replay">
      <TextLink to="/replays/$id" params={{ id: String(first.id) }}>
        Replay {first.id} is {replayStateText[first.state].label.toLowerCase()}
      </TextLink>
      <span className={styles.bar}>
        <ReplayProgress replay={first} />
      </span>
      {active.length > 1 && <TextLink to="/replays">and {active.length - 1} more</TextLink>}
    </section>
  )
}
