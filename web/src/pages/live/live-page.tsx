/** Events as they happen. */
import { Button } from '@mantine/core'
import { IconBroadcast, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { EventRow } from '../../api/shapes.ts'
import { mostShown, useLive } from '../../api/live.ts'
import { Clock } from '../../parts/clock.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { DeliveryChips } from '../../parts/delivery-chip.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { TextLink } from '../../parts/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Tag } from '../../parts/tag.tsx'
import { counted } from '../../words/count.ts'
import { typeWords } from '../../words/event-types.ts'
import { endStates } from '../../words/states.ts'
import { without } from '../../words/without.ts'
import { FilterChips } from '../events/filter-chips.tsx'
import { LiveNotice } from './live-notice.tsx'
import styles from './live.module.css'

const route = getRouteApi('/area/live')

const liveFields = ['type', 'hook_id', 'state'] as const

const columns: readonly Column<EventRow>[] = [
  { title: 'Time', cell: ({ accepted_at: at }) => <Clock at={at} /> },
  {
    title: 'Event',
    kind: 'main',
    cell: ({ id, type, is_test: isTest }) => (
      <span className={styles.name}>
        <TextLink to="/events/$id" params={{ id }}>
          {typeWords(type).name}
        </TextLink>
        {isTest && <Tag>test</Tag>}
      </span>
    ),
  },
  {
    title: 'From → to',
    cell: ({ from, to }) => (
      <span className={styles.numbers}>
        <bdi>{from ?? '–'}</bdi> → <bdi>{to ?? '–'}</bdi>
      </span>
    ),
  },
  {
    title: 'What became of it',
    cell: ({ deliveries }) => (
      <DeliveryChips marks={deliveries} none="No delivery, or none that has ended yet" />
    ),
  },
]

export function LivePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const live = useLive()
  const isWanted = ({ type, deliveries }: EventRow) =>
    (search.type === undefined || type === search.type) &&
    deliveriesFit(deliveries, search.hook_id, search.state)
  const rows = live.rows.filter(isWanted)
  return (
    <>
      <PageHeader
        title="Live"
        about="Events as they happen, and what becomes of them."
        actions={
          <Button
            variant={live.isPaused ? 'filled' : 'default'}
            leftSection={live.isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
            onClick={live.togglePause}
          >
            {live.isPaused ? `Go on${live.held === 0 ? '' : ` (${live.held} new)`}` : 'Pause'}
          </Button>
        }
      />
      <LiveNotice state={live.state} isPaused={live.isPaused} />
      <div className={styles.bar}>
        <FilterChips
          fields={liveFields}
          states={endStates}
          search={search}
          choose={(field, value) =>
            void navigate({
              search: (now) => (value === undefined ? without(now, field) : { ...now, [field]: value }),
              replace: true,
            })
          }
        />
        <span className={styles.count}>
          {counted(live.seen, 'event')} since you came
          {live.seen > mostShown && `; the newest ${mostShown} are shown`}
        </span>
      </div>
      {search.hook_id !== undefined && (
        <p className={styles.about}>
          An event stands here as soon as its delivery to webhook {search.hook_id} has ended. What is still
          tried stands in{' '}
          <TextLink to="/events" search={{ hook_id: search.hook_id, state: 'waiting' }}>
            Events
          </TextLink>
          .
        </p>
      )}
      <Panel isFlush>
        <DataTable
          label="Live events"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              icon={<IconBroadcast size={28} stroke={1.5} />}
              title={live.rows.length === 0 ? 'Listening' : 'Nothing of this kind yet'}
            >
              {live.rows.length === 0
                ? 'The next event stands here the moment it is accepted. To see one now, send a test to a webhook.'
                : `${counted(live.rows.length, 'event')} came that the filters leave out.`}
            </EmptyState>
          }
        />
      </Panel>
    </>
  )
}

function deliveriesFit(
  marks: EventRow['deliveries'],
  hookId: number | undefined,
  state: string | undefined,
): boolean {
  if (hookId === undefined && state === undefined) return true
  return marks.some(
    (mark) =>
      (hookId === undefined || mark.hook_id === hookId) && (state === undefined || mark.state === state),
  )
}
