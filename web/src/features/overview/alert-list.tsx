/** Lists alerts, most urgent first: webhooks, then keys and sign-in. Without alerts, says that there are no issues. */
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '../../lib/load-chunk.ts'
import type { Overview, OverviewRange } from '../../api/types.ts'
import { deprecatedUsesQuery, keysQuery } from '../../api/api-keys.ts'
import { overviewQuery } from '../../api/overview.ts'
import { useSession } from '../auth/session-context.ts'
import { useAccess } from '../auth/use-access.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useNow } from '../../lib/use-now.ts'
import { plural, formatNumber } from '../../lib/format-number.ts'
import { rangeText } from '../../messages/time-ranges.ts'
import { findAccountAlerts } from './account-alerts.ts'
import styles from './overview.module.css'

const route = getRouteApi('/app/')

/** Most accounts have no problems, so the list loads on demand. */
const WebhookProblems = lazyPart(async () => (await import('./webhook-problems.tsx')).WebhookProblems)

export function AlertList({ hasHooks }: { hasHooks: boolean }) {
  const { login, sso } = useSession()
  const { range = '24h' } = route.useSearch()
  const now = useNow()
  const overview = useQuery(overviewQuery(range))
  const isKeyManager = useAccess().mayCall(keysQuery)
  const keys = useQuery({ ...keysQuery, enabled: isKeyManager })
  const uses = useQuery(deprecatedUsesQuery)
  const failed = [overview, keys, uses].find((query) => query.isError && query.data === undefined)
  const hasKeys = keys.data !== undefined || !isKeyManager
  const isLoaded = overview.data !== undefined && hasKeys && uses.data !== undefined
  const accountAlerts = findAccountAlerts({
    keys: keys.data,
    uses: uses.data ?? [],
    login,
    isSso: sso !== null,
    now,
  })
  const webhookAlerts = overview.data?.alerts ?? []
  const hasNoIssues = webhookAlerts.length === 0 && accountAlerts.every(({ tone }) => tone === 'info')
  return (
    <section className={styles.alerts} aria-label="Alerts">
      {failed !== undefined && (
        <Panel>
          <ErrorState error={failed.error} retry={() => void failed.refetch()} />
        </Panel>
      )}
      {!isLoaded && failed === undefined && <Skeleton height={68} radius="md" />}
      {isLoaded && hasNoIssues && hasHooks && <NoIssues overview={overview.data} />}
      {webhookAlerts.length > 0 && (
        <Suspense fallback={<Skeleton height={68} radius="md" />}>
          <WebhookProblems alerts={webhookAlerts} total={overview.data?.alerts_total ?? 0} />
        </Suspense>
      )}
      {isLoaded &&
        accountAlerts.map(({ id, tone, title, text, link, action }) => (
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
            {text}
          </Notice>
        ))}
    </section>
  )
}

/** Reports failed and expired deliveries of the period even if no alert is active. */
function NoIssues({ overview }: { overview: Overview & { range: OverviewRange } }) {
  const { totals, range } = overview
  const undelivered = totals.failed + totals.expired
  if (undelivered === 0)
    return (
      <Notice tone="success" title="No issues">
        All webhooks work as expected.
      </Notice>
    )
  return (
    <Notice
      tone="neutral"
      title="No current issues"
      actions={
        <ButtonLink
          to="/events"
          search={{ state: totals.failed > 0 ? 'failed' : 'expired', since: range }}
          variant="default"
          size="xs"
        >
          View events
        </ButtonLink>
      }
    >
      {formatNumber(undelivered)} of {plural(totals.delivered + undelivered, 'delivery', 'deliveries')} in the{' '}
      {rangeText[range].span} failed or expired.
    </Notice>
  )
}
