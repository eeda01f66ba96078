import { expect, test } from 'vitest'
import type { Replay } from '../api/types.ts'
import { formatMinute } from '../lib/format-clock.ts'
import { describeReplay, describeSelection } from './replays.ts'

const replay: Replay = {
  id: 7,
  state: 'running',
  kind: 'search',
  event_id: null,
  hook_id: null,
  webhook: null,
  selection: { kind: 'deliveries', count: 1, hook_id: 3 },
  created_at: '2026-11-15T12:00:00.000Z',
  created_by: 'login:1',
  max_per_second: 10,
  total: 1_200,
  started: 1_000,
  skipped: 0,
  delivered: 900,
  failed: 10,
  finished_at: null,
}

test.each<[Replay['selection'], string]>([
  [{ kind: 'deliveries', count: 1, hook_id: 3 }, 'One delivery to Orders.'],
  [{ kind: 'deliveries', count: 1_000, hook_id: null }, '1,000 selected deliveries.'],
  [{ kind: 'held', hook_id: 3 }, 'Held events of Orders.'],
  [
    { kind: 'search', search: { state: 'failed', hook_id: 3, status: 500, number: '4917••67' } },
    'All results of a search: failed, Orders, status 500, number 4917••67.',
  ],
])('the selection %j reads %j', (selection, text) => {
  const webhook = { id: 3, name: 'Orders', endpoint: 'example.com', deleted: false }
  expect(describeSelection({ selection, webhook })).toBe(text)
})

test('times of a search are local', () => {
  const to = '2026-11-15T10:31:16.204Z'
  const local = formatMinute(new Date(to))
  expect(describeSelection({ selection: { kind: 'search', search: { to } }, webhook: null })).toBe(
    `All results of a search: before ${local}.`,
  )
})

test.each<[Partial<Replay>, string]>([
  [{ state: 'counting' }, 'Counting: 1,200 deliveries so far.'],
  [{}, '1,000 of 1,200 deliveries started, 900 delivered, 10 failed.'],
  [{ skipped: 200 }, '1,000 of 1,200 deliveries started, 900 delivered, 10 failed. 90 pending.'],
  [{ state: 'paused' }, 'Paused. 1,000 of 1,200 deliveries started, 900 delivered, 10 failed.'],
  [{ state: 'done', delivered: 1_190, skipped: 1 }, 'Done: 1,190 delivered, 10 failed, 1 skipped.'],
  [
    { state: 'cancelled' },
    'Canceled, attempts in flight complete. 1,000 of 1,200 deliveries started, 900 delivered, 10 failed.',
  ],
])('a replay with %j reads %j', (values, text) => {
  expect(describeReplay({ ...replay, ...values })).toBe(text)
})
