/** Why attempts failed, the same reasons together, each with what to do about it. */
import { Skeleton } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { EventsSearch } from '../../api/events.ts'
import type { HookError } from '../../api/shapes.ts'
import { hookStatsQuery } from '../../api/hooks.ts'
import { TextLink } from '../../parts/links.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { counted } from '../../words/count.ts'
import { rangeWords } from '../../words/ranges.ts'
import styles from './webhook.module.css'

const route = getRouteApi('/area/webhooks/$id')

export function HookErrors({ hookId }: { hookId: number }) {
  const { range = '24h' } = route.useSearch()
  const { data, isError, isPlaceholderData } = useQuery(hookStatsQuery(hookId, range))
  if (isError && data === undefined) return null
  return (
    <Panel
      id="errors"
      title="Why attempts failed"
      about={`The ${rangeWords[data?.range ?? range].span}, grouped by reason.`}
    >
      {data === undefined && <Skeleton height={56} />}
      {data?.errors.length === 0 && (
        <p className={styles.fine}>
          <IconCircleCheck size={18} aria-hidden="true" /> No attempt failed in this time.
        </p>
      )}
      {data !== undefined && data.errors.length > 0 && (
        <ul className={styles.errors} data-old={isPlaceholderData}>
          {data.errors.map((error) => (
            <li key={`${error.reason}-${error.status}`}>
              <p className={styles.errorSentence}>{error.sentence}</p>
              <p className={styles.errorFigures}>
                {counted(error.count, 'attempt')}, last <Time at={error.last_at} /> ·{' '}
                <TextLink to="/events" search={searchOf(hookId, error)}>
                  its events
                </TextLink>
              </p>
              {error.advice !== null && <p className={styles.advice}>{error.advice}</p>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function searchOf(hookId: number, { status, reason }: HookError): EventsSearch {
  return status === null ? { hook_id: hookId, reason } : { hook_id: hookId, status }
}
