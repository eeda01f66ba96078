/** Shows when visible data is stale because a refetch failed. Retries until it succeeds. */
import { notifyManager, type QueryFilters } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { isErrorCode, queryClient } from '../../api/client.ts'
import { Since } from '../../ui/time/since.tsx'
import styles from './shell.module.css'

const retryMs = 15_000

const staleQueries: QueryFilters = {
  type: 'active',
  // Pages handle 404 themselves.
  predicate: ({ state }) =>
    state.status === 'error' && state.dataUpdatedAt > 0 && !isErrorCode(state.error, 'notFound'),
}

const cache = queryClient.getQueryCache()

function subscribe(listener: () => void): () => void {
  return cache.subscribe(notifyManager.batchCalls(listener))
}

/** Time of the oldest stale data. Infinity: no data is stale. */
function oldestUpdate(): number {
  return Math.min(...cache.findAll(staleQueries).map(({ state }) => state.dataUpdatedAt))
}

export function StaleDataBanner() {
  const since = useSyncExternalStore(subscribe, oldestUpdate)
  const isStale = since !== Infinity
  useEffect(() => {
    if (!isStale) return undefined
    const timer = setInterval(
      () => void queryClient.refetchQueries(staleQueries, { cancelRefetch: false }),
      retryMs,
    )
    return () => clearInterval(timer)
  }, [isStale])
  return (
    <p className={styles.stale} role="status">
      {isStale && (
        <>
          Last updated <Since at={new Date(since).toISOString()} />. Retrying…
        </>
      )}
    </p>
  )
}
