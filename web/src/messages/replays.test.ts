import { expect, test } from 'vitest'
import type { Replay } from '../api/types.ts'
import { formatMinute } from '../lib/format-clock.ts'
import {
  describeRate,
  describeReplay,
  describeSelection,
  describeSkipped,
  describeWaiting,
  formatTimeLeft,
  replayStatus,
} from './replays.ts'

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
  skipped_reasons: { disabled: 0, deleted: 0, pending: 0, missing: 0 },
  delivered: 900,
  failed: 10,
  failures: [],
  waiting: [],
  per_second: null,
  seconds_left: null,
  ended_by_disabling: false,
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
  [{ state: 'done', started: 0, delivered: 0, failed: 0, skipped: 5 }, 'Nothing sent: 5 skipped.'],
  [
    { state: 'cancelled', ended_by_disabling: true, finished_at: '2026-11-15T12:01:00.000Z' },
    'Ended because the webhook was disabled. 1,000 of 1,200 deliveries started, 900 delivered, 10 failed.',
  ],
  [
    { state: 'cancelled' },
    'Canceled, attempts in flight complete. 1,000 of 1,200 deliveries started, 900 delivered, 10 failed.',
  ],
])('a replay with %j reads %j', (values, text) => {
  expect(describeReplay({ ...replay, ...values })).toBe(text)
})

test.each<[Partial<Replay>, string, string]>([
  [{}, 'Running', 'info'],
  [{ waiting: [{ reason: 'retrying', count: 1, hook_id: 3 }] }, 'Running', 'info'],
  [{ waiting: [{ reason: 'circuit_open', count: 1, hook_id: 3 }] }, 'Waiting', 'warning'],
  [{ state: 'done', delivered: 1_000, failed: 0 }, 'Done', 'success'],
  [{ state: 'done', failed: 10 }, 'Done', 'warning'],
  [{ state: 'done', failed: 0, skipped: 1 }, 'Done', 'warning'],
  [{ state: 'done', delivered: 0 }, 'Failed', 'danger'],
  [{ state: 'done', started: 0, delivered: 0, failed: 0, skipped: 5 }, 'Nothing sent', 'warning'],
  [{ state: 'done', total: 0, started: 0, delivered: 0, failed: 0 }, 'Nothing sent', 'warning'],
])('a replay with %j has the state %j in %j', (values, label, tone) => {
  expect(replayStatus({ ...replay, ...values })).toEqual({ label, tone })
})

test.each([
  [{ disabled: 5, deleted: 0, pending: 0, missing: 0 }, 'Webhook disabled'],
  [{ disabled: 2, deleted: 1, pending: 0, missing: 0 }, '2 webhook disabled, 1 webhook deleted'],
  [{ disabled: 0, deleted: 0, pending: 0, missing: 0 }, ''],
])('skipped deliveries %j read %j', (reasons, text) => {
  expect(describeSkipped(reasons)).toBe(text)
})

test('a replay that waits gives the reason, also one that this page does not know', () => {
  expect(describeWaiting({ reason: 'disabled', count: 3, hook_id: 7 })).toBe(
    '3 deliveries on hold: the webhook is disabled. Enable it to continue.',
  )
  expect(describeWaiting({ reason: 'other' as 'disabled', count: 1, hook_id: 7 })).toBe('1 delivery pending.')
})

test.each([
  [4, 'a few seconds left'],
  [31, 'about 40 seconds left'],
  [60, 'about 1 minute left'],
  [185, 'about 3 minutes left'],
  [3_600, 'about 1 hour left'],
  [3 * 86_400, 'about 3 days left'],
])('%d seconds read %j', (seconds, text) => {
  expect(formatTimeLeft(seconds)).toBe(text)
})

test('the rate is shown with the time left, if known', () => {
  expect(describeRate(replay)).toBe('')
  expect(describeRate({ ...replay, per_second: 12.5, seconds_left: 185 })).toBe(
    '12.5 per second, about 3 minutes left',
  )
  expect(describeRate({ ...replay, per_second: 0 })).toBe('Less than 0.1 per second')
})
