/** Lists webhooks with their health and actions. */
import { IconPlus, IconWebhook, IconZoomExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { webhooksQuery } from '../../api/webhooks.ts'
import { lazyOptional } from '../../lib/lazy-optional.ts'
import { useAccess } from '../auth/use-access.ts'
import { type DialogRequest, WebhookDialogs } from './actions/webhook-dialogs.tsx'
import { DataTable } from '../../ui/data/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { WebhookFilters } from './webhook-filters.tsx'
import { webhookColumns } from './webhook-columns.tsx'
import { filterWebhooks } from './filter-webhooks.ts'

const route = getRouteApi('/app/webhooks')

const FirstSteps = lazyOptional(async () => (await import('../onboarding/first-steps.tsx')).FirstSteps)

const newHook = (
  <ButtonLink to="/webhooks/new" leftSection={<IconPlus size={16} />}>
    New webhook
  </ButtonLink>
)

export function WebhooksPage() {
  const search = route.useSearch()
  const hooks = useQuery(webhooksQuery)
  const [request, setRequest] = useState<DialogRequest | null>(null)
  const access = useAccess()
  const isManager = access.hasRole('developer')
  const hasNone = hooks.data?.length === 0
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Endpoints that receive your events"
        {...(isManager && {
          actions: (
            <>
              <ButtonLink to="/webhooks/test-receiver" variant="default">
                Test receiver
              </ButtonLink>
              {!hasNone && newHook}
            </>
          ),
        })}
      />
      {hasNone && isManager && (
        <Suspense>
          <FirstSteps />
        </Suspense>
      )}
      {hooks.data !== undefined && hooks.data.length > 1 && <WebhookFilters hooks={hooks.data} />}
      <Panel isFlush>
        <DataTable
          label="Webhooks"
          columns={webhookColumns(setRequest)}
          rows={hooks.data && filterWebhooks(hooks.data, search)}
          keyOf={({ hook }) => hook.id}
          error={hooks.error}
          retry={() => void hooks.refetch()}
          empty={hasNone ? <NoHooks isManager={isManager} /> : <NoMatch />}
          skeletonRows={5}
          isWide
        />
      </Panel>
      <WebhookDialogs request={request} close={() => setRequest(null)} />
    </>
  )
}

function NoHooks({ isManager }: { isManager: boolean }) {
  return (
    <EmptyState
      icon={<IconWebhook size={28} stroke={1.5} />}
      title="No webhooks yet"
      {...(isManager && { action: newHook })}
    >
      A webhook sends each event to your endpoint as it happens, for example an inbound SMS.
    </EmptyState>
  )
}

function NoMatch() {
  return (
    <EmptyState icon={<IconZoomExclamation size={28} stroke={1.5} />} title="No matching webhooks">
      Change the filter or show all states.
    </EmptyState>
  )
}
