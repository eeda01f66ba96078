/** Stats of the account, as totals and over time. */
import { useQuery } from '@tanstack/react-query'
import type { Overview, OverviewRange } from '../../api/types.ts'
import { overviewQuery } from '../../api/overview.ts'
import type { PlotSpec } from '../../ui/time-series/series.ts'
import { TimeSeries } from '../../ui/time-series/time-series.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { type Stat, StatCards } from '../../ui/data/stat-cards.tsx'
import { useNow } from '../../lib/use-now.ts'
import { plural, formatNumber } from '../../lib/format-number.ts'
import { formatDuration, formatPercent } from '../../lib/format-duration.ts'
import { rangeText } from '../../messages/time-ranges.ts'
import { toneForRatio, describePending } from '../../messages/states.ts'
import { formatRelative } from '../../lib/format-time.ts'

const plots: readonly PlotSpec[] = [
  {
    title: 'Volume',
    shape: 'areas',
    height: 200,
    series: [
      { name: 'events', title: 'Events accepted', color: 'var(--text-muted)' },
      { name: 'delivered', title: 'Deliveries', color: 'var(--accent)' },
    ],
  },
  {
    title: 'Failures (separate scale)',
    shape: 'bars',
    height: 96,
    series: [{ name: 'failed', title: 'Failed deliveries', color: 'var(--danger)' }],
  },
]

export function Activity({ range }: { range: OverviewRange }) {
  const overview = useQuery(overviewQuery(range))
  const dataRange = overview.data?.range ?? range
  const { label, step } = rangeText[dataRange]
  return (
    <div data-stale={overview.isPlaceholderData}>
      <Totals range={dataRange} totals={overview.data?.totals} />
      <Panel title="Events and deliveries">
        <TimeSeries
          range={label}
          step={step}
          rows={overview.data?.buckets}
          plots={plots}
          emptyText="No events in this period"
        />
      </Panel>
    </div>
  )
}

function Totals({ range, totals }: { range: OverviewRange; totals: Overview['totals'] | undefined }) {
  const now = useNow()
  const stats: Stat[] =
    totals === undefined
      ? ['Events', 'Success rate', 'Response time (p95)', 'Pending'].map((title) => ({
          title,
          value: undefined,
        }))
      : [
          {
            title: 'Events',
            value: formatNumber(totals.events),
            more: plural(totals.delivered, 'delivery', 'deliveries'),
            link: { to: '/events', search: { since: range } },
          },
          successStat(totals, range),
          {
            title: 'Response time (p95)',
            value: totals.receiver_p95_ms === null ? '–' : formatDuration(totals.receiver_p95_ms),
            more: totals.receiver_p95_ms === null ? 'No responses yet' : '95% of responses are faster',
          },
          {
            title: 'Pending',
            value: formatNumber(totals.waiting),
            more: (
              <>
                {totals.oldest_waiting_at === null
                  ? 'None pending'
                  : `Oldest ${formatRelative(new Date(totals.oldest_waiting_at), now)}`}
                {totals.held > 0 && `, ${formatNumber(totals.held)} on hold`}
              </>
            ),
            link: { to: '/events', search: { state: 'waiting' } },
          },
        ]
  return <StatCards label={rangeText[range].label} stats={stats} />
}

function successStat(totals: Overview['totals'], range: OverviewRange): Stat {
  const { success_after_retries: successRate, failed, expired, waiting } = totals
  return {
    title: 'Success rate',
    value: successRate === null ? '–' : formatPercent(successRate),
    more:
      successRate === null
        ? describePending(waiting)
        : `${formatNumber(failed)} failed${expired === 0 ? '' : `, ${formatNumber(expired)} expired`}`,
    ...(successRate !== null && toneForRatio(successRate) === 'danger' && { tone: 'danger' as const }),
    link: { to: '/events', search: { state: 'failed', since: range } },
  }
}
