/** Queries and mutations for replays. */
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './client.ts'
import { invalidateEvents } from './events.ts'
import { type Replay, type Selection } from './types.ts'

export function isActive({ state }: Replay): boolean {
  return state === 'counting' || state === 'running' || state === 'paused'
}

/** A canceled replay finishes when its attempts in flight have. */
function isFinished({ finished_at: at }: Replay): boolean {
  return at !== null
}

function isProgressing(replay: Replay): boolean {
  return !isFinished(replay) && replay.state !== 'paused'
}

const replaysKey = ['replays']

export const replaysQuery = queryOptions({
  queryKey: replaysKey,
  async queryFn({ signal }): Promise<Replay[]> {
    const { replays } = await client.get('/api/replays', { signal })
    invalidateOnFinish(replays)
    return replays.map(preferFinished)
  },
  refetchInterval: ({ state }) => (state.data?.some(isProgressing) ? 2_000 : 60_000),
})

export function replayQuery(id: number) {
  return queryOptions({
    queryKey: [...replaysKey, id],
    async queryFn({ signal }): Promise<Replay> {
      const { replay } = await client.get('/api/replays/{id}', { path: { id }, signal })
      invalidateOnFinish([replay])
      updateList(replay)
      return replay
    },
    refetchInterval({ state: { data } }) {
      if (data === undefined || isFinished(data)) return false
      return isProgressing(data) ? 1_500 : 5_000
    },
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

function cachedReplays(): readonly Replay[] {
  return queryClient.getQueryData<Replay[]>(replaysKey) ?? []
}

/** Keeps a finished replay from the cache, because an older response may arrive late. */
function preferFinished(replay: Replay): Replay {
  return cachedReplays().find((cached) => cached.id === replay.id && isFinished(cached)) ?? replay
}

/** Invalidates events when a replay finishes, because it changed their deliveries. */
function invalidateOnFinish(replays: readonly Replay[]): void {
  const finished = new Set(replays.filter(isFinished).map(({ id }) => id))
  if (cachedReplays().some((cached) => !isFinished(cached) && finished.has(cached.id))) invalidateEvents()
}

/** Keeps the banner and the replay page consistent. */
function updateList(replay: Replay): void {
  queryClient.setQueryData<Replay[]>(replaysKey, (all) =>
    all?.some(({ id }) => id === replay.id)
      ? all.map((one) => (one.id === replay.id ? replay : one))
      : all && [replay, ...all],
  )
}

function cacheReplay(replay: Replay): void {
  queryClient.setQueryData(replayQuery(replay.id).queryKey, replay)
  updateList(replay)
}

export function useStartReplay() {
  return useMutation({
    mutationFn: (body: { selection: Selection; max_per_second: number }) =>
      client.post('/api/replays', { body }),
    onSuccess: ({ replay }) => {
      cacheReplay(replay)
      invalidateEvents()
      return queryClient.invalidateQueries(replaysQuery)
    },
  })
}

export function useChangeReplay() {
  return useMutation({
    mutationFn: ({ id, action }: { id: number; action: 'pause' | 'resume' | 'cancel' }) =>
      client.post(`/api/replays/{id}/${action}`, { path: { id } }),
    async onSuccess({ replay }) {
      // A response from before the change would revert it.
      await queryClient.cancelQueries({ queryKey: replaysKey })
      invalidateOnFinish([replay])
      cacheReplay(replay)
    },
  })
}
