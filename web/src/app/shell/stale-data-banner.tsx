/**
 * Shows when visible data is stale or missing because the service cannot be reached. Retries with increasing delays until it
 * succeeds, or at once with the button.
 */
import { notifyManager, type QueryFilters } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { isErrorCode, isUnavailable, queryClient } from '../../api/client.ts'
import { retryNow } from '../../lib/connection.ts'
import { Since } from '../../ui/time/since.tsx'
import { useOutage } from '../unreachable.tsx'
import styles from './shell.module.css'

const firstRetryMs = 4_000
const maxRetryMs = 30_000

const failedQueries: QueryFilters = {
  type: 'active',
  // Pages handle 404 themselves, and other errors without data.
  predicate: ({ state: { status, error, dataUpdatedAt } }) =>
    status === 'error' && !isErrorCode(error, 'notFound') && (dataUpdatedAt > 0 || isUnavailable(error)),
}

const cache = queryClient.getQueryCache()

function subscribe(listener: () => void): () => void {
  return cache.subscribe(notifyManager.batchCalls(listener))
}

function failedStates() {
  return cache.findAll(failedQueries).map(({ state }) => state)
}

/** Time of the oldest stale data. Infinity: no data is stale. */
function oldestUpdate(): number {
  return Math.min(
    ...failedStates()
      .map(({ dataUpdatedAt }) => dataUpdatedAt)
      .filter((at) => at > 0),
  )
}

function retry(): void {
  void queryClient.refetchQueries(failedQueries, { cancelRefetch: false })
}

export function StaleDataBanner() {
  const since = useSyncExternalStore(subscribe, oldestUpdate)
  const hasFailed = useSyncExternalStore(subscribe, () => failedStates().length > 0)
  const isUnreachable = useSyncExternalStore(subscribe, () =>
    failedStates().some(({ error }) => isUnavailable(error)),
  )
  const hasOutage = useOutage()
  useEffect(() => {
    if (!hasFailed) return undefined
    let delayMs = firstRetryMs
    let timer = setTimeout(function again() {
      retry()
      delayMs = Math.min(2 * delayMs, maxRetryMs)
      timer = setTimeout(again, delayMs)
    }, delayMs)
    return () => clearTimeout(timer)
  }, [hasFailed])
  const isShown = hasFailed || hasOutage
  return (
    <div className={styles.stale} role="status">
      {isShown && (
        <>
          {(isUnreachable || hasOutage) && <span>Hookline is unreachable.</span>}
          <span>
            {since !== Infinity && (
              <>
                Last updated <Since at={new Date(since).toISOString()} />.{' '}
              </>
            )}
            Retrying…
          </span>
          <button
            className={styles.retry}
            type="button"
            onClick={() => {
              retry()
              retryNow()
            }}
          >
            Retry now
          </button>
        </>
      )}
    </div>
  )
}
