import { expect, test } from 'vitest'
import type { DisabledReason, HealthState, WebhookCounters } from '../api/types.ts'
import { formatSecond } from '../lib/format-clock.ts'
import { describeCounted, describeHealth } from './webhook-health.ts'

const now = new Date('2026-11-15T12:00:00Z')
const since = '2026-11-15T11:00:00.000Z'
const sinceTime = formatSecond(new Date(since), now)

const counters: WebhookCounters = {
  delivered_24h: 97,
  failed_24h: 3,
  waiting: 1_200,
  overdue: 0,
  held: 2,
  oldest_waiting_at: since,
  failing_since: since,
  next_probe_at: since,
  stop: { scope: 'hook', reason: 'Maintenance', since },
  problem: 'filter',
}

test.each<[HealthState, DisabledReason | null, string]>([
  ['disabled', 'owner', 'You disabled this webhook. 2 events on hold.'],
  [
    'disabled',
    'gone',
    'Hookline disabled this webhook because your server responded 410 Gone. 2 events on hold.',
  ],
  ['disabled', null, 'This webhook is disabled. 2 events on hold.'],
  ['stopped', null, 'Deliveries are stopped by the operator: Maintenance. 1,200 deliveries pending.'],
  [
    'unloadable',
    null,
    'Deliveries are on hold: the filter cannot be read. Change the filter, or save it again. 1,200 deliveries pending.',
  ],
  [
    'backing_off',
    null,
    `Most recent attempts failed. Failing since ${sinceTime}. Next attempt at ${sinceTime}. 1,200 deliveries pending.`,
  ],
  ['failing', null, `All attempts since ${sinceTime} failed. 1,200 deliveries pending.`],
  ['degraded', null, '3 of 100 deliveries in the last 24 hours failed or expired.'],
  ['delayed', null, `1,200 deliveries pending. The oldest event is from ${sinceTime}.`],
  ['idle', null, 'No deliveries in the last 24 hours.'],
  ['healthy', null, '97 deliveries in the last 24 hours.'],
])('%s with disabled reason %j reads %j', (state, disabledReason, text) => {
  expect(describeHealth(state, disabledReason, counters, now)).toBe(text)
})

test('unknown times and an empty hold are left out', () => {
  const unknown = { ...counters, held: 0, oldest_waiting_at: null, failing_since: null, next_probe_at: null }
  expect(describeHealth('failing', null, unknown, now)).toBe('All attempts failed. 1,200 deliveries pending.')
  expect(describeHealth('backing_off', null, unknown, now)).toBe(
    'Most recent attempts failed. One attempt is in progress. 1,200 deliveries pending.',
  )
  expect(describeHealth('disabled', 'operator', unknown, now)).toBe(
    'The operator disabled this webhook. No events on hold.',
  )
})

test.each([
  [{ delivered_24h: 0, failed_24h: 0, overdue: 0 }, '0 delivered, 0 failed'],
  [{ delivered_24h: 0, failed_24h: 0, overdue: 16 }, '0 delivered, 16 overdue'],
  [{ delivered_24h: 1_200, failed_24h: 3, overdue: 2 }, '1,200 delivered, 3 failed, 2 overdue'],
])('the success rate of %j counts %j', (counts, text) => {
  expect(describeCounted(counts)).toBe(text)
})
