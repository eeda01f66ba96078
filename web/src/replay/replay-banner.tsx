/** While a replay is under way, every page says so. */
import { useQuery } from '@tanstack/react-query'
import { isUnderWay, replaysQuery } from '../api/replays.ts'
import { TextLink } from '../parts/links.tsx'
import { replayWords } from '../words/states.ts'
import { ReplayProgress } from './replay-progress.tsx'
import styles from './replay.module.css'

export function ReplayBanner() {
  const open = useQuery(replaysQuery).data?.filter(isUnderWay) ?? []
  const [first] = open
  if (first === undefined) return null
  return (
    <section className={styles.banner} aria-label="Replay under way">
      <TextLink to="/replays/$id" params={{ id: String(first.id) }}>
        Replay {first.id} is {replayWords[first.state].word.toLowerCase()}
      </TextLink>
      <span className={styles.bar}>
        <ReplayProgress of={first} />
      </span>
      {open.length > 1 && <TextLink to="/replays">and {open.length - 1} more</TextLink>}
    </section>
  )
}
