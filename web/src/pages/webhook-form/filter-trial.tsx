/** The filter tried on what has really happened: how many events it would have let through, and which. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FilterSample, FilterTrial as Trial } from '../../api/shapes.ts'
import { filterTrialQuery } from '../../api/hooks.ts'
import { ChoiceTabs } from '../../parts/choice-tabs.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ShareBar } from '../../parts/share-bar.tsx'
import { Time } from '../../parts/time.tsx'
import { counted, figure } from '../../words/count.ts'
import { percentWords } from '../../words/figures.ts'
import { typeWords } from '../../words/event-types.ts'
import { filterOf, type FormValues } from './form-values.ts'
import styles from './webhook-form.module.css'

interface FilterTrialProps {
  values: FormValues
  hookId: number | undefined
  /** Whether the values have been judged as they are now. */
  isJudged: boolean
  /** What is wrong with the filter stands beside it already. */
  isWrong: boolean
}

export function FilterTrial({ values, hookId, isJudged, isWrong }: FilterTrialProps) {
  const trial = useQuery({
    ...filterTrialQuery(values.eventType, filterOf(values), hookId),
    enabled: isJudged && !isWrong,
  })
  const tried = isWrong || trial.isError ? undefined : trial.data
  return (
    <Panel title="Tried on your last events" about="Nothing is sent by this. Numbers are masked.">
      <div className={styles.trial} data-old={trial.isPlaceholderData}>
        <div role="status">
          {isWrong && <p className={styles.none}>It is tried as soon as nothing is wrong with the filter.</p>}
          {!isWrong && trial.isPending && <Skeleton height={120} />}
          {tried !== undefined && <Verdict of={tried} />}
        </div>
        {!isWrong && trial.isError && <FailureNote error={trial.error} isChange={false} />}
        {tried !== undefined && tried.examined > 0 && <Tried trial={tried} />}
      </div>
    </Panel>
  )
}

function Verdict({ of: { examined, matched, current_matched: current } }: { of: Trial }) {
  if (examined === 0) return <p className={styles.none}>There are no events yet that it could be tried on.</p>
  return (
    <p className={styles.verdict}>
      Would have matched <strong>{figure(matched)}</strong> of your last {counted(examined, 'event')}
      {current !== null && `: ${differenceWords(matched - current)}`}.
    </p>
  )
}

function Tried({ trial: { examined, matched, current_matched: current, samples } }: { trial: Trial }) {
  const share = matched / examined
  const tabs = [
    { title: 'Would get', of: samples.matched },
    { title: 'Would not get', of: samples.not_matched },
    ...(current === null
      ? []
      : [
          { title: 'New to it', of: samples.gained },
          { title: 'No longer', of: samples.lost },
        ]),
  ]
  return (
    <>
      <ShareBar share={share} tone="accent" label="Share of events that match" words={percentWords(share)} />
      <ChoiceTabs
        label="Events"
        tabs={tabs.map(({ title, of }) => ({ title, content: <Samples of={of} /> }))}
      />
    </>
  )
}

function differenceWords(difference: number): string {
  if (difference === 0) return 'as many as with the saved filter'
  return difference > 0
    ? `${figure(difference)} more than with the saved filter`
    : `${figure(-difference)} fewer than with the saved filter`
}

function Samples({ of: samples }: { of: readonly FilterSample[] }) {
  if (samples.length === 0) return <p className={styles.none}>None of them.</p>
  return (
    <ul className={styles.samples}>
      {samples.map((sample) => (
        <li key={sample.event_id}>
          <TextLink to="/events/$id" params={{ id: sample.event_id }}>
            {typeWords(sample.type).name}
          </TextLink>
          <span className={styles.numbers}>
            {sample.from ?? '–'} → {sample.to ?? '–'}
          </span>
          <span className={styles.quiet}>
            <Time at={sample.accepted_at} />
          </span>
          {sample.why !== null && <span className={styles.why}>{sample.why}</span>}
        </li>
      ))}
    </ul>
  )
}
