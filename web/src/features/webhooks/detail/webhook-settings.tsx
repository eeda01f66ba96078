/** Lists the settings of a webhook. */
import type { HookDetail } from '../../../api/types.ts'
import { ButtonLink } from '../../../ui/layout/links.tsx'
import { Mono } from '../../../ui/data/mono.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { plural } from '../../../lib/format-number.ts'
import { describeOptions } from '../../../messages/delivery-options.ts'
import { hookTypesText, ownFilter } from '../../../messages/event-types.ts'
import { requestMethodText } from '../../../messages/request-methods.ts'
import { useAccess } from '../../auth/use-access.ts'
import { parseHeaders } from '../../../lib/parse-headers.ts'
import styles from './webhook.module.css'

export function WebhookSettings({ detail: { hook } }: { detail: HookDetail }) {
  const { hasRole } = useAccess()
  const headers = parseHeaders(hook.headers)
  const options = describeOptions(hook)
  const filter = ownFilter(hook)
  return (
    <Panel
      title="Settings"
      {...(hasRole('developer') && {
        actions: (
          <ButtonLink variant="default" to="/webhooks/$id/edit" params={{ id: String(hook.id) }}>
            Edit
          </ButtonLink>
        ),
      })}
    >
      <dl className={styles.facts}>
        {hook.description !== null && (
          <>
            <dt>Description</dt>
            <dd className={styles.description}>
              <bdi>{hook.description}</bdi>
            </dd>
          </>
        )}
        <dt>{hook.chosen === null ? 'Event type' : 'Event types'}</dt>
        <dd>
          {hookTypesText(hook)}{' '}
          {hook.chosen === null && <code className={styles.code}>{hook.event_type}</code>}
        </dd>
        <dt>Filter</dt>
        <dd>{filter === null ? 'None (all events)' : <Mono text={filter} />}</dd>
        <dt>Format</dt>
        <dd>{requestMethodText[hook.request_method].label}</dd>
        <dt>Custom headers</dt>
        <dd>
          {headers.length === 0
            ? 'None'
            : headers.map(({ name: header }) => (
                <code key={header} className={styles.code}>
                  {header}
                </code>
              ))}
        </dd>
        <dt>Rate limit</dt>
        <dd>
          {hook.max_per_second === null
            ? 'None'
            : `${plural(hook.max_per_second, 'delivery', 'deliveries')} per second`}
        </dd>
        <dt>Delivery options</dt>
        <dd>{options.length === 0 ? 'Default' : options.join(', ')}</dd>
        <dt>Created</dt>
        <dd>
          <RelativeTime at={hook.created_at} />
        </dd>
        <dt>Last changed</dt>
        <dd>
          <RelativeTime at={hook.changed_at} />
        </dd>
      </dl>
    </Panel>
  )
}
