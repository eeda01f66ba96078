/** Start page: figures and issues first, then charts. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '../../lib/load-chunk.ts'
import { webhooksQuery } from '../../api/webhooks.ts'
import { overviewQuery } from '../../api/overview.ts'
import { useSession } from '../auth/session-context.ts'
import { SegmentedControl } from '../../ui/form/segmented-control.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { rangeText } from '../../messages/time-ranges.ts'
import { AlertList } from './alert-list.tsx'
import { NextSteps } from './next-steps.tsx'
import { Totals } from './totals.tsx'

const route = getRouteApi('/app/')

/** Loaded lazily, so figures and issues appear before the charts. */
const Activity = lazyPart(async () => (await import('./activity.tsx')).Activity)

const loadingStats = <Skeleton height={480} mt="lg" radius="md" />

export function OverviewPage() {
  const { account } = useSession()
  const { range = '24h' } = route.useSearch()
  const navigate = route.useNavigate()
  const hooks = useQuery(webhooksQuery)
  const overview = useQuery(overviewQuery(range))
  // A new account gets a guide instead of empty charts.
  const isNew = hooks.data?.length === 0 && overview.data?.totals.events === 0
  // The alert list already shows the error.
  const isUnavailable = overview.isError && overview.data === undefined
  // Until both have loaded, the page cannot tell whether the account is new.
  const isReady = [hooks, overview].every(({ data, isError }) => data !== undefined || isError)
  return (
    <>
      <PageHeader
        title="Overview"
        description={
          <>
            Delivery health of <bdi>{account.name}</bdi>
          </>
        }
        {...(!isNew && {
          actions: (
            <SegmentedControl
              label="Time range"
              choices={(['1h', '24h', '7d', '30d'] as const).map((option) => ({
                title: rangeText[option].short,
                isChosen: option === range,
                choose: () =>
                  void navigate({
                    search: option === '24h' ? {} : { range: option },
                    replace: true,
                    resetScroll: false,
                  }),
              }))}
            />
          ),
        })}
      />
      {!isNew && !isUnavailable && (
        <div data-stale={overview.isPlaceholderData}>
          <Totals range={overview.data?.range ?? range} totals={overview.data?.totals} />
        </div>
      )}
      {isNew && <NextSteps isNew />}
      <AlertList hasHooks={!isNew} />
      {!isNew && <NextSteps isNew={false} />}
      {!isReady && loadingStats}
      {isReady && !isUnavailable && !isNew && (
        <Suspense fallback={loadingStats}>
          <Activity range={range} />
        </Suspense>
      )}
    </>
  )
}
