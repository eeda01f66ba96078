/** Page of one replay: state, counts and progress. */
import { Skeleton } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, type LinkProps } from '@tanstack/react-router'
import { isErrorCode } from '../../api/client.ts'
import type { Replay } from '../../api/types.ts'
import { replayQuery } from '../../api/replays.ts'
import { useSession } from '../auth/session-context.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { TextLink } from '../../ui/layout/links.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { StatCards } from '../../ui/data/stat-cards.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import { ReplayActions } from './replay-actions.tsx'
import { ReplayProgress } from './replay-progress.tsx'
import { ReplayReasons } from './replay-reasons.tsx'
import { formatActor } from '../../messages/actor.ts'
import { plural, formatNumber } from '../../lib/format-number.ts'
import {
  describeRate,
  describeReplay,
  describeSelection,
  describeSkipped,
  pendingCount,
  replayStatus,
} from '../../messages/replays.ts'
import { replayStateText } from '../../messages/states.ts'
import styles from './replays.module.css'

const route = getRouteApi('/app/replays/$id')

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
          description: describeSelection(replay.data),
          actions: <ReplayActions replay={replay.data} />,
        })}
      />
      {replay.data !== undefined && <Progress replay={replay.data} />}
      {replay.data === undefined && replay.isPending && <Skeleton height={260} />}
      {replay.data === undefined && replay.isError && (
        <Panel>
          {isErrorCode(replay.error, 'notFound') ? (
            <EmptyState icon={<IconRepeat size={28} stroke={1.5} />} title={`Replay ${id} not found`} />
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
  const { tone } = replayStatus(replay)
  const pending = pendingCount(replay)
  return (
    <>
      <Notice tone={tone} title={describeReplay(replay)}>
        <ReplayReasons replay={replay} />
        {replay.skipped_reasons.disabled > 0 && replay.hook_id !== null && (
          <p>
            The webhook is disabled, so nothing is sent to it. Enable it, then replay again.{' '}
            <TextLink to="/webhooks/$id" params={{ id: String(replay.hook_id) }}>
              View webhook
            </TextLink>
          </p>
        )}
      </Notice>
      {/* The text changes with every count. Screen readers announce only state changes. */}
      <p className={styles.visuallyHidden} role="status">
        Replay {replay.id} is {replayStateText[replay.state].label.toLowerCase()}
      </p>
      <StatCards
        label="Replay counts"
        stats={[
          {
            title: 'Delivered',
            value: formatNumber(replay.delivered),
            more: `of ${plural(replay.total, 'delivery', 'deliveries')}`,
          },
          {
            title: 'Failed',
            value: formatNumber(replay.failed),
            more: replay.failed === 0 ? 'None' : plural(replay.failed, 'delivery', 'deliveries'),
            ...(replay.failed > 0 && { tone: 'danger' as const, link: failedLink(replay) }),
          },
          {
            title: 'Pending',
            value: formatNumber(pending),
            more: pending === 0 ? 'None' : 'Started, without a result',
          },
          {
            title: 'Skipped',
            value: formatNumber(replay.skipped),
            more: replay.skipped === 0 ? 'None' : describeSkipped(replay.skipped_reasons),
            ...(replay.skipped > 0 && { tone: 'warning' as const }),
          },
        ]}
      />
      <Panel title="Progress">
        <ReplayProgress replay={replay} />
        {replay.state === 'running' && (
          <p className={styles.rate}>
            {describeRate(replay) || 'Measuring the rate…'}{' '}
            <span className={styles.muted}>
              {formatNumber(replay.started)} started, max {replay.max_per_second} per second
            </span>
          </p>
        )}
        <p className={styles.muted}>
          Started <RelativeTime at={replay.created_at} /> by {formatActor(replay.created_by, login.id)}
          {replay.finished_at !== null && (
            <>
              , finished <RelativeTime at={replay.finished_at} />
            </>
          )}
          .
          {replay.event_id !== null && (
            <>
              {' '}
              <TextLink to="/events/$id" params={{ id: replay.event_id }}>
                View event
              </TextLink>
            </>
          )}
          {replay.hook_id !== null && (
            <>
              {' '}
              <TextLink to="/events" search={{ hook_id: replay.hook_id }}>
                View events
              </TextLink>{' '}
              <TextLink to="/webhooks/$id" params={{ id: String(replay.hook_id) }}>
                View webhook
              </TextLink>
            </>
          )}
        </p>
      </Panel>
    </>
  )
}

/** Links to all failed deliveries, including those of the replay. A canceled replay has no link: its rest did not fail. */
function failedLink({ event_id: id, hook_id: hookId, state }: Replay): LinkProps | undefined {
  if (id !== null) return { to: '/events/$id', params: { id } }
  if (state === 'cancelled') return undefined
  return { to: '/events', search: { state: 'failed', ...(hookId !== null && { hook_id: hookId }) } }
}
