/** Replays: deliveries that are sent again. */
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './api.ts'
import { type Replay, type Selection } from './shapes.ts'

export function isUnderWay({ state }: Replay): boolean {
  return state === 'counting' || state === 'running' || state === 'paused'
}

function isMoving({ state }: Replay): boolean {
  return state === 'counting' || state === 'running'
}

export const replaysQuery = queryOptions({
  queryKey: ['replays'],
  queryFn: async ({ signal }) => (await client.get('/api/replays', { signal })).replays,
  refetchInterval: ({ state }) => (state.data?.some(isMoving) ? 2_000 : 60_000),
})

export function replayQuery(id: number) {
  return queryOptions({
    queryKey: ['replays', id],
    queryFn: async ({ signal }) => (await client.get('/api/replays/{id}', { path: { id }, signal })).replay,
    refetchInterval: ({ state }) => (state.data !== undefined && isMoving(state.data) ? 1_500 : false),
  })
}

export function replayCountQuery(selection: Selection) {
  return queryOptions({
    queryKey: ['replay-count', selection],
    queryFn: ({ signal }) => client.post('/api/replays/count', { body: { selection }, signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

function remember(replay: Replay): void {
  queryClient.setQueryData(replayQuery(replay.id).queryKey, replay)
  queryClient.setQueryData(replaysQuery.queryKey, (all) =>
    all?.some(({ id }) => id === replay.id)
      ? all.map((one) => (one.id === replay.id ? replay : one))
      : all && [replay, ...all],
  )
}

export function useStartReplay() {
  return useMutation({
    mutationFn: (body: { selection: Selection; most_per_second: number }) =>
      client.post('/api/replays', { body }),
    onSuccess: ({ replay }) => {
      remember(replay)
      return queryClient.invalidateQueries(replaysQuery)
    },
  })
}

export function useChangeReplay() {
  return useMutation({
    mutationFn: ({ id, deed }: { id: number; deed: 'pause' | 'resume' | 'cancel' }) =>
      client.post(`/api/replays/{id}/${deed}`, { path: { id } }),
    onSuccess: ({ replay }) => remember(replay),
  })
}
