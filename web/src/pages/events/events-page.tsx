/** Events: find one, see what became of each, send some again. Everything that is asked stands in the address. */
import { Switch } from '@mantine/core'
import { IconBolt, IconRepeat, IconZoomExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { eventsQuery } from '../../api/events.ts'
import type { EventRow } from '../../api/shapes.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PagesNav } from '../../parts/pages-nav.tsx'
import { Panel } from '../../parts/panel.tsx'
import { counted } from '../../words/count.ts'
import { durationWords } from '../../words/figures.ts'
import { without } from '../../words/without.ts'
import { eventColumns } from './event-columns.tsx'
import { EventFilters, isNarrowed } from './event-filters.tsx'
import { SelectionBar } from './selection-bar.tsx'
import styles from './events.module.css'

const route = getRouteApi('/area/events')

export function EventsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const events = useQuery(eventsQuery(search))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const rows = events.data?.events
  const next = events.data?.next ?? null
  const selected = rows?.filter(({ id }) => chosen.has(id)) ?? []
  const toggle = ({ id }: EventRow) => {
    const changed = new Set(chosen)
    if (!changed.delete(id)) changed.add(id)
    setChosen(changed)
  }
  return (
    <>
      <PageHeader
        title="Events"
        about="Everything that was accepted for your account, and what became of it."
        actions={
          <>
            <Switch
              className={styles.live ?? ''}
              label="Live"
              checked={search.live === true}
              onChange={(event) => {
                const isLive = event.currentTarget.checked
                void navigate({
                  search: (now) =>
                    isLive ? { ...without(now, 'cursor'), live: true } : without(now, 'live'),
                  replace: true,
                })
              }}
            />
            <ButtonLink variant="default" to="/replays" leftSection={<IconRepeat size={16} />}>
              Replays
            </ButtonLink>
          </>
        }
      />
      <EventFilters />
      <SelectionBar rows={rows ?? []} selected={selected} choose={setChosen} />
      <div data-old={events.isPlaceholderData}>
        <Panel isFlush>
          <DataTable
            label="Events"
            columns={eventColumns({ isChosen: ({ id }) => chosen.has(id), toggle })}
            rows={rows}
            keyOf={({ id }) => id}
            error={events.error}
            retry={() => void events.refetch()}
            empty={<Nothing hasNext={next !== null} isAsked={isNarrowed(search)} />}
            skeletonRows={12}
          />
        </Panel>
      </div>
      <PagesNav
        label="Pages of events"
        newest={
          search.cursor !== undefined && (
            <ButtonLink to="/events" search={without(search, 'cursor')} variant="default">
              Newest
            </ButtonLink>
          )
        }
        about={
          events.data !== undefined &&
          `${counted(events.data.events.length, 'event')} on this page, found in ${durationWords(events.data.took_ms)}`
        }
        older={
          next !== null && (
            <ButtonLink to="/events" search={{ ...without(search, 'live'), cursor: next }} variant="default">
              Older
            </ButtonLink>
          )
        }
      />
    </>
  )
}

function Nothing({ hasNext, isAsked }: { hasNext: boolean; isAsked: boolean }) {
  if (hasNext)
    return (
      <EmptyState icon={<IconZoomExclamation size={28} stroke={1.5} />} title="Nothing found so far">
        We looked as far back as one call may. Go on with “Older” below, or narrow the time.
      </EmptyState>
    )
  if (isAsked)
    return (
      <EmptyState
        icon={<IconZoomExclamation size={28} stroke={1.5} />}
        title="No event fits"
        action={
          <ButtonLink to="/events" search={{}} variant="default">
            Show all events
          </ButtonLink>
        }
      >
        Take a filter away, or look for a message id, a number, a foreign id or an event id.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<IconBolt size={28} stroke={1.5} />}
      title="No event yet"
      action={<ButtonLink to="/webhooks">To the webhooks</ButtonLink>}
    >
      As soon as a message comes in or a report arrives, it stands here within a second, whether a webhook
      wants it or not. A test that you send to a webhook is an event, too.
    </EmptyState>
  )
}
