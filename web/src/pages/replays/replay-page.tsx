/** One replay while it runs, and how it ended. */
import { Skeleton } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, type LinkProps } from '@tanstack/react-router'
import { hasCode } from '../../api/api.ts'
import type { Replay } from '../../api/shapes.ts'
import { replayQuery } from '../../api/replays.ts'
import { useSession } from '../../frame/session-context.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ServiceWords } from '../../parts/service-words.tsx'
import { Stats } from '../../parts/stats.tsx'
import { Time } from '../../parts/time.tsx'
import { ReplayActions } from '../../replay/replay-actions.tsx'
import { ReplayProgress } from '../../replay/replay-progress.tsx'
import { actorWords } from '../../words/actor.ts'
import { counted, figure } from '../../words/count.ts'
import { replayWords } from '../../words/states.ts'
import styles from './replays.module.css'

const route = getRouteApi('/area/replays/$id')

export function ReplayPage() {
  const { id } = route.useParams()
  const replay = useQuery(replayQuery(Number(id)))
  return (
    <>
      <TextLink to="/replays" className={styles.back}>
        ← All replays
      </TextLink>
      <PageHeader
        title={`Replay ${id}`}
        {...(replay.data !== undefined && {
          about: <ServiceWords of={replay.data.selected} />,
          actions: <ReplayActions of={replay.data} />,
        })}
      />
      {replay.data !== undefined && <Progress replay={replay.data} />}
      {replay.data === undefined && replay.isPending && <Skeleton height={260} />}
      {replay.data === undefined && replay.isError && (
        <Panel>
          {hasCode(replay.error, 'notFound') ? (
            <EmptyState icon={<IconRepeat size={28} stroke={1.5} />} title={`There is no replay ${id}`} />
          ) : (
            <ErrorState error={replay.error} retry={() => void replay.refetch()} />
          )}
        </Panel>
      )}
    </>
  )
}

function Progress({ replay }: { replay: Replay }) {
  const { login } = useSession()
  const { tone, word } = replayWords[replay.state]
  return (
    <>
      <Notice tone={tone} title={<ServiceWords of={replay.sentence} />} />
      {/* The sentence changes with every figure; only what is new about the replay itself is read out. */}
      <p className={styles.heard} role="status">
        Replay {replay.id} is {word.toLowerCase()}
      </p>
      <Stats
        label="How far it is"
        stats={[
          {
            title: 'To send',
            figure: figure(replay.total),
            ...(replay.skipped > 0 && {
              more: `${figure(replay.skipped)} of them not sent again: still waiting, or the webhook is deleted or disabled`,
            }),
          },
          {
            title: 'Started',
            figure: figure(replay.started),
            more: `at most ${replay.most_per_second} a second`,
          },
          { title: 'Delivered', figure: figure(replay.delivered) },
          {
            title: 'Failed again',
            figure: figure(replay.failed),
            more: replay.failed === 0 ? 'None' : counted(replay.failed, 'delivery', 'deliveries'),
            ...(replay.failed > 0 && { tone: 'bad' as const, link: failedOf(replay) }),
          },
        ]}
      />
      <Panel title="Progress">
        <ReplayProgress of={replay} />
        <p className={styles.quiet}>
          Begun <Time at={replay.created_at} /> by {actorWords(replay.created_by, login.id)}
          {replay.finished_at !== null && (
            <>
              , ended <Time at={replay.finished_at} />
            </>
          )}
          .
          {replay.event_id !== null && (
            <>
              {' '}
              <TextLink to="/events/$id" params={{ id: replay.event_id }}>
                To the event
              </TextLink>
            </>
          )}
        </p>
      </Panel>
    </>
  )
}

/** What has failed now, which what failed again is part of; of a replay that was cancelled the rest has not failed. */
function failedOf({ event_id: id, hook_id: hookId, state }: Replay): LinkProps | undefined {
  if (id !== null) return { to: '/events/$id', params: { id } }
  if (state === 'cancelled') return undefined
  return { to: '/events', search: { state: 'failed', ...(hookId !== null && { hook_id: hookId }) } }
}
