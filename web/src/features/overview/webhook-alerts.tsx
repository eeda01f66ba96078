/** Alerts of webhooks, most urgent first: what happens, since when, the last failure and the next attempt. */
import type { Alert, DeliveryState } from '../../api/types.ts'
import type { Tone } from '../../lib/tone.ts'
import { describeFailure } from '../../messages/attempts.ts'
import { describeHealth } from '../../messages/webhook-health.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Since } from '../../ui/time/since.tsx'
import styles from './overview.module.css'

export function WebhookAlerts({ alerts, now }: { alerts: readonly Alert[]; now: Date }) {
  return alerts
    .toSorted(byUrgency)
    .map((alert) => <WebhookAlert key={alert.hook_id} alert={alert} now={now} />)
}

interface AlertKind {
  text: string
  tone: Tone
  /** State of the affected deliveries; undefined links to all events of the webhook. */
  state?: DeliveryState
  link: string
}

const kinds: Record<Alert['kind'], AlertKind> = {
  failing: { text: 'is failing', tone: 'danger', link: 'View events' },
  backing_off: { text: 'is failing, backing off', tone: 'danger', link: 'View events' },
  unloadable: { text: 'is on hold', tone: 'danger', state: 'waiting', link: 'View pending events' },
  stopped: { text: 'is stopped', tone: 'warning', state: 'waiting', link: 'View pending events' },
  degraded: { text: 'is dropping deliveries', tone: 'warning', link: 'View events' },
  delayed: { text: 'is delayed', tone: 'warning', state: 'waiting', link: 'View pending events' },
  disabled: { text: 'is disabled', tone: 'warning', state: 'held', link: 'View held events' },
}

/** Sorts by the order of `kinds`: failing before delayed. */
function byUrgency(one: { kind: string }, other: { kind: string }): number {
  const order = Object.keys(kinds)
  return order.indexOf(one.kind) - order.indexOf(other.kind)
}

/** The title has the start time, so the text omits it. */
function WebhookAlert({ alert, now }: { alert: Alert; now: Date }) {
  const { kind, failure, hook_id: hookId, since, disabled_reason: disabledReason, counters } = alert
  const { text, tone, state, link } = kinds[kind]
  return (
    <Notice
      tone={tone}
      title={
        <>
          Webhook {hookId} {text}
          {since !== null && (
            <span className={styles.since}>
              {' '}
              since <Since at={since} />
            </span>
          )}
        </>
      }
      actions={
        <>
          <ButtonLink
            to="/events"
            search={{ hook_id: hookId, ...(state !== undefined && { state }) }}
            variant="subtle"
            color="gray"
            size="xs"
          >
            {link}
          </ButtonLink>
          <ButtonLink to="/webhooks/$id" params={{ id: String(hookId) }} variant="default" size="xs">
            View webhook
          </ButtonLink>
        </>
      }
    >
      {failure !== null && describeFailure(failure.reason, failure.status)}{' '}
      {describeHealth(kind, disabledReason, { ...counters, failing_since: null }, now)}
    </Notice>
  )
}
