import { expect, test } from 'vitest'
import type { Attempt, EventDelivery } from '../api/types.ts'
import { formatSecond } from '../lib/format-clock.ts'
import { describeDelivery, describeOutcome, describeProblem, describeStop } from './deliveries.ts'

const now = new Date('2026-11-15T12:00:00Z')
const nextAt = '2026-11-15T12:05:00.000Z'
const nextTime = formatSecond(new Date(nextAt), now)

const failedAttempt: Attempt = {
  event_id: '019a8716-a680-7000-8000-000000000000',
  hook_id: 3,
  round: 1,
  attempt: 1,
  started_at: '2026-11-15T11:59:00.000Z',
  reason: 'status',
  status: 500,
  phases: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null, body_ms: null, total_ms: 212 },
  request: null,
  response: null,
  worker: 'worker-1',
}

function delivery(values: Partial<EventDelivery>): EventDelivery {
  return {
    round: 1,
    state: 'waiting',
    reason: null,
    attempts: [],
    max_attempts: 12,
    next_attempt_at: null,
    next_reason: null,
    stop_reason: null,
    problem: null,
    finished_at: null,
    ...values,
  }
}

test.each<[Partial<EventDelivery>, string]>([
  [
    { attempts: [failedAttempt], next_attempt_at: nextAt, next_reason: 'backoff' },
    `Responded 500 in 212\u00a0ms. Next attempt at ${nextTime} (2 of 12). Backoff after attempt 1.`,
  ],
  [{ next_attempt_at: nextAt, next_reason: 'in_flight' }, 'Attempt 1 of 12 is in progress.'],
  [
    { next_attempt_at: '2026-11-15T11:59:59.000Z', next_reason: 'scheduled' },
    'Attempt 1 of 12 is due now. Queued.',
  ],
  [
    { next_attempt_at: nextAt, next_reason: 'retry_after' },
    `Next attempt at ${nextTime} (1 of 12). Requested by your server (Retry-After).`,
  ],
  [
    { next_attempt_at: nextAt, next_reason: 'circuit_open' },
    `Next attempt at ${nextTime} (1 of 12). Backing off after repeated failures.`,
  ],
  [{ stop_reason: 'Maintenance' }, 'Deliveries are stopped by the operator: Maintenance.'],
  [
    { problem: 'headers' },
    'Deliveries are on hold: the custom headers cannot be decrypted. Enter them again.',
  ],
])('a pending delivery with %j reads %j', (values, text) => {
  expect(describeDelivery(delivery(values), now)).toBe(text)
})

test.each<[Partial<EventDelivery>, string]>([
  [{ state: 'delivered', attempts: [failedAttempt, failedAttempt] }, 'Delivered on attempt 2.'],
  [{ state: 'delivered', attempts: [failedAttempt] }, 'Delivered.'],
  [{ state: 'failed', attempts: [failedAttempt], max_attempts: 1 }, 'Not retried.'],
  [
    { state: 'failed', attempts: [failedAttempt, failedAttempt], max_attempts: 2 },
    'Failed after 2 attempts.',
  ],
  [{ state: 'expired', reason: 'too_late' }, 'Expired: events of this type are valid for 30 s.'],
  [{ state: 'expired', reason: 'status' }, 'Expired: the next attempt would be too late.'],
  [{ state: 'cancelled', reason: 'hook_deleted' }, 'Canceled: the webhook was deleted.'],
  [{ state: 'held' }, 'The webhook is disabled. On hold for up to 7 days, until you enable it.'],
])('the outcome of %j reads %j', (values, text) => {
  expect(describeOutcome(delivery(values), now)).toBe(text)
})

test('a delivery that ended without a deciding attempt omits its last attempt', () => {
  const ended = delivery({ state: 'cancelled', reason: 'replay_cancelled', attempts: [failedAttempt] })
  expect(describeDelivery(ended, now)).toBe('Canceled with its replay.')
})

test('a stop reason keeps its own punctuation', () => {
  expect(describeStop('Too much traffic!')).toBe('Deliveries are stopped by the operator: Too much traffic!')
  expect(describeProblem('filter')).toContain('the filter cannot be read')
})
