/** The start: is it working, and if not, what is to be done; then how it goes over time. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { hooksQuery } from '../../api/hooks.ts'
import { overviewQuery } from '../../api/overview.ts'
import { useSession } from '../../frame/session-context.ts'
import { Choices } from '../../parts/choices.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { rangeWords } from '../../words/ranges.ts'
import { AttentionList } from './attention-list.tsx'
import { NextSteps } from './next-steps.tsx'

const route = getRouteApi('/area/')

/** Loaded when there are figures: what needs attention stands there before. */
const Flow = lazy(async () => ({ default: (await import('./flow.tsx')).Flow }))

const figuresToCome = <Skeleton height={560} mt="lg" radius="md" />

export function OverviewPage() {
  const { account } = useSession()
  const { range = '24h' } = route.useSearch()
  const navigate = route.useNavigate()
  const hooks = useQuery(hooksQuery)
  const overview = useQuery(overviewQuery(range))
  // With nothing to show yet, the way to the first webhook is more use than empty charts.
  const isNew = hooks.data?.length === 0 && overview.data?.totals.events === 0
  // That it could not be loaded is said once, above.
  const isLost = overview.isError && overview.data === undefined
  const isKnown = hooks.data !== undefined || hooks.isError
  return (
    <>
      <PageHeader
        title="Overview"
        about={
          <>
            Whether the events of <bdi>{account.name}</bdi> arrive, and what to do where they do not.
          </>
        }
        {...(!isNew && {
          actions: (
            <Choices
              label="Range"
              choices={(['24h', '30d'] as const).map((one) => ({
                title: rangeWords[one].short,
                isChosen: one === range,
                choose: () =>
                  void navigate({
                    search: one === '24h' ? {} : { range: one },
                    replace: true,
                    resetScroll: false,
                  }),
              }))}
            />
          ),
        })}
      />
      {isNew && <NextSteps />}
      <AttentionList hasHooks={!isNew} />
      {!isKnown && figuresToCome}
      {isKnown && !isLost && !isNew && (
        <Suspense fallback={figuresToCome}>
          <Flow range={range} />
        </Suspense>
      )}
    </>
  )
}
