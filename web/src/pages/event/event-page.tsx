/** One event: its way in words, then for each webhook why it got it or not, attempt by attempt. */
import { Button, Skeleton } from '@mantine/core'
import { IconBolt, IconPrinter, IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { hasCode } from '../../api/api.ts'
import { eventQuery, useRevealEvent } from '../../api/events.ts'
import type { EventStory, Selection } from '../../api/shapes.ts'
import { Clock } from '../../parts/clock.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Mono } from '../../parts/mono.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Tag } from '../../parts/tag.tsx'
import { StartReplay } from '../../replay/start-replay.tsx'
import { typeWords } from '../../words/event-types.ts'
import { EventData } from './event-data.tsx'
import { EventWay } from './event-way.tsx'
import { NotWanted } from './not-wanted.tsx'
import { Timeline } from './timeline.tsx'
import { ToldWebhook } from './told-webhook.tsx'
import styles from './event.module.css'

const route = getRouteApi('/area/events/$id')

export function EventPage() {
  const { id } = route.useParams()
  const story = useQuery(eventQuery(id))
  return (
    <>
      <TextLink to="/events" className={styles.back}>
        ← All events
      </TextLink>
      {story.data !== undefined && <OneEvent key={id} story={story.data} />}
      {story.data === undefined && story.isPending && <PageSkeleton />}
      {story.data === undefined && story.isError && (
        <>
          <PageHeader title="Event" about={<Mono text={id} />} />
          <Panel>
            {hasCode(story.error, 'notFound') ? (
              <EmptyState icon={<IconBolt size={28} stroke={1.5} />} title="There is no such event">
                It may be older than events are kept, or belong to another account.
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

function OneEvent({ story: masked }: { story: EventStory }) {
  const reveal = useRevealEvent(masked.event.id)
  const [replayed, setReplayed] = useState<Selection | null>(null)
  // Once revealed, what is read again for news comes masked: the data stay as they were shown.
  const story = reveal.data === undefined ? masked : withRevealed(masked, reveal.data)
  const { event, hooks } = story
  const told = hooks.filter(({ deliveries, verdict }) => deliveries.length > 0 || verdict === 'matched')
  const rest = hooks.filter((hook) => !told.includes(hook))
  const all = told.flatMap(({ hook_id: hookId, deliveries }) =>
    deliveries.length === 0 ? [] : [{ event_id: event.id, hook_id: hookId }],
  )
  return (
    <>
      <PageHeader
        title={typeWords(event.type).name}
        about={
          <span className={styles.about}>
            <Clock at={event.accepted_at} isLong />
            <Mono text={event.id} what="event id" />
            {event.is_test && <Tag>test</Tag>}
          </span>
        }
        actions={
          <>
            <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
              Print
            </Button>
            <Button
              leftSection={<IconRepeat size={16} />}
              disabled={all.length === 0}
              onClick={() => setReplayed({ deliveries: all })}
            >
              Replay…
            </Button>
          </>
        }
      />
      <EventWay story={story} />
      <div className={styles.sides}>
        <div>
          <Timeline story={story} />
        </div>
        <div>
          <EventData event={event} reveal={reveal} />
        </div>
      </div>
      {told.map((hook) => (
        <ToldWebhook
          key={hook.hook_id}
          eventId={event.id}
          hook={hook}
          isOnly={told.length === 1}
          replay={() => setReplayed({ deliveries: [{ event_id: event.id, hook_id: hook.hook_id }] })}
        />
      ))}
      {rest.length > 0 && <NotWanted hooks={rest} />}
      {replayed !== null && <StartReplay selection={replayed} close={() => setReplayed(null)} />}
    </>
  )
}

/** What is new from the one, what is unmasked from the other. */
function withRevealed(news: EventStory, revealed: EventStory): EventStory {
  const isSame = JSON.stringify(shapeOf(news)) === JSON.stringify(shapeOf(revealed))
  return isSame ? revealed : { ...news, event: { ...revealed.event, deliveries: news.event.deliveries } }
}

function shapeOf({ hooks }: EventStory) {
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
      <PageHeader title="Event" about={<Skeleton height={20} width="60%" component="span" />} />
      <Skeleton height={72} mb="lg" />
      <Skeleton height={260} mb="lg" />
      <Skeleton height={320} />
    </>
  )
}
