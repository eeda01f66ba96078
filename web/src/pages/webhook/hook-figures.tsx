/** A webhook in figures and over time; the range stands in the address. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { HookRange, HookWithHealth } from '../../api/shapes.ts'
import { hookStatsQuery } from '../../api/hooks.ts'
import { OverTime } from '../../parts/over-time/over-time.tsx'
import { Choices } from '../../parts/choices.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Stats } from '../../parts/stats.tsx'
import { useNow } from '../../parts/use-now.ts'
import { counted, figure } from '../../words/count.ts'
import { durationWords, percentWords } from '../../words/figures.ts'
import { rangeWords } from '../../words/ranges.ts'
import { toneOfShare } from '../../words/states.ts'
import { relativeTime } from '../../words/time.ts'
import { without } from '../../words/without.ts'

const route = getRouteApi('/area/webhooks/$id')

const ranges: readonly HookRange[] = ['24h', '7d', '30d']

const flow = [{ name: 'delivered', title: 'Delivered', color: 'var(--accent)' }]
const failures = [
  { name: 'failures', title: 'Failed attempts', color: 'color-mix(in srgb, var(--bad) 45%, var(--surface))' },
  { name: 'lost', title: 'Failed or expired for good', color: 'var(--bad)' },
]

export function HookFigures({ of }: { of: HookWithHealth }) {
  const { range = '24h' } = route.useSearch()
  const navigate = route.useNavigate()
  const stats = useQuery(hookStatsQuery(of.hook.id, range))
  const { words, step } = rangeWords[stats.data?.range ?? range]
  return (
    <>
      <Figures of={of} />
      <Panel
        title="Deliveries"
        actions={
          <Choices
            label="Range"
            choices={ranges.map((one) => ({
              title: rangeWords[one].short,
              isChosen: one === range,
              choose: () =>
                void navigate({
                  search: (now) => (one === '24h' ? without(now, 'range') : { ...now, range: one }),
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
          <div data-old={stats.isPlaceholderData}>
            <OverTime
              range={words}
              step={step}
              rows={stats.data?.buckets.map((bucket) => ({
                ...bucket,
                lost: bucket.failed + bucket.expired,
              }))}
              flow={flow}
              failures={failures}
              nothing="Nothing was delivered in this time. Send a test to see it arrive here."
            />
          </div>
        )}
      </Panel>
    </>
  )
}

function Figures({ of: { hook, health } }: { of: HookWithHealth }) {
  const now = useNow()
  const { success_rate: share, receiver_p95_ms: p95, receiver_p50_ms: p50 } = health
  const ofHook = { hook_id: hook.id }
  return (
    <Stats
      label="Figures of the last 24 hours"
      stats={[
        {
          title: 'Delivered after retries, 24 h',
          figure: share === null ? '–' : percentWords(share),
          more: `${figure(health.delivered_24h)} delivered, ${figure(health.failed_24h)} failed`,
          ...(share !== null && toneOfShare(share) === 'bad' && { tone: 'bad' as const }),
          link: { to: '/events', search: { ...ofHook, since: '24h' } },
        },
        {
          title: 'Attempts, 24 h',
          figure: figure(health.attempts_24h),
          more: `${figure(health.failed_attempts_24h)} of them failed`,
        },
        {
          title: 'Your server answers in',
          figure: p95 === null ? '–' : durationWords(p95),
          more: p50 === null ? 'No answer yet' : `95 of 100 times; half of the time in ${durationWords(p50)}`,
        },
        hook.enabled
          ? {
              title: 'Waiting',
              figure: figure(health.waiting),
              more:
                health.oldest_waiting_at === null
                  ? 'Nothing waits'
                  : `oldest from ${relativeTime(new Date(health.oldest_waiting_at), now)}`,
              link: { to: '/events', search: { ...ofHook, state: 'waiting' } },
            }
          : {
              title: 'Held',
              figure: figure(health.held),
              more: `${counted(health.held, 'event')} for when it is enabled`,
              link: { to: '/events', search: { ...ofHook, state: 'held' } },
            },
      ]}
    />
  )
}
