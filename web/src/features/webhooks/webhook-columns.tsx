/** Columns of the webhook table. */
import type { Hook, HookWithHealth } from '../../api/types.ts'
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
import { hookTypesText, ownFilter } from '../../messages/event-types.ts'
import { webhookName } from '../../messages/webhook-name.ts'
import { isFailingState, healthStateText, toneForRatio, describePending } from '../../messages/states.ts'
import styles from './webhooks.module.css'

export function webhookColumns(
  openDialog: (request: DialogRequest) => void,
): readonly Column<HookWithHealth>[] {
  const menu = (webhook: HookWithHealth) => <WebhookMenu webhook={webhook} openDialog={openDialog} />
  return [
    { title: 'Webhook', kind: 'main', cell: (webhook) => <Endpoint webhook={webhook} /> },
    {
      title: 'Event',
      cell: ({ hook }) => <Events hook={hook} />,
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
    { title: 'Actions', kind: 'actions', cell: menu },
  ]
}

function Events({ hook }: { hook: Hook }) {
  const types = hookTypesText(hook)
  const filter = ownFilter(hook)
  return (
    <>
      <span className={styles.event} title={types}>
        {types}
      </span>
      {filter !== null && (
        <p className={styles.filter} title={filter}>
          {filter}
        </p>
      )}
    </>
  )
}

function Endpoint({ webhook: { hook } }: { webhook: HookWithHealth }) {
  return (
    <>
      <TextLink className={styles.endpoint} to="/webhooks/$id" params={{ id: String(hook.id) }}>
        <bdi className={styles.name} title={webhookName(hook)}>
          {webhookName(hook)}
        </bdi>
      </TextLink>
      <div className={styles.endpoint}>
        <Mono text={hook.target_url} />
      </div>
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
