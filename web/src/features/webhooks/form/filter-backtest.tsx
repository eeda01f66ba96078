/** Backtests the filter on recent events: how many match, and which. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FilterSample, FilterBacktest as BacktestResult } from '../../../api/types.ts'
import { filterBacktestQuery } from '../../../api/webhooks.ts'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { TextLink } from '../../../ui/layout/links.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { Meter } from '../../../ui/feedback/meter.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { plural, formatNumber } from '../../../lib/format-number.ts'
import { formatPercent } from '../../../lib/format-duration.ts'
import { eventTypeText, severalTypes } from '../../../messages/event-types.ts'
import { rightText } from '../../../messages/roles.ts'
import { useAccess } from '../../auth/use-access.ts'
import { type FormValues, typesOf } from './form-values.ts'
import styles from './webhook-form.module.css'

interface FilterBacktestProps {
  values: FormValues
  hookId: number | undefined
  /** Whether the service has validated the current values. */
  isValidated: boolean
  /** The filter field already shows the error. */
  isInvalid: boolean
}

export function FilterBacktest({ values, hookId, isValidated, isInvalid }: FilterBacktestProps) {
  const { canReveal } = useAccess()
  const hasNoTypes = values.eventType === severalTypes && values.eventTypes.length === 0
  const cannotRun = isInvalid || hasNoTypes
  const backtest = useQuery({
    ...filterBacktestQuery(typesOf(values), hookId),
    enabled: canReveal && isValidated && !cannotRun,
  })
  const result = cannotRun || backtest.isError ? undefined : backtest.data
  // Matches tell what numbers and texts contain.
  if (!canReveal)
    return (
      <Panel title="Test on recent events">
        <p className={styles.empty}>
          {`Requires the right “${rightText.can_reveal.label}”. An admin of the account can give it.`}
        </p>
      </Panel>
    )
  return (
    <Panel title="Test on recent events" description="No requests are sent. Numbers are masked.">
      <div className={styles.backtest} data-stale={backtest.isPlaceholderData}>
        <div role="status">
          {cannotRun && (
            <p className={styles.empty}>
              {hasNoTypes ? 'Choose an event type to run the test.' : 'Fix the filter to run the test.'}
            </p>
          )}
          {!cannotRun && backtest.isPending && <Skeleton height={120} />}
          {result !== undefined && <Summary result={result} />}
        </div>
        {!cannotRun && backtest.isError && <ErrorNotice error={backtest.error} isChange={false} />}
        {result !== undefined && result.examined > 0 && <Matches result={result} />}
      </div>
    </Panel>
  )
}

function Summary({ result: { examined, matched, current_matched: current } }: { result: BacktestResult }) {
  if (examined === 0) return <p className={styles.empty}>No events to test yet</p>
  return (
    <p className={styles.summary}>
      Matches <strong>{formatNumber(matched)}</strong> of your last {plural(examined, 'event')}
      {current !== null && `: ${formatDifference(matched - current)}`}.
    </p>
  )
}

function Matches({ result }: { result: BacktestResult }) {
  const { examined, matched, current_matched: current, samples } = result
  const ratio = matched / examined
  const tabs = [
    { title: 'Matched', samples: samples.matched },
    { title: 'Not matched', samples: samples.not_matched },
    ...(current === null
      ? []
      : [
          { title: 'Added', samples: samples.gained },
          { title: 'Removed', samples: samples.lost },
        ]),
  ]
  return (
    <>
      <Meter ratio={ratio} tone="info" label="Match ratio" text={formatPercent(ratio)} />
      <Tabs
        label="Events"
        tabs={tabs.map(({ title, samples: rows }) => ({ title, content: <Samples samples={rows} /> }))}
      />
    </>
  )
}

function formatDifference(difference: number): string {
  if (difference === 0) return 'same as the saved filter'
  return difference > 0
    ? `${formatNumber(difference)} more than the saved filter`
    : `${formatNumber(-difference)} fewer than the saved filter`
}

function Samples({ samples }: { samples: readonly FilterSample[] }) {
  if (samples.length === 0) return <p className={styles.empty}>No events</p>
  return (
    <ul className={styles.samples}>
      {samples.map((sample) => (
        <li key={sample.event_id}>
          <TextLink to="/events/$id" params={{ id: sample.event_id }}>
            {eventTypeText(sample.type).name}
          </TextLink>
          <span className={styles.numbers}>
            {sample.from ?? '–'} → {sample.to ?? '–'}
          </span>
          <span className={styles.muted}>
            <RelativeTime at={sample.accepted_at} />
          </span>
          {sample.why !== null && <span className={styles.why}>{sample.why}</span>}
        </li>
      ))}
    </ul>
  )
}
