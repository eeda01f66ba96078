/** Lists replays with their progress and actions. */
import { IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Replay } from '../../api/types.ts'
import { replaysQuery } from '../../api/replays.ts'
import { type Column, DataTable } from '../../ui/data/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ButtonLink, TextLink } from '../../ui/layout/links.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import { useAccess } from '../auth/use-access.ts'
import { ReplayActions } from './replay-actions.tsx'
import { ReplayProgress } from './replay-progress.tsx'
import { ReplayReasons } from './replay-reasons.tsx'
import {
  describeRate,
  describeReplay,
  describeSelection,
  isBlocked,
  replayStatus,
} from '../../messages/replays.ts'
import styles from './replays.module.css'

const columns: readonly Column<Replay>[] = [
  {
    title: 'Replay',
    kind: 'main',
    cell: (replay) => (
      <>
        <TextLink className={styles.name} to="/replays/$id" params={{ id: String(replay.id) }}>
          Replay {replay.id}
        </TextLink>
        <p>{describeSelection(replay)}</p>
        <p className={styles.muted}>{describeReplay(replay)}</p>
        {isBlocked(replay) && <ReplayReasons replay={replay} />}
      </>
    ),
  },
  {
    title: 'Progress',
    cell: (replay) => (
      <div className={styles.progress}>
        <ReplayProgress replay={replay} />
        <p className={styles.muted}>{describeRate(replay)}</p>
      </div>
    ),
  },
  {
    title: 'State',
    cell: (replay) => <StateBadge {...replayStatus(replay)} />,
  },
  { title: 'Started', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
]

const actions: Column<Replay> = { title: 'Actions', cell: (replay) => <ReplayActions replay={replay} /> }

export function ReplaysPage() {
  const replays = useQuery(replaysQuery)
  const { hasRole } = useAccess()
  return (
    <>
      <TextLink to="/events" className={styles.back}>
        ← Events
      </TextLink>
      <PageHeader title="Replays" description="Replayed deliveries, newest first" />
      <Panel isFlush>
        <DataTable
          label="Replays"
          columns={hasRole('developer') ? [...columns, actions] : columns}
          rows={replays.data}
          isWide
          keyOf={({ id }) => id}
          error={replays.error}
          retry={() => void replays.refetch()}
          empty={
            <EmptyState
              icon={<IconRepeat size={28} stroke={1.5} />}
              title="No replays yet"
              action={
                <ButtonLink to="/events" search={{ state: 'failed' }}>
                  View failed events
                </ButtonLink>
              }
            >
              {hasRole('developer')
                ? 'Select events and choose “Replay”. You see the number of deliveries before they are sent.'
                : 'Replays of delivered and failed events appear here.'}
            </EmptyState>
          }
        />
      </Panel>
    </>
  )
}
