/** Says so while something shown is old because it could not be renewed, and goes on trying. */
import { notifyManager, type QueryFilters } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { hasCode, queryClient } from '../api/api.ts'
import { Since } from '../parts/since.tsx'
import styles from './frame.module.css'

const againMs = 15_000

const notRenewed: QueryFilters = {
  type: 'active',
  // What is not there any more says so itself.
  predicate: ({ state }) =>
    state.status === 'error' && state.dataUpdatedAt > 0 && !hasCode(state.error, 'notFound'),
}

const cache = queryClient.getQueryCache()

function subscribe(listener: () => void): () => void {
  return cache.subscribe(notifyManager.batchCalls(listener))
}

/** When the oldest of it came; Infinity: all is as new as it should be. */
function oldest(): number {
  return Math.min(...cache.findAll(notRenewed).map(({ state }) => state.dataUpdatedAt))
}

export function NotRenewed() {
  const since = useSyncExternalStore(subscribe, oldest)
  const isOld = since !== Infinity
  useEffect(() => {
    if (!isOld) return undefined
    const timer = setInterval(
      () => void queryClient.refetchQueries(notRenewed, { cancelRefetch: false }),
      againMs,
    )
    return () => clearInterval(timer)
  }, [isOld])
  return (
    <p className={styles.old} role="status">
      {isOld && (
        <>
          Not renewed since <Since at={new Date(since).toISOString()} />; trying again.
        </>
      )}
    </p>
  )
}
