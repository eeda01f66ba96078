/** Page of one webhook: its health first, then tabs. The URL holds the tab, and each tab loads when it is opened. */
import { Button, Skeleton } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { isErrorCode } from '../../../api/client.ts'
import type { Hook, HookDetail } from '../../../api/types.ts'
import { webhookQuery } from '../../../api/webhooks.ts'
import { type DialogRequest, WebhookDialogs } from '../actions/webhook-dialogs.tsx'
import { useDisable } from '../actions/use-disable.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { LinkTabs } from '../../../ui/layout/link-tabs.tsx'
import { ButtonLink, TabLink, TextLink } from '../../../ui/layout/links.tsx'
import { Mono } from '../../../ui/data/mono.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { RoleGate } from '../../auth/role-gate.tsx'
import { useAccess } from '../../auth/use-access.ts'
import { HealthNotice } from './health-notice.tsx'
import { webhookName } from '../../../messages/webhook-name.ts'
import styles from './webhook.module.css'

const route = getRouteApi('/app/webhooks/$id')

export function WebhookPage() {
  const { id } = route.useParams()
  const detail = useQuery(webhookQuery(Number(id)))
  const isNotFound = isErrorCode(detail.error, 'notFound')
  const visible = isNotFound ? undefined : detail.data
  return (
    <>
      <TextLink to="/webhooks" className={styles.back}>
        ← All webhooks
      </TextLink>
      {visible !== undefined && <WebhookContent key={id} detail={visible} />}
      {visible === undefined && detail.isPending && <PageSkeleton />}
      {visible === undefined && detail.isError && (
        <>
          <PageHeader title="Webhook" />
          <Panel>
            {isNotFound ? (
              <EmptyState icon={<IconWebhook size={28} stroke={1.5} />} title="Webhook not found">
                The webhook may be deleted or belong to another account. Its past events are still in{' '}
                <TextLink to="/events">Events</TextLink>.
              </EmptyState>
            ) : (
              <ErrorState error={detail.error} retry={() => void detail.refetch()} />
            )}
          </Panel>
        </>
      )}
    </>
  )
}

function WebhookContent({ detail }: { detail: HookDetail }) {
  const { hook } = detail
  const { hasRole } = useAccess()
  const isTestRequested = useLocation({ select: ({ state }) => state.shouldSendTest === true })
  const shouldSendTest = isTestRequested && hasRole('support')
  const navigate = route.useNavigate()
  const [request, setRequest] = useState<DialogRequest | null>(
    shouldSendTest ? { kind: 'testNow', webhook: detail } : null,
  )
  const openDialog = (kind: DialogRequest['kind']) => setRequest({ kind, webhook: detail })
  useEffect(() => {
    // Clears the flag, so going back or reloading does not send another test event.
    if (shouldSendTest) void navigate({ search: (now) => now, state: {}, replace: true, resetScroll: false })
  }, [shouldSendTest, navigate])
  return (
    <>
      <PageHeader
        title={webhookName(hook)}
        description={<Mono text={hook.target_url} label="URL" />}
        {...(hasRole('support') && {
          actions: (
            <>
              <Button
                variant="default"
                leftSection={<IconSend size={16} />}
                disabled={!hook.enabled}
                onClick={() => openDialog('test')}
              >
                Send test event
              </Button>
              {hasRole('developer') && <ManageButtons hook={hook} enable={() => openDialog('enable')} />}
            </>
          ),
        })}
      />
      <HealthNotice detail={detail} />
      <WebhookTabs detail={detail} onDelete={() => openDialog('delete')} />
      <WebhookDialogs
        request={request}
        close={() => setRequest(null)}
        onDeleted={() => void navigate({ to: '/webhooks' })}
      />
    </>
  )
}

function ManageButtons({ hook, enable }: { hook: Hook; enable: () => void }) {
  const disable = useDisable()
  return (
    <>
      <ButtonLink
        variant="default"
        leftSection={<IconPencil size={16} />}
        to="/webhooks/$id/edit"
        params={{ id: String(hook.id) }}
      >
        Edit
      </ButtonLink>
      {hook.enabled ? (
        <Button variant="default" leftSection={<IconPlayerPause size={16} />} onClick={() => disable(hook)}>
          Disable
        </Button>
      ) : (
        <Button leftSection={<IconPlayerPlay size={16} />} onClick={enable}>
          Enable
        </Button>
      )}
    </>
  )
}

const ActivityTab = lazyPart(async () => (await import('./activity-tab.tsx')).ActivityTab)
const EventsTab = lazyPart(async () => (await import('./events-tab.tsx')).EventsTab)
const SettingsTab = lazyPart(async () => (await import('./settings-tab.tsx')).SettingsTab)
const SigningTab = lazyPart(async () => (await import('./signing-secret.tsx')).SigningSecret)
const HistoryTab = lazyPart(async () => (await import('./history-tab.tsx')).HistoryTab)

const tabs = [
  { tab: undefined, title: 'Activity' },
  { tab: 'events', title: 'Events' },
  { tab: 'settings', title: 'Settings' },
  { tab: 'signing', title: 'Signing' },
  { tab: 'history', title: 'History' },
] as const

function WebhookTabs({ detail, onDelete }: { detail: HookDetail; onDelete: () => void }) {
  const { tab: current } = route.useSearch()
  const { hasRole } = useAccess()
  const { id } = detail.hook
  const shown = tabs.filter(({ tab }) => tab !== 'signing' || hasRole('developer'))
  return (
    <>
      <LinkTabs label="Webhook">
        {shown.map(({ tab, title }) => (
          <TabLink
            key={title}
            to="/webhooks/$id"
            params={{ id: String(id) }}
            search={tab === undefined ? {} : { tab }}
            resetScroll={false}
            isCurrent={tab === current}
          >
            {title}
          </TabLink>
        ))}
      </LinkTabs>
      <Suspense fallback={<Skeleton height={430} />}>
        {current === undefined && <ActivityTab detail={detail} />}
        {current === 'events' && <EventsTab hookId={id} />}
        {current === 'settings' && <SettingsTab detail={detail} onDelete={onDelete} />}
        {current === 'signing' && (
          <RoleGate needed="developer">
            <SigningTab detail={detail} />
          </RoleGate>
        )}
        {current === 'history' && <HistoryTab hookId={id} />}
      </Suspense>
    </>
  )
}

function PageSkeleton() {
  return (
    <>
      <PageHeader title="Webhook" description={<Skeleton height={20} width="60%" component="span" />} />
      <Skeleton height={64} mb="lg" />
      <Skeleton height={98} mb="lg" />
      <Skeleton height={430} />
    </>
  )
}
