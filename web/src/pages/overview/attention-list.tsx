/** What needs attention, most urgent first: webhooks that fail, then keys and the sign-in; else that all is quiet. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { DeliveryState, Overview, OverviewRange } from '../../api/shapes.ts'
import { deprecatedUsesQuery, keysQuery } from '../../api/keys.ts'
import { overviewQuery } from '../../api/overview.ts'
import { useSession } from '../../frame/session-context.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ServiceWords } from '../../parts/service-words.tsx'
import type { Tone } from '../../parts/state-badge.tsx'
import { Since } from '../../parts/since.tsx'
import { useNow } from '../../parts/use-now.ts'
import { counted, figure } from '../../words/count.ts'
import { rangeWords } from '../../words/ranges.ts'
import { findAttention } from './attention.ts'
import styles from './overview.module.css'

const route = getRouteApi('/area/')

export function AttentionList({ hasHooks }: { hasHooks: boolean }) {
  const { login } = useSession()
  const { range = '24h' } = route.useSearch()
  const now = useNow()
  const overview = useQuery(overviewQuery(range))
  const keys = useQuery(keysQuery)
  const uses = useQuery(deprecatedUsesQuery)
  const failed = [overview, keys, uses].find((query) => query.isError && query.data === undefined)
  const isLoaded = overview.data !== undefined && keys.data !== undefined && uses.data !== undefined
  const own = findAttention({ keys: keys.data ?? [], uses: uses.data ?? [], login, now })
  const ofDeliveries = overview.data?.attention.toSorted(byUrgency) ?? []
  const isQuiet = ofDeliveries.length === 0 && own.every(({ tone }) => tone === 'accent')
  return (
    <section className={styles.attention} aria-label="What needs attention">
      {failed !== undefined && (
        <Panel>
          <ErrorState error={failed.error} retry={() => void failed.refetch()} />
        </Panel>
      )}
      {!isLoaded && failed === undefined && <Skeleton height={68} radius="md" />}
      {isLoaded && isQuiet && hasHooks && <Quiet of={overview.data} />}
      {ofDeliveries.map((one) => (
        <OfDeliveries key={`${one.kind}-${one.hook_id}-${one.sentence}`} attention={one} />
      ))}
      {isLoaded &&
        own.map(({ id, tone, title, words, link, action }) => (
          <Notice
            key={id}
            tone={tone}
            title={title}
            actions={
              <ButtonLink {...link} variant="default" size="xs">
                {action}
              </ButtonLink>
            }
          >
            {words}
          </Notice>
        ))}
    </section>
  )
}

/** What was lost in this time is said, even where nothing is to be done about it any more. */
function Quiet({ of: { totals, range } }: { of: Overview & { range: OverviewRange } }) {
  const lost = totals.failed + totals.expired
  if (lost === 0)
    return (
      <Notice tone="good" title="All quiet.">
        Every webhook is doing its work; nothing needs your attention.
      </Notice>
    )
  return (
    <Notice
      tone="quiet"
      title="Nothing needs your attention now."
      actions={
        <ButtonLink
          to="/events"
          search={{ state: totals.failed > 0 ? 'failed' : 'expired', since: range }}
          variant="default"
          size="xs"
        >
          See the events
        </ButtonLink>
      }
    >
      {figure(lost)} of {counted(totals.delivered + lost, 'delivery', 'deliveries')} in the{' '}
      {rangeWords[range].span} failed for good.
    </Notice>
  )
}

interface Kind {
  words: string
  tone: Tone
  /** The deliveries that it is about; of a failing one that is all that are under way. */
  state?: DeliveryState
  events: string
}

const kinds: Record<string, Kind> = {
  failing: { words: 'is failing', tone: 'bad', events: 'Its events' },
  paused: { words: 'is failing and paused', tone: 'bad', events: 'Its events' },
  unloadable: { words: 'is on hold', tone: 'bad', state: 'waiting', events: 'Pending events' },
  stopped: { words: 'is stopped', tone: 'attention', state: 'waiting', events: 'Pending events' },
  losing: { words: 'loses deliveries', tone: 'attention', events: 'Its events' },
  waiting: { words: 'is behind', tone: 'attention', state: 'waiting', events: 'Waiting events' },
  disabled: { words: 'is disabled', tone: 'attention', state: 'held', events: 'Held events' },
}

const unknownKind: Kind = { words: 'needs attention', tone: 'attention', events: 'Its events' }

/** What is broken before what is only late. */
function byUrgency(one: { kind: string }, other: { kind: string }): number {
  const order = Object.keys(kinds)
  return order.indexOf(one.kind) - order.indexOf(other.kind)
}

function OfDeliveries({ attention }: { attention: Overview['attention'][number] }) {
  const { kind, sentence, why, hook_id: hookId, since } = attention
  const { words, tone, state, events } = kinds[kind] ?? unknownKind
  return (
    <Notice
      tone={tone}
      title={
        hookId === null ? (
          <ServiceWords of={sentence} />
        ) : (
          <>
            Webhook {hookId} {words}
            {since !== null && (
              <span className={styles.since}>
                {' '}
                since <Since at={since} />
              </span>
            )}
          </>
        )
      }
      actions={
        hookId === null ? (
          <ButtonLink to="/events" search={{ state: 'failed' }} variant="default" size="xs">
            See the events
          </ButtonLink>
        ) : (
          <>
            <ButtonLink
              to="/events"
              search={{ hook_id: hookId, ...(state !== undefined && { state }) }}
              variant="subtle"
              color="gray"
              size="xs"
            >
              {events}
            </ButtonLink>
            <ButtonLink to="/webhooks/$id" params={{ id: String(hookId) }} variant="default" size="xs">
              Go to the webhook
            </ButtonLink>
          </>
        )
      }
    >
      {why} {hookId !== null && <ServiceWords of={sentence} />}
    </Notice>
  )
}
