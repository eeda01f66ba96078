/** Overview of the account. Data includes its range, because it stays visible while another range loads. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import type { Overview, OverviewRange } from './types.ts'

export function overviewQuery(range: OverviewRange) {
  return queryOptions({
    queryKey: ['overview', range],
    queryFn: async ({ signal }): Promise<Overview & { range: OverviewRange }> => ({
      range,
      ...(await client.get('/api/overview', { query: { range }, signal })),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
}
