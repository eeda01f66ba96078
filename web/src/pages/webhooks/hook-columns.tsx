/** A webhook as a row. */
import type { HookWithHealth } from '../../api/shapes.ts'
import type { Asked } from '../../hook-deeds/hook-dialogs.tsx'
import { HookMenu } from '../../hook-deeds/hook-menu.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Mono } from '../../parts/mono.tsx'
import { ShareBar } from '../../parts/share-bar.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Tag } from '../../parts/tag.tsx'
import { Time } from '../../parts/time.tsx'
import { counted, figure } from '../../words/count.ts'
import { typeWords } from '../../words/event-types.ts'
import { doesFail, healthWords, toneOfShare, unfinishedWords } from '../../words/states.ts'
import styles from './webhooks.module.css'

export function hookColumns(ask: (asked: Asked) => void): readonly Column<HookWithHealth>[] {
  return [
    { title: 'Address', kind: 'main', cell: (one) => <Address of={one} /> },
    {
      title: 'Event',
      cell: ({ hook }) => (
        <>
          <span className={styles.event}>{typeWords(hook.event_type).name}</span>
          {hook.event_filter !== null && (
            <p className={styles.filter} title={hook.event_filter}>
              {hook.event_filter}
            </p>
          )}
        </>
      ),
    },
    { title: 'Method', cell: ({ hook }) => <Tag>{hook.request_method}</Tag> },
    { title: 'Delivered, 24 h', cell: (one) => <Success of={one} /> },
    {
      title: 'Last delivery',
      cell: ({ health }) =>
        health.last_delivered_at === null ? (
          <span className={styles.quiet}>Never</span>
        ) : (
          <Time at={health.last_delivered_at} />
        ),
    },
    { title: 'State', cell: (one) => <State of={one} /> },
    { title: 'Actions', kind: 'actions', cell: (one) => <HookMenu of={one} ask={ask} /> },
  ]
}

function Address({ of: { hook } }: { of: HookWithHealth }) {
  return (
    <>
      <TextLink className={styles.address} to="/webhooks/$id" params={{ id: String(hook.id) }}>
        <Mono text={hook.target_url} />
      </TextLink>
      <span className={styles.quiet}>{hook.id}</span>
    </>
  )
}

function Success({ of: { health } }: { of: HookWithHealth }) {
  const { success_rate: share, failed_24h: failed } = health
  if (share === null) return <span className={styles.quiet}>{unfinishedWords(health.waiting)}</span>
  return (
    <div className={styles.success}>
      <ShareBar share={share} tone={toneOfShare(share)} label="Delivered in the last 24 hours" />
      {failed > 0 && <p className={styles.quiet}>{figure(failed)} failed</p>}
    </div>
  )
}

/** What a person does next stands beside what is wrong. */
function State({ of: { hook, health } }: { of: HookWithHealth }) {
  const { word, tone } = healthWords[health.state]
  const params = { id: String(hook.id) }
  return (
    <div className={styles.state}>
      <StateBadge tone={tone} word={word} />
      {doesFail(health.state) && (
        <TextLink className={styles.next} to="/webhooks/$id" params={params} hash="errors">
          See why
        </TextLink>
      )}
      {health.state === 'disabled' && health.held > 0 && (
        <span className={styles.quiet}>holds {counted(health.held, 'event')}</span>
      )}
      {health.state === 'waiting' && (
        <span className={styles.quiet}>{counted(health.waiting, 'delivery', 'deliveries')} to go</span>
      )}
    </div>
  )
}
