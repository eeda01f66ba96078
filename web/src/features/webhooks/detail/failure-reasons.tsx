/** Lists failed attempts grouped by reason, each with a hint. */
import { Skeleton } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { EventsSearch } from '../../../api/events.ts'
import type { HookError } from '../../../api/types.ts'
import { webhookStatsQuery } from '../../../api/webhooks.ts'
import { TextLink } from '../../../ui/layout/links.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { plural } from '../../../lib/format-number.ts'
import { describeFailure, hintFor } from '../../../messages/attempts.ts'
import { rangeText } from '../../../messages/time-ranges.ts'
import styles from './webhook.module.css'

const route = getRouteApi('/app/webhooks/$id')

export function FailureReasons({ hookId }: { hookId: number }) {
  const { range = '24h' } = route.useSearch()
  const { data, isError, isPlaceholderData } = useQuery(webhookStatsQuery(hookId, range))
  if (isError && data === undefined) return null
  return (
    <Panel
      id="errors"
      title="Failure reasons"
      description={`Failed attempts in the ${rangeText[data?.range ?? range].span}, grouped by reason`}
    >
      {data === undefined && <Skeleton height={56} />}
      {data?.errors.length === 0 && (
        <p className={styles.fine}>
          <IconCircleCheck size={18} aria-hidden="true" /> No failed attempts in this period
        </p>
      )}
      {data !== undefined && data.errors.length > 0 && (
        <ul className={styles.errors} data-stale={isPlaceholderData}>
          {data.errors.map((error) => (
            <FailureReason key={`${error.reason}-${error.status}`} hookId={hookId} error={error} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function FailureReason({ hookId, error }: { hookId: number; error: HookError }) {
  const hint = hintFor(error.reason, error.status)
  return (
    <li>
      <p className={styles.errorText}>{describeFailure(error.reason, error.status)}</p>
      <p className={styles.errorValues}>
        {plural(error.count, 'attempt')}, last <RelativeTime at={error.last_at} /> ·{' '}
        <TextLink to="/events" search={eventsSearchFor(hookId, error)}>
          View events
        </TextLink>
      </p>
      {hint !== null && <p className={styles.hint}>{hint}</p>}
    </li>
  )
}

function eventsSearchFor(hookId: number, { status, reason }: HookError): EventsSearch {
  return status === null ? { hook_id: hookId, reason } : { hook_id: hookId, status }
}
