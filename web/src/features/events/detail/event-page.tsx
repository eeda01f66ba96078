/** Page of one event: progress, timeline, data, and the deliveries or mismatch of each webhook. */
import { Button, Skeleton } from '@mantine/core'
import { IconBolt, IconPrinter, IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { isErrorCode } from '../../../api/client.ts'
import { eventQuery, useRevealEvent } from '../../../api/events.ts'
import type { EventDetail, EventHook, Selection } from '../../../api/types.ts'
import { Timestamp } from '../../../ui/time/timestamp.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { TextLink } from '../../../ui/layout/links.tsx'
import { useShowMore } from '../../../ui/data/use-show-more.tsx'
import { Mono } from '../../../ui/data/mono.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { StartReplay } from '../../replays/start-replay.tsx'
import { eventTypeText } from '../../../messages/event-types.ts'
import { useAccess } from '../../auth/use-access.ts'
import { EventData } from './event-data.tsx'
import { EventProgress } from './event-progress.tsx'
import { UnmatchedWebhooks } from './unmatched-webhooks.tsx'
import { Timeline } from './timeline.tsx'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import styles from './event.module.css'

const route = getRouteApi('/app/events/$id')

export function EventPage() {
  const { id } = route.useParams()
  const detail = useQuery(eventQuery(id))
  return (
    <>
      <TextLink to="/events" className={styles.back}>
        ← All events
      </TextLink>
      {detail.data !== undefined && <EventContent key={id} detail={detail.data} />}
      {detail.data === undefined && detail.isPending && <PageSkeleton />}
      {detail.data === undefined && detail.isError && (
        <>
          <PageHeader title="Event" description={<Mono text={id} />} />
          <Panel>
            {isErrorCode(detail.error, 'notFound') ? (
              <EmptyState icon={<IconBolt size={28} stroke={1.5} />} title="Event not found">
                The event may be past retention or belong to another account.
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

function EventContent({ detail: masked }: { detail: EventDetail }) {
  const { hasRole } = useAccess()
  const reveal = useRevealEvent(masked.event.id)
  const [selection, setSelection] = useState<Selection | null>(null)
  // Refetched data is masked, so revealed data is kept from the first response.
  const detail = reveal.data === undefined ? masked : withRevealed(masked, reveal.data)
  const { event, hooks } = detail
  const matched = hooks.filter(({ deliveries, verdict }) => deliveries.length > 0 || verdict === 'matched')
  const unmatched = hooks.filter((hook) => !matched.includes(hook))
  const { shown, showMore } = useShowMore(inOrder(matched), maxWebhooks, 'webhooks')
  const replayable = matched.flatMap(({ hook_id: hookId, deliveries }) =>
    deliveries.length === 0 ? [] : [{ event_id: event.id, hook_id: hookId }],
  )
  return (
    <>
      <PageHeader
        title={eventTypeText(event.type).name}
        description={
          <span className={styles.description}>
            <Timestamp at={event.accepted_at} hasDate />
            <Mono text={event.id} label="event ID" />
            {event.is_test && <Tag>test</Tag>}
          </span>
        }
        actions={
          <>
            <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
              Print
            </Button>
            {hasRole(replayable.length === 1 ? 'support' : 'developer') && (
              <Button
                leftSection={<IconRepeat size={16} />}
                disabled={replayable.length === 0}
                onClick={() => setSelection({ deliveries: replayable })}
              >
                Replay…
              </Button>
            )}
          </>
        }
      />
      <EventProgress detail={detail} />
      <div className={styles.columns}>
        <div>
          <Timeline detail={detail} />
        </div>
        <div>
          <EventData event={event} reveal={reveal} />
        </div>
      </div>
      {shown.map((hook) => (
        <WebhookDeliveries
          key={hook.hook_id}
          event={event}
          hook={hook}
          isOpen={matched.length === 1 || (matched.length <= maxOpen && !isDelivered(hook))}
          replay={() => setSelection({ deliveries: [{ event_id: event.id, hook_id: hook.hook_id }] })}
        />
      ))}
      {showMore}
      {unmatched.length > 0 && <UnmatchedWebhooks event={event} hooks={unmatched} />}
      {selection !== null && <StartReplay selection={selection} close={() => setSelection(null)} />}
    </>
  )
}

const maxWebhooks = 10
/** With more webhooks, all attempts start collapsed. */
const maxOpen = 5

function isDelivered({ deliveries }: EventHook): boolean {
  return deliveries.at(-1)?.state === 'delivered'
}

/** If the list is shortened, webhooks that have the event are at the end. A short list keeps its order. */
function inOrder(hooks: readonly EventHook[]): readonly EventHook[] {
  if (hooks.length <= maxWebhooks) return hooks
  return hooks.toSorted((one, other) => Number(isDelivered(one)) - Number(isDelivered(other)))
}

/** Merges fresh delivery states into the revealed event. */
function withRevealed(fresh: EventDetail, revealed: EventDetail): EventDetail {
  const isSame = JSON.stringify(progressOf(fresh)) === JSON.stringify(progressOf(revealed))
  return isSame ? revealed : { ...fresh, event: { ...revealed.event, deliveries: fresh.event.deliveries } }
}

function progressOf({ hooks }: EventDetail) {
  return hooks.map(({ hook_id: id, deliveries }) => [
    id,
    deliveries.map(({ round, state, attempts, next_attempt_at: next }) => [
      round,
      state,
      attempts.length,
      next,
    ]),
  ])
}

function PageSkeleton() {
  return (
    <>
      <PageHeader title="Event" description={<Skeleton height={20} width="60%" component="span" />} />
      <Skeleton height={72} mb="lg" />
      <Skeleton height={260} mb="lg" />
      <Skeleton height={320} />
    </>
  )
}
