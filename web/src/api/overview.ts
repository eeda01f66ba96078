/** How everything is going, in one call; the answer says of which range it is, as it is shown until the next one comes. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from './api.ts'
import { type OverviewRange } from './shapes.ts'

export function overviewQuery(range: OverviewRange) {
  return queryOptions({
    queryKey: ['overview', range],
    queryFn: async ({ signal }) => ({
      range,
      ...(await client.get('/api/overview', { query: { range }, signal })),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
}
