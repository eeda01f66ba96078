/** Webhooks: where events go, whether they arrive, and what to do about those that do not. */
import { IconPlus, IconWebhook, IconZoomExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { hooksQuery } from '../../api/hooks.ts'
import { type Asked, HookDialogs } from '../../hook-deeds/hook-dialogs.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { createHookCurl } from '../../words/curl.ts'
import { HookBar } from './hook-bar.tsx'
import { hookColumns } from './hook-columns.tsx'
import { shownHooks } from './shown-hooks.ts'

const route = getRouteApi('/area/webhooks')

const newHook = (
  <ButtonLink to="/webhooks/new" leftSection={<IconPlus size={16} />}>
    New webhook
  </ButtonLink>
)

export function WebhooksPage() {
  const search = route.useSearch()
  const hooks = useQuery(hooksQuery)
  const [asked, setAsked] = useState<Asked | null>(null)
  const hasNone = hooks.data?.length === 0
  return (
    <>
      <PageHeader
        title="Webhooks"
        about="Addresses of yours to which events are sent as they happen."
        {...(!hasNone && { actions: newHook })}
      />
      {hooks.data !== undefined && hooks.data.length > 1 && <HookBar hooks={hooks.data} />}
      <Panel isFlush>
        <DataTable
          label="Webhooks"
          columns={hookColumns(setAsked)}
          rows={hooks.data && shownHooks(hooks.data, search)}
          keyOf={({ hook }) => hook.id}
          error={hooks.error}
          retry={() => void hooks.refetch()}
          empty={hasNone ? <NoHooks /> : <NoMatch />}
          skeletonRows={5}
          isWide
        />
      </Panel>
      <HookDialogs asked={asked} close={() => setAsked(null)} />
    </>
  )
}

function NoHooks() {
  return (
    <EmptyState
      icon={<IconWebhook size={28} stroke={1.5} />}
      title="No webhook yet"
      action={newHook}
      steps={[
        {
          id: 'key',
          content: (
            <>
              Create an <TextLink to="/keys">API key</TextLink>, or go on here without one: the form shows
              what will be sent before you save.
            </>
          ),
        },
        {
          id: 'register',
          content: (
            <>
              <p>Register an address by a form, or by a line:</p>
              <CodeBlock what="command that registers a webhook" text={createHookCurl('<your key>')} />
            </>
          ),
        },
        { id: 'test', content: 'Send a test and see here what your server answered.' },
      ]}
    >
      A webhook is an address to which we send an event as it happens, for example an inbound SMS.
    </EmptyState>
  )
}

function NoMatch() {
  return (
    <EmptyState icon={<IconZoomExclamation size={28} stroke={1.5} />} title="No webhook fits">
      Change the filter, or show webhooks in every state.
    </EmptyState>
  )
}
