/** Shows the state of a webhook, its cause and the next step. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { HookDetail } from '../../../api/types.ts'
import { webhookStatsQuery } from '../../../api/webhooks.ts'
import { Countdown } from '../../../ui/time/countdown.tsx'
import { ButtonLink } from '../../../ui/layout/links.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { Since } from '../../../ui/time/since.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { describeFailure, hintFor } from '../../../messages/attempts.ts'
import { describeHealth } from '../../../messages/webhook-health.ts'
import { deliveryStateText, isFailingState, healthStateText } from '../../../messages/states.ts'
import { useAccess } from '../../auth/use-access.ts'
import { useRetryNow } from '../../deliveries/use-retry-now.ts'
import styles from './webhook.module.css'

const route = getRouteApi('/app/webhooks/$id')

export function HealthNotice({ detail: { hook, health, warnings } }: { detail: HookDetail }) {
  const { range = '24h' } = route.useSearch()
  const stats = useQuery(webhookStatsQuery(hook.id, range)).data
  const last = stats?.errors[0]
  const { label, tone } = healthStateText[health.state]
  const now = new Date(useNow())
  const isFailing = isFailingState(health.state)
  const isDegraded = health.state === 'degraded'
  const lostState = stats?.totals.failed === 0 && stats.totals.expired > 0 ? 'expired' : 'failed'
  const { retry, isPending } = useRetryNow()
  const isManager = useAccess().hasRole('developer')
  const isWarned = warnings.length > 0
  return (
    <div className={styles.state}>
      <Notice
        tone={tone}
        title={
          <>
            {label}. {describeHealth(health.state, hook.disabled_reason, health, now)}{' '}
            {health.state === 'backing_off' && health.next_probe_at !== null && (
              <Countdown until={health.next_probe_at} />
            )}
          </>
        }
        {...(health.state === 'unloadable' &&
          isManager && {
            actions: (
              <ButtonLink
                variant="default"
                size="xs"
                to="/webhooks/$id/edit"
                params={{ id: String(hook.id) }}
              >
                Edit webhook
              </ButtonLink>
            ),
          })}
        {...(isFailing && {
          actions: (
            <>
              {health.waiting > 0 && isManager && (
                <Button variant="default" size="xs" loading={isPending} onClick={() => retry(hook)}>
                  Retry now
                </Button>
              )}
              <ButtonLink
                variant="default"
                size="xs"
                to="/events"
                search={{ hook_id: hook.id, state: health.failed_24h > 0 ? lostState : 'waiting' }}
              >
                {health.failed_24h > 0
                  ? `View ${deliveryStateText[lostState].label.toLowerCase()} events`
                  : 'View pending events'}
              </ButtonLink>
            </>
          ),
        })}
      >
        {isFailing && last !== undefined && (
          <p>
            Last failure <RelativeTime at={last.last_at} />: {describeFailure(last.reason, last.status)}{' '}
            {hintFor(last.reason, last.status)}
          </p>
        )}
        {isDegraded && (
          <p>
            Failed deliveries are not retried automatically. Fix your server, then replay them. Failures count
            for 24 hours, even after a successful replay.
          </p>
        )}
        {isWarned && tone === 'danger' && (
          <p>
            {health.failing_since !== null && (
              <>
                Failing since <Since at={health.failing_since} />.{' '}
              </>
            )}
            Hookline disables a webhook if all attempts fail for 5 days.
          </p>
        )}
        {health.state === 'stopped' && (
          <p>
            Deliveries stay pending for up to 7 days and use no attempts. They are sent when the stop ends.
          </p>
        )}
        {health.state === 'unloadable' && (
          <p>No events are lost. Pending deliveries are sent once you save the webhook.</p>
        )}
        {health.state === 'disabled' && health.held > 0 && (
          <p>
            Events are held for up to 7 days. When you enable the webhook, choose to deliver or drop them.
          </p>
        )}
      </Notice>
    </div>
  )
}
