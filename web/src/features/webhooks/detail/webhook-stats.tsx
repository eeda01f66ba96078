/** Stats of a webhook, as totals and over time. The URL holds the range. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { HookRange, HookWithHealth } from '../../../api/types.ts'
import { webhookStatsQuery } from '../../../api/webhooks.ts'
import { describeCounted } from '../../../messages/webhook-health.ts'
import type { PlotSpec } from '../../../ui/time-series/series.ts'
import { TimeSeries } from '../../../ui/time-series/time-series.tsx'
import { SegmentedControl } from '../../../ui/form/segmented-control.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { StatCards } from '../../../ui/data/stat-cards.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { plural, formatNumber } from '../../../lib/format-number.ts'
import { formatDuration, formatPercent } from '../../../lib/format-duration.ts'
import { rangeText } from '../../../messages/time-ranges.ts'
import { toneForRatio } from '../../../messages/states.ts'
import { formatRelative } from '../../../lib/format-time.ts'
import { omit } from '../../../lib/omit.ts'

const route = getRouteApi('/app/webhooks/$id')

const ranges: readonly HookRange[] = ['24h', '7d', '30d']

const plots: readonly PlotSpec[] = [
  {
    title: 'Volume',
    shape: 'areas',
    height: 200,
    series: [{ name: 'delivered', title: 'Delivered', color: 'var(--accent)' }],
  },
  {
    title: 'Failures (separate scale)',
    shape: 'bars',
    height: 96,
    series: [
      {
        name: 'failures',
        title: 'Failed attempts',
        color: 'color-mix(in srgb, var(--danger) 45%, var(--surface))',
      },
      { name: 'undelivered', title: 'Failed or expired deliveries', color: 'var(--danger)' },
    ],
  },
]

export function WebhookStats({ webhook }: { webhook: HookWithHealth }) {
  const { range = '24h' } = route.useSearch()
  const navigate = route.useNavigate()
  const stats = useQuery(webhookStatsQuery(webhook.hook.id, range))
  const { label, step } = rangeText[stats.data?.range ?? range]
  return (
    <>
      <Totals webhook={webhook} />
      <Panel
        title="Deliveries"
        actions={
          <SegmentedControl
            label="Time range"
            choices={ranges.map((option) => ({
              title: rangeText[option].short,
              isChosen: option === range,
              choose: () =>
                void navigate({
                  search: (now) => (option === '24h' ? omit(now, 'range') : { ...now, range: option }),
                  replace: true,
                  resetScroll: false,
                }),
            }))}
          />
        }
      >
        {stats.isError && stats.data === undefined ? (
          <ErrorState error={stats.error} retry={() => void stats.refetch()} />
        ) : (
          <div data-stale={stats.isPlaceholderData}>
            <TimeSeries
              range={label}
              step={step}
              rows={stats.data?.buckets.map((bucket) => ({
                ...bucket,
                undelivered: bucket.failed + bucket.expired,
              }))}
              plots={plots}
              emptyText="No deliveries in this period"
            />
          </div>
        )}
      </Panel>
    </>
  )
}

function Totals({ webhook: { hook, health } }: { webhook: HookWithHealth }) {
  const now = useNow()
  const { success_rate: successRate, receiver_p95_ms: p95, receiver_p50_ms: p50 } = health
  const hookSearch = { hook_id: hook.id }
  return (
    <StatCards
      label="Stats, last 24 hours"
      stats={[
        {
          title: 'Success rate (24h)',
          value: successRate === null ? '–' : formatPercent(successRate),
          more: describeCounted(health),
          ...(successRate !== null && toneForRatio(successRate) === 'danger' && { tone: 'danger' as const }),
          link: { to: '/events', search: { ...hookSearch, since: '24h' } },
        },
        {
          title: 'Attempts (24h)',
          value: formatNumber(health.attempts_24h),
          more: plural(health.failed_attempts_24h, 'failed attempt'),
        },
        {
          title: 'Response time (p95)',
          value: p95 === null ? '–' : formatDuration(p95),
          more: p50 === null ? 'No responses yet' : `Median ${formatDuration(p50)}`,
        },
        hook.enabled
          ? {
              title: 'Pending',
              value: formatNumber(health.waiting),
              more:
                health.oldest_waiting_at === null
                  ? 'None pending'
                  : `Oldest ${formatRelative(new Date(health.oldest_waiting_at), now)}`,
              link: { to: '/events', search: { ...hookSearch, state: 'waiting' } },
            }
          : {
              title: 'On hold',
              value: formatNumber(health.held),
              more: 'Until you enable the webhook',
              link: { to: '/events', search: { ...hookSearch, state: 'held' } },
            },
      ]}
    />
  )
}
