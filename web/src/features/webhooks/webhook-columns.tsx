/** Columns of the webhook table. */
import type { HookWithHealth } from '../../api/types.ts'
import type { DialogRequest } from './actions/webhook-dialogs.tsx'
import { WebhookMenu } from './actions/webhook-menu.tsx'
import type { Column } from '../../ui/data/data-table.tsx'
import { TextLink } from '../../ui/layout/links.tsx'
import { Mono } from '../../ui/data/mono.tsx'
import { Meter } from '../../ui/feedback/meter.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import { plural, formatNumber } from '../../lib/format-number.ts'
import { eventTypeText } from '../../messages/event-types.ts'
import { isFailingState, healthStateText, toneForRatio, describePending } from '../../messages/states.ts'
import styles from './webhooks.module.css'

export function webhookColumns(
  openDialog: (request: DialogRequest) => void,
): readonly Column<HookWithHealth>[] {
  return [
    { title: 'Endpoint', kind: 'main', cell: (webhook) => <Endpoint webhook={webhook} /> },
    {
      title: 'Event',
      cell: ({ hook }) => (
        <>
          <span className={styles.event}>{eventTypeText(hook.event_type).name}</span>
          {hook.event_filter !== null && (
            <p className={styles.filter} title={hook.event_filter}>
              {hook.event_filter}
            </p>
          )}
        </>
      ),
    },
    { title: 'Method', cell: ({ hook }) => <Tag>{hook.request_method}</Tag> },
    { title: 'Success (24h)', cell: (webhook) => <SuccessRate webhook={webhook} /> },
    {
      title: 'Last delivery',
      cell: ({ health }) =>
        health.last_delivered_at === null ? (
          <span className={styles.muted}>Never</span>
        ) : (
          <RelativeTime at={health.last_delivered_at} />
        ),
    },
    { title: 'State', cell: (webhook) => <State webhook={webhook} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (webhook) => <WebhookMenu webhook={webhook} openDialog={openDialog} />,
    },
  ]
}

function Endpoint({ webhook: { hook } }: { webhook: HookWithHealth }) {
  return (
    <>
      <TextLink className={styles.endpoint} to="/webhooks/$id" params={{ id: String(hook.id) }}>
        <Mono text={hook.target_url} />
      </TextLink>
      <span className={styles.muted}>{hook.id}</span>
    </>
  )
}

function SuccessRate({ webhook: { health } }: { webhook: HookWithHealth }) {
  const { success_rate: successRate, failed_24h: failed } = health
  if (successRate === null) return <span className={styles.muted}>{describePending(health.waiting)}</span>
  return (
    <div className={styles.success}>
      <Meter ratio={successRate} tone={toneForRatio(successRate)} label="Success rate, last 24 hours" />
      {failed > 0 && <p className={styles.muted}>{formatNumber(failed)} failed</p>}
    </div>
  )
}

/** Shows the state with a link or count for the next step. */
function State({ webhook: { hook, health } }: { webhook: HookWithHealth }) {
  const { label, tone } = healthStateText[health.state]
  const params = { id: String(hook.id) }
  return (
    <div className={styles.state}>
      <StateBadge tone={tone} label={label} />
      {isFailingState(health.state) && (
        <TextLink className={styles.next} to="/webhooks/$id" params={params} hash="errors">
          View reasons
        </TextLink>
      )}
      {health.state === 'disabled' && health.held > 0 && (
        <span className={styles.muted}>{plural(health.held, 'event')} on hold</span>
      )}
      {health.state === 'delayed' && (
        <span className={styles.muted}>{plural(health.waiting, 'delivery', 'deliveries')} pending</span>
      )}
    </div>
  )
}
