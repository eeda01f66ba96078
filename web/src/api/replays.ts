/** Replays: deliveries that are sent again. */
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client, queryClient } from './api.ts'
import { readEventsAgain } from './events.ts'
import { type Replay, type Selection } from './shapes.ts'

export function isUnderWay({ state }: Replay): boolean {
  return state === 'counting' || state === 'running' || state === 'paused'
}

/** A cancelled one ends when all that was under way has. */
function isOver({ finished_at: at }: Replay): boolean {
  return at !== null
}

function isMoving(replay: Replay): boolean {
  return !isOver(replay) && replay.state !== 'paused'
}

const replaysKey = ['replays']

export const replaysQuery = queryOptions({
  queryKey: replaysKey,
  async queryFn({ signal }) {
    const { replays } = await client.get('/api/replays', { signal })
    noteEnds(replays)
    return replays.map(unlessOver)
  },
  refetchInterval: ({ state }) => (state.data?.some(isMoving) ? 2_000 : 60_000),
})

export function replayQuery(id: number) {
  return queryOptions({
    queryKey: [...replaysKey, id],
    async queryFn({ signal }) {
      const { replay } = await client.get('/api/replays/{id}', { path: { id }, signal })
      noteEnds([replay])
      putIntoList(replay)
      return replay
    },
    refetchInterval({ state: { data } }) {
      if (data === undefined || isOver(data)) return false
      return isMoving(data) ? 1_500 : 5_000
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

function knownReplays(): readonly Replay[] {
  return queryClient.getQueryData<Replay[]>(replaysKey) ?? []
}

/** What is over stays so: an answer from before may come late. */
function unlessOver(replay: Replay): Replay {
  return knownReplays().find((known) => known.id === replay.id && isOver(known)) ?? replay
}

/** When a replay is over, something else has become of the events that it sent again. */
function noteEnds(replays: readonly Replay[]): void {
  const over = new Set(replays.filter(isOver).map(({ id }) => id))
  if (knownReplays().some((known) => !isOver(known) && over.has(known.id))) readEventsAgain()
}

/** So that the banner and the page of a replay tell the same. */
function putIntoList(replay: Replay): void {
  queryClient.setQueryData<Replay[]>(replaysKey, (all) =>
    all?.some(({ id }) => id === replay.id)
      ? all.map((one) => (one.id === replay.id ? replay : one))
      : all && [replay, ...all],
  )
}

function remember(replay: Replay): void {
  queryClient.setQueryData(replayQuery(replay.id).queryKey, replay)
  putIntoList(replay)
}

export function useStartReplay() {
  return useMutation({
    mutationFn: (body: { selection: Selection; most_per_second: number }) =>
      client.post('/api/replays', { body }),
    onSuccess: ({ replay }) => {
      remember(replay)
      readEventsAgain()
      return queryClient.invalidateQueries(replaysQuery)
    },
  })
}

export function useChangeReplay() {
  return useMutation({
    mutationFn: ({ id, deed }: { id: number; deed: 'pause' | 'resume' | 'cancel' }) =>
      client.post(`/api/replays/{id}/${deed}`, { path: { id } }),
    async onSuccess({ replay }) {
      // An answer from before the change would take it back.
      await queryClient.cancelQueries({ queryKey: replaysKey })
      noteEnds([replay])
      remember(replay)
    },
  })
}
