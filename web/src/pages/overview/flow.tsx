/** Everything in figures and over time. */
import { useQuery } from '@tanstack/react-query'
import type { Overview, OverviewRange } from '../../api/shapes.ts'
import { overviewQuery } from '../../api/overview.ts'
import { OverTime } from '../../parts/over-time/over-time.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type Stat, Stats } from '../../parts/stats.tsx'
import { useNow } from '../../parts/use-now.ts'
import { counted, figure } from '../../words/count.ts'
import { durationWords, percentWords } from '../../words/figures.ts'
import { rangeWords } from '../../words/ranges.ts'
import { toneOfShare, unfinishedWords } from '../../words/states.ts'
import { relativeTime } from '../../words/time.ts'

const flow = [
  { name: 'events', title: 'Events accepted', color: 'var(--text-quiet)' },
  { name: 'delivered', title: 'Deliveries made', color: 'var(--accent)' },
]
const failures = [{ name: 'failed', title: 'Deliveries failed', color: 'var(--bad)' }]

export function Flow({ range }: { range: OverviewRange }) {
  const overview = useQuery(overviewQuery(range))
  const shown = overview.data?.range ?? range
  const { words, step } = rangeWords[shown]
  return (
    <div data-old={overview.isPlaceholderData}>
      <Figures range={shown} totals={overview.data?.totals} />
      <Panel title="Events and deliveries">
        <OverTime
          range={words}
          step={step}
          rows={overview.data?.buckets}
          flow={flow}
          failures={failures}
          nothing="No event in this time. Each one is drawn here as it comes."
        />
      </Panel>
    </div>
  )
}

function Figures({ range, totals }: { range: OverviewRange; totals: Overview['totals'] | undefined }) {
  const now = useNow()
  const stats: Stat[] =
    totals === undefined
      ? ['Events', 'Delivered after retries', 'Receivers answer in', 'Waiting now'].map((title) => ({
          title,
          figure: undefined,
        }))
      : [
          {
            title: 'Events',
            figure: figure(totals.events),
            more: `${counted(totals.delivered, 'delivery', 'deliveries')} made`,
            link: { to: '/events', search: { since: range } },
          },
          successStat(totals, range),
          {
            title: 'Receivers answer in',
            figure: totals.receiver_p95_ms === null ? '–' : durationWords(totals.receiver_p95_ms),
            more: totals.receiver_p95_ms === null ? 'No answer yet' : '95 of 100 times, or faster',
          },
          {
            title: 'Waiting now',
            figure: figure(totals.waiting),
            more: (
              <>
                {totals.oldest_waiting_at === null
                  ? 'Nothing waits'
                  : `oldest from ${relativeTime(new Date(totals.oldest_waiting_at), now)}`}
                {totals.held > 0 && `, ${figure(totals.held)} held`}
              </>
            ),
            link: { to: '/events', search: { state: 'waiting' } },
          },
        ]
  return <Stats label={rangeWords[range].words} stats={stats} />
}

function successStat(totals: Overview['totals'], range: OverviewRange): Stat {
  const { success_after_retries: share, failed, expired, waiting } = totals
  return {
    title: 'Delivered after retries',
    figure: share === null ? '–' : percentWords(share),
    more:
      share === null
        ? unfinishedWords(waiting)
        : `${figure(failed)} failed${expired === 0 ? '' : `, ${figure(expired)} expired`}`,
    ...(share !== null && toneOfShare(share) === 'bad' && { tone: 'bad' as const }),
    link: { to: '/events', search: { state: 'failed', since: range } },
  }
}
