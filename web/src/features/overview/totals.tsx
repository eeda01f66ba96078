/** Figures of the account in the range: events, success rate, response time, pending deliveries. */
import type { Overview, OverviewRange } from '../../api/types.ts'
import { formatDuration, formatPercent } from '../../lib/format-duration.ts'
import { formatNumber, plural } from '../../lib/format-number.ts'
import { formatRelative } from '../../lib/format-time.ts'
import { useNow } from '../../lib/use-now.ts'
import { describePending, toneForRatio } from '../../messages/states.ts'
import { rangeText } from '../../messages/time-ranges.ts'
import { type Stat, StatCards } from '../../ui/data/stat-cards.tsx'

type OverviewTotals = Overview['totals']

const titles = {
  events: 'Events',
  success: 'Success rate',
  responseTime: 'Response time (p95)',
  pending: 'Pending',
}

export function Totals({ range, totals }: { range: OverviewRange; totals: OverviewTotals | undefined }) {
  const now = useNow()
  const stats: Stat[] =
    totals === undefined
      ? Object.values(titles).map((title) => ({ title, value: undefined }))
      : [
          {
            title: titles.events,
            value: formatNumber(totals.events),
            more: plural(totals.delivered, 'delivery', 'deliveries'),
            link: { to: '/events', search: { since: range } },
          },
          successStat(totals, range),
          {
            title: titles.responseTime,
            value: totals.receiver_p95_ms === null ? '–' : formatDuration(totals.receiver_p95_ms),
            more: totals.receiver_p95_ms === null ? 'No responses yet' : '95% of responses are faster',
            definition: `95% of the newest 2,000 responses of your servers in the ${rangeText[range].span} took less time.`,
          },
          pendingStat(totals, now),
        ]
  return <StatCards label={rangeText[range].label} stats={stats} />
}

function successStat(totals: OverviewTotals, range: OverviewRange): Stat {
  const { success_rate: successRate, failed, expired, overdue, waiting } = totals
  const parts = [
    `${formatNumber(failed)} failed`,
    ...(expired === 0 ? [] : [`${formatNumber(expired)} expired`]),
    ...(overdue === 0 ? [] : [`${formatNumber(overdue)} overdue`]),
    ...(waiting > overdue ? [`${formatNumber(waiting - overdue)} pending`] : []),
  ]
  return {
    title: titles.success,
    value: successRate === null ? '–' : formatPercent(successRate),
    more: successRate === null ? describePending(waiting) : parts.join(', '),
    definition:
      'Delivered / (delivered + failed + expired + overdue). A delivery is overdue if it has been pending for more than 10 minutes.',
    ...(successRate !== null && toneForRatio(successRate) === 'danger' && { tone: 'danger' as const }),
    link: {
      to: '/events',
      search: { state: failed === 0 && overdue > 0 ? 'waiting' : 'failed', since: range },
    },
  }
}

function pendingStat(totals: OverviewTotals, now: number): Stat {
  const oldest =
    totals.oldest_waiting_at === null
      ? 'None pending'
      : `Oldest ${formatRelative(new Date(totals.oldest_waiting_at), now)}`
  return {
    title: titles.pending,
    value: formatNumber(totals.waiting),
    more: totals.held > 0 ? `${oldest}, ${formatNumber(totals.held)} on hold` : oldest,
    link: { to: '/events', search: { state: 'waiting' } },
  }
}
