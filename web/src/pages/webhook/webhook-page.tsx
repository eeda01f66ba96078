/** One webhook: is it working, since when not and why, what to do; then everything about it. */
import { Button, Skeleton } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hasCode } from '../../api/api.ts'
import type { HookStory } from '../../api/shapes.ts'
import { hookQuery } from '../../api/hooks.ts'
import { type Asked, HookDialogs } from '../../hook-deeds/hook-dialogs.tsx'
import { useDisable } from '../../hook-deeds/use-disable.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { Mono } from '../../parts/mono.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { HookAttempts } from './hook-attempts.tsx'
import { HookErrors } from './hook-errors.tsx'
import { HookFigures } from './hook-figures.tsx'
import { HookSettings } from './hook-settings.tsx'
import { HookStateNotice } from './hook-state-notice.tsx'
import { SigningSecret } from './signing-secret.tsx'
import styles from './webhook.module.css'

const route = getRouteApi('/area/webhooks/$id')

export function WebhookPage() {
  const { id } = route.useParams()
  const story = useQuery(hookQuery(Number(id)))
  const isGone = hasCode(story.error, 'notFound')
  const shown = isGone ? undefined : story.data
  return (
    <>
      <TextLink to="/webhooks" className={styles.back}>
        ← All webhooks
      </TextLink>
      {shown !== undefined && <OneWebhook key={id} story={shown} />}
      {shown === undefined && story.isPending && <PageSkeleton id={id} />}
      {shown === undefined && story.isError && (
        <>
          <PageHeader title={`Webhook ${id}`} />
          <Panel>
            {isGone ? (
              <EmptyState icon={<IconWebhook size={28} stroke={1.5} />} title={`There is no webhook ${id}`}>
                It may have been deleted, or belong to another account. What was sent to it is still in the{' '}
                <TextLink to="/events">events</TextLink>.
              </EmptyState>
            ) : (
              <ErrorState error={story.error} retry={() => void story.refetch()} />
            )}
          </Panel>
        </>
      )}
    </>
  )
}

function OneWebhook({ story }: { story: HookStory }) {
  const { hook } = story
  const isToBeTested = useLocation({ select: ({ state }) => state.isToBeTested === true })
  const navigate = route.useNavigate()
  const disable = useDisable()
  const [asked, setAsked] = useState<Asked | null>(isToBeTested ? { what: 'testNow', of: story } : null)
  const ask = (what: Asked['what']) => setAsked({ what, of: story })
  useEffect(() => {
    // Whoever comes back or loads the page again has not asked for another.
    if (isToBeTested) void navigate({ search: (now) => now, state: {}, replace: true, resetScroll: false })
  }, [isToBeTested, navigate])
  return (
    <>
      <PageHeader
        title={`Webhook ${hook.id}`}
        about={<Mono text={hook.target_url} what="address" />}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconSend size={16} />}
              disabled={!hook.enabled}
              onClick={() => ask('test')}
            >
              Send a test
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
              <Button leftSection={<IconPlayerPlay size={16} />} onClick={() => ask('enable')}>
                Enable
              </Button>
            )}
          </>
        }
      />
      <HookStateNotice story={story} />
      <HookFigures of={story} />
      <HookErrors hookId={hook.id} />
      <HookAttempts hookId={hook.id} />
      <HookSettings story={story} />
      <SigningSecret story={story} />
      <Panel
        tone="danger"
        title="Delete the webhook"
        about="It gets nothing more. What was sent to it stays in the events."
        actions={
          <Button color="red" variant="light" onClick={() => ask('delete')}>
            Delete the webhook
          </Button>
        }
      />
      <HookDialogs
        asked={asked}
        close={() => setAsked(null)}
        whenDeleted={() => void navigate({ to: '/webhooks' })}
      />
    </>
  )
}

function PageSkeleton({ id }: { id: string }) {
  return (
    <>
      <PageHeader title={`Webhook ${id}`} about={<Skeleton height={20} width="60%" component="span" />} />
      <Skeleton height={64} mb="lg" />
      <Skeleton height={98} mb="lg" />
      <Skeleton height={430} />
    </>
  )
}
