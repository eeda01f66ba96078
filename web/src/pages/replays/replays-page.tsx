/** Replays: what was sent again, how far it is, and how it ended. */
import { IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Replay } from '../../api/shapes.ts'
import { replaysQuery } from '../../api/replays.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ServiceWords } from '../../parts/service-words.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { ReplayActions } from '../../replay/replay-actions.tsx'
import { ReplayProgress } from '../../replay/replay-progress.tsx'
import { replayWords } from '../../words/states.ts'
import styles from './replays.module.css'

const columns: readonly Column<Replay>[] = [
  {
    title: 'Replay',
    kind: 'main',
    cell: ({ id, selected, sentence }) => (
      <>
        <TextLink className={styles.name} to="/replays/$id" params={{ id: String(id) }}>
          Replay {id}
        </TextLink>
        <p>
          <ServiceWords of={selected} />
        </p>
        <p className={styles.quiet}>
          <ServiceWords of={sentence} />
        </p>
      </>
    ),
  },
  {
    title: 'Progress',
    cell: (replay) => (
      <div className={styles.progress}>
        <ReplayProgress of={replay} />
      </div>
    ),
  },
  {
    title: 'State',
    cell: ({ state }) => <StateBadge tone={replayWords[state].tone} word={replayWords[state].word} />,
  },
  { title: 'Begun', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'What to do', cell: (replay) => <ReplayActions of={replay} /> },
]

export function ReplaysPage() {
  const replays = useQuery(replaysQuery)
  return (
    <>
      <TextLink to="/events" className={styles.back}>
        ← Events
      </TextLink>
      <PageHeader title="Replays" about="Deliveries that you have sent again, newest first." />
      <Panel isFlush>
        <DataTable
          label="Replays"
          columns={columns}
          rows={replays.data}
          isWide
          keyOf={({ id }) => id}
          error={replays.error}
          retry={() => void replays.refetch()}
          empty={
            <EmptyState
              icon={<IconRepeat size={28} stroke={1.5} />}
              title="Nothing was sent again yet"
              action={
                <ButtonLink to="/events" search={{ state: 'failed' }}>
                  Look at failed events
                </ButtonLink>
              }
            >
              Find events, select them, and choose “Replay”. How many deliveries that is, is said before
              anything is sent.
            </EmptyState>
          }
        />
      </Panel>
    </>
  )
}
