/** Shows the deliveries of an event to one webhook: each round with its attempts and next step. */
import { Button } from '@mantine/core'
import { IconRepeat, IconTerminal2 } from '@tabler/icons-react'
import { useState } from 'react'
import type { EventDelivery, EventDetail, EventHook } from '../../../api/types.ts'
import { AttemptDetail } from '../../deliveries/attempt-detail.tsx'
import { AttemptLine } from '../../deliveries/attempt-line.tsx'
import { Countdown } from '../../../ui/time/countdown.tsx'
import { Disclosure } from '../../../ui/layout/disclosure.tsx'
import { TextLink } from '../../../ui/layout/links.tsx'
import { Mono } from '../../../ui/data/mono.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { describeDelivery } from '../../../messages/deliveries.ts'
import { describeMatch } from '../../../messages/match-results.ts'
import { deliveryStateText } from '../../../messages/states.ts'
import { webhookName } from '../../../messages/webhook-name.ts'
import { useAccess } from '../../auth/use-access.ts'
import { CurlDialog } from './curl-dialog.tsx'
import styles from './event.module.css'

interface WebhookDeliveriesProps {
  event: EventDetail['event']
  hook: EventHook
  /** Whether the last attempt starts expanded. */
  isOpen: boolean
  replay: () => void
}

export function WebhookDeliveries({ event, hook, isOpen, replay }: WebhookDeliveriesProps) {
  const [isCurlOpen, setCurlOpen] = useState(false)
  const { hasRole, canReveal } = useAccess()
  const { hook_id: hookId, target_url: url, request_method: method, deliveries } = hook
  return (
    <Panel
      title={webhookName(hook.webhook)}
      description={
        <span className={styles.description}>
          <Mono text={url} label="URL" />
          <Tag>{method}</Tag>
          <TextLink to="/webhooks/$id" params={{ id: String(hookId) }} className={styles.noPrint}>
            View webhook
          </TextLink>
        </span>
      }
      {...(hasRole('support') && {
        actions: (
          <div className={`${styles.actions} ${styles.noPrint}`}>
            {canReveal && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconTerminal2 size={14} />}
                onClick={() => setCurlOpen(true)}
              >
                Copy as cURL
              </Button>
            )}
            <Button variant="default" size="xs" leftSection={<IconRepeat size={14} />} onClick={replay}>
              Replay…
            </Button>
          </div>
        ),
      })}
    >
      <p className={styles.why}>{describeMatch(hook, event)}</p>
      {deliveries.map((delivery) => (
        <Round key={delivery.round} delivery={delivery} isOnly={deliveries.length === 1} isOpen={isOpen} />
      ))}
      {isCurlOpen && <CurlDialog eventId={event.id} hookId={hookId} close={() => setCurlOpen(false)} />}
    </Panel>
  )
}

interface RoundProps {
  delivery: EventDelivery
  isOnly: boolean
  /** Whether the last attempt starts expanded. */
  isOpen: boolean
}

function Round({ delivery, isOnly, isOpen }: RoundProps) {
  const now = new Date(useNow())
  const { round, state, attempts, next_attempt_at: nextAt } = delivery
  const { label, tone } = deliveryStateText[state]
  return (
    <div className={styles.round} role="group" aria-label={isOnly ? 'Delivery' : `Round ${round}`}>
      <p className={styles.roundLine}>
        {!isOnly && <strong>{round === 1 ? 'Original' : `Replay ${round - 1}`}</strong>}
        <StateBadge tone={tone} label={label} />
        {state === 'waiting' && nextAt !== null && <Countdown until={nextAt} />}
        <span>{describeDelivery(delivery, now)}</span>
      </p>
      <div className={styles.attempts}>
        {attempts.map((attempt, index) => (
          <Disclosure
            key={attempt.attempt}
            isInitiallyOpen={isOpen && index === attempts.length - 1}
            summary={<AttemptLine attempt={attempt} name={`Attempt ${attempt.attempt}`} />}
          >
            <AttemptDetail attempt={attempt} />
          </Disclosure>
        ))}
      </div>
    </div>
  )
}
