/** How everything is going, in one call. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { heart, type OverviewRange } from './heart-types.ts'

export function overviewQuery(range: OverviewRange) {
  return queryOptions({
    queryKey: ['overview', range],
    queryFn: ({ signal }) => heart.get('/api/overview', { query: { range }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
}
