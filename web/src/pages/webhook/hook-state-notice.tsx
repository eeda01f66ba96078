/** The state of a webhook and why, with what to do next. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { HookStory } from '../../api/shapes.ts'
import { hookStatsQuery } from '../../api/hooks.ts'
import { Countdown } from '../../parts/countdown.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { Notice } from '../../parts/notice.tsx'
import { ServiceWords } from '../../parts/service-words.tsx'
import { Time } from '../../parts/time.tsx'
import { relativeTime } from '../../words/time.ts'
import { useNow } from '../../parts/use-now.ts'
import { deliveryWords, doesFail, healthWords } from '../../words/states.ts'
import styles from './webhook.module.css'

const route = getRouteApi('/area/webhooks/$id')

export function HookStateNotice({ story: { hook, health, warnings } }: { story: HookStory }) {
  const { range = '24h' } = route.useSearch()
  const now = useNow()
  const stats = useQuery(hookStatsQuery(hook.id, range)).data
  const last = stats?.errors[0]
  const { word, tone } = healthWords[health.state]
  const isFailing = doesFail(health.state)
  const isLosing = health.state === 'losing'
  const lost = stats?.totals.failed === 0 && stats.totals.expired > 0 ? 'expired' : 'failed'
  const warned = warnings[0]
  return (
    <div className={styles.state}>
      <Notice
        tone={tone}
        title={
          <>
            {word}. <ServiceWords of={health.sentence} />{' '}
            {health.next_probe_at !== null && <Countdown until={health.next_probe_at} />}
          </>
        }
        {...(health.state === 'unloadable' && {
          actions: (
            <ButtonLink variant="default" size="xs" to="/webhooks/$id/edit" params={{ id: String(hook.id) }}>
              Edit webhook
            </ButtonLink>
          ),
        })}
        {...(isFailing && {
          actions: (
            <ButtonLink
              variant="default"
              size="xs"
              to="/events"
              search={{ hook_id: hook.id, state: health.failed_24h > 0 ? lost : 'waiting' }}
            >
              {health.failed_24h > 0 ? `${deliveryWords[lost].word} events, to send again` : 'Waiting events'}
            </ButtonLink>
          ),
        })}
      >
        {isFailing && last !== undefined && (
          <p>
            Last, <Time at={last.last_at} />: {last.sentence} {last.advice}
          </p>
        )}
        {isLosing && (
          <p>
            They are not tried again by themselves: when your server does what it should, send them again.
            What has failed is counted for a day, also when it was sent again and arrived.
          </p>
        )}
        {warned !== undefined && tone === 'bad' && (
          <p>
            You were told of it {relativeTime(new Date(warned.at), now)}. After five days of nothing but
            failures it is disabled.
          </p>
        )}
        {health.state === 'stopped' && (
          <p>
            Deliveries stay pending for up to 7 days and use up no attempt. They are sent when the stop ends.
          </p>
        )}
        {health.state === 'unloadable' && (
          <p>Nothing is lost: pending deliveries are sent once the webhook is saved.</p>
        )}
        {health.state === 'disabled' && health.held > 0 && (
          <p>
            Events are held for up to 7 days. When you enable it, you choose whether they are delivered or
            dropped.
          </p>
        )}
      </Notice>
    </div>
  )
}
