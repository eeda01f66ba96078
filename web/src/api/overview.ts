/** How everything is going, in one call. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from './api.ts'
import { type OverviewRange } from './shapes.ts'

export function overviewQuery(range: OverviewRange) {
  return queryOptions({
    queryKey: ['overview', range],
    queryFn: ({ signal }) => client.get('/api/overview', { query: { range }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
}
