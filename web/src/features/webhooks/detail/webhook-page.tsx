/** Page of one webhook: health first, then stats, attempts, settings and secret. */
import { Button, Skeleton } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isErrorCode } from '../../../api/client.ts'
import type { HookDetail } from '../../../api/types.ts'
import { webhookQuery } from '../../../api/webhooks.ts'
import { type DialogRequest, WebhookDialogs } from '../actions/webhook-dialogs.tsx'
import { useDisable } from '../actions/use-disable.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { ButtonLink, TextLink } from '../../../ui/layout/links.tsx'
import { Mono } from '../../../ui/data/mono.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { WebhookAttempts } from './webhook-attempts.tsx'
import { FailureReasons } from './failure-reasons.tsx'
import { WebhookStats } from './webhook-stats.tsx'
import { WebhookSettings } from './webhook-settings.tsx'
import { HealthNotice } from './health-notice.tsx'
import { SigningSecret } from './signing-secret.tsx'
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
      {visible === undefined && detail.isPending && <PageSkeleton id={id} />}
      {visible === undefined && detail.isError && (
        <>
          <PageHeader title={`Webhook ${id}`} />
          <Panel>
            {isNotFound ? (
              <EmptyState icon={<IconWebhook size={28} stroke={1.5} />} title={`Webhook ${id} not found`}>
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
  const shouldSendTest = useLocation({ select: ({ state }) => state.shouldSendTest === true })
  const navigate = route.useNavigate()
  const disable = useDisable()
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
        title={`Webhook ${hook.id}`}
        description={<Mono text={hook.target_url} label="URL" />}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconSend size={16} />}
              disabled={!hook.enabled}
              onClick={() => openDialog('test')}
            >
              Send test event
            </Button>
            <ButtonLink
              variant="default"
              leftSection={<IconPencil size={16} />}
              to="/webhooks/$id/edit"
              params={{ id: String(hook.id) }}
            >
              Edit
            </ButtonLink>
            {hook.enabled ? (
              <Button
                variant="default"
                leftSection={<IconPlayerPause size={16} />}
                onClick={() => disable(hook)}
              >
                Disable
              </Button>
            ) : (
              <Button leftSection={<IconPlayerPlay size={16} />} onClick={() => openDialog('enable')}>
                Enable
              </Button>
            )}
          </>
        }
      />
      <HealthNotice detail={detail} />
      <WebhookStats webhook={detail} />
      <FailureReasons hookId={hook.id} />
      <WebhookAttempts hookId={hook.id} />
      <WebhookSettings detail={detail} />
      <SigningSecret detail={detail} />
      <Panel
        tone="danger"
        title="Delete webhook"
        description="Deliveries stop immediately. Past events stay available."
        actions={
          <Button color="red" variant="light" onClick={() => openDialog('delete')}>
            Delete webhook
          </Button>
        }
      />
      <WebhookDialogs
        request={request}
        close={() => setRequest(null)}
        onDeleted={() => void navigate({ to: '/webhooks' })}
      />
    </>
  )
}

function PageSkeleton({ id }: { id: string }) {
  return (
    <>
      <PageHeader
        title={`Webhook ${id}`}
        description={<Skeleton height={20} width="60%" component="span" />}
      />
      <Skeleton height={64} mb="lg" />
      <Skeleton height={98} mb="lg" />
      <Skeleton height={430} />
    </>
  )
}
