/** An event at one webhook that wanted it: every round, every attempt, what comes next. */
import { Button } from '@mantine/core'
import { IconRepeat, IconTerminal2 } from '@tabler/icons-react'
import { useState } from 'react'
import type { ToldDelivery, ToldHook } from '../../api/shapes.ts'
import { AttemptDetail } from '../../parts/attempt-detail.tsx'
import { AttemptLine } from '../../parts/attempt-line.tsx'
import { Countdown } from '../../parts/countdown.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Mono } from '../../parts/mono.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ServiceWords } from '../../parts/service-words.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Tag } from '../../parts/tag.tsx'
import { deliveryWords } from '../../words/states.ts'
import { CurlDialog } from './curl-dialog.tsx'
import styles from './event.module.css'

interface ToldWebhookProps {
  eventId: string
  hook: ToldHook
  /** Whether no other webhook got the event: then there is room to show everything at once. */
  isOnly: boolean
  replay: () => void
}

export function ToldWebhook({ eventId, hook, isOnly, replay }: ToldWebhookProps) {
  const [isCurlAsked, setCurlAsked] = useState(false)
  const { hook_id: hookId, target_url: url, request_method: method, why, deliveries } = hook
  return (
    <Panel
      title={`Webhook ${hookId}`}
      about={
        <span className={styles.about}>
          <Mono text={url} what="address" />
          <Tag>{method}</Tag>
          <TextLink to="/webhooks/$id" params={{ id: String(hookId) }} className={styles.noPrint}>
            To the webhook
          </TextLink>
        </span>
      }
      actions={
        <div className={`${styles.actions} ${styles.noPrint}`}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTerminal2 size={14} />}
            onClick={() => setCurlAsked(true)}
          >
            Copy as curl
          </Button>
          <Button variant="default" size="xs" leftSection={<IconRepeat size={14} />} onClick={replay}>
            Replay…
          </Button>
        </div>
      }
    >
      <p className={styles.why}>{why.sentence}</p>
      {deliveries.map((delivery) => (
        <Round
          key={delivery.round}
          delivery={delivery}
          isOnly={deliveries.length === 1}
          isOpen={isOnly || delivery.state !== 'delivered'}
        />
      ))}
      {isCurlAsked && <CurlDialog eventId={eventId} hookId={hookId} close={() => setCurlAsked(false)} />}
    </Panel>
  )
}

interface RoundProps {
  delivery: ToldDelivery
  isOnly: boolean
  /** Whether its last attempt is shown at once. */
  isOpen: boolean
}

function Round({ delivery, isOnly, isOpen }: RoundProps) {
  const { round, state, sentence, attempts, next_attempt_at: nextAt } = delivery
  const { word, tone } = deliveryWords[state]
  return (
    <div className={styles.round} role="group" aria-label={isOnly ? 'Delivery' : `Round ${round}`}>
      <p className={styles.roundLine}>
        {!isOnly && <strong>{round === 1 ? 'At first' : `Sent again (${round - 1})`}</strong>}
        <StateBadge tone={tone} word={word} />
        {state === 'waiting' && nextAt !== null && <Countdown until={nextAt} />}
        <span>
          <ServiceWords of={sentence} />
        </span>
      </p>
      <div className={styles.attempts}>
        {attempts.map((attempt, index) => (
          <Disclosure
            key={attempt.attempt}
            isOpenAtFirst={isOpen && index === attempts.length - 1}
            summary={<AttemptLine attempt={attempt} name={`Attempt ${attempt.attempt}`} />}
          >
            <AttemptDetail attempt={attempt} />
          </Disclosure>
        ))}
      </div>
    </div>
  )
}
