/** Lists webhooks without a delivery, each with the reason and the value its filter compared. */
import type { EventDetail, EventHook } from '../../../api/types.ts'
import { TextLink } from '../../../ui/layout/links.tsx'
import { Mono } from '../../../ui/data/mono.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { plural } from '../../../lib/format-number.ts'
import { ownFilter } from '../../../messages/event-types.ts'
import { describeMatch, verdictText } from '../../../messages/match-results.ts'
import { webhookName } from '../../../messages/webhook-name.ts'
import styles from './event.module.css'

interface UnmatchedWebhooksProps {
  event: EventDetail['event']
  hooks: readonly EventHook[]
}

export function UnmatchedWebhooks({ event, hooks }: UnmatchedWebhooksProps) {
  return (
    <Panel
      title="Not delivered to"
      description={`${plural(hooks.length, 'webhook')}, evaluated with the settings at that time`}
    >
      <ul className={styles.unmatched}>
        {hooks.map((hook) => (
          <li key={hook.hook_id}>
            <div className={styles.unmatchedName}>
              <TextLink to="/webhooks/$id" params={{ id: String(hook.hook_id) }}>
                <bdi>{webhookName(hook.webhook)}</bdi>
              </TextLink>
              <Mono text={hook.target_url} />
              <StateBadge tone="neutral" label={verdictText[hook.verdict]} />
            </div>
            <p>{describeMatch(hook, event)}</p>
            <ActualValue hook={hook} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function ActualValue({ hook }: { hook: EventHook }) {
  const { kind, clause, actual } = hook.why
  const filter = ownFilter(hook)
  if (kind === 'type' || (clause === undefined && actual === undefined)) return null
  return (
    <dl className={styles.actualValue}>
      {filter !== null && (
        <div>
          <dt>Filter</dt>
          <dd>
            <code>{filter}</code>
          </dd>
        </div>
      )}
      {clause !== undefined && (
        <div>
          <dt>Clause</dt>
          <dd>
            <code>{clause}</code>
          </dd>
        </div>
      )}
      {actual !== undefined && (
        <div>
          <dt>Actual value</dt>
          <dd>
            <code>
              <bdi>{actual}</bdi>
            </code>
          </dd>
        </div>
      )}
    </dl>
  )
}
