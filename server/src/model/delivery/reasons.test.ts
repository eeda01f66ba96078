import { expect, test } from 'vitest'
import { type AttemptReason, attemptReasons } from './outcome.ts'
import { hint, describeAttempt, describeDelivery, describeOutcome } from './reasons.ts'

const now = new Date('2026-11-15T12:00:00Z')
const responded500 = { reason: 'status' as const, status: 500, totalMs: 212.4 }
const waiting = { state: 'waiting' as const, reason: null, attempts: 2, maxAttempts: 12, last: responded500 }

test('a pending delivery describes the last attempt and the next one', () => {
  const next = { at: new Date('2026-11-15T12:05:00Z'), reason: 'backoff' as const }
  expect(describeDelivery({ ...waiting, next }, now)).toBe(
    'Responded 500 in 212 ms. Next attempt at 12:05:00 UTC (3 of 12). Backoff after attempt 2.',
  )
  const tomorrow = { ...next, at: new Date('2026-11-16T00:05:00Z') }
  expect(describeDelivery({ ...waiting, next: tomorrow }, now)).toContain('at 2026-11-16 00:05:00 UTC')
  const inFlight = { ...next, reason: 'in_flight' as const }
  expect(describeDelivery({ ...waiting, next: inFlight }, now)).toContain('Attempt 3 of 12 is in progress.')
  const fresh = { ...waiting, attempts: 0, last: undefined, next: { at: now, reason: 'scheduled' as const } }
  expect(describeDelivery(fresh, now)).toBe('Attempt 1 of 12 is due now. Queued.')
})

test('a finished delivery describes its outcome', () => {
  const last = { reason: 'delivered' as const, status: 204, totalMs: 1_234 }
  const finished = { maxAttempts: 12, next: undefined }
  expect(
    describeDelivery({ ...finished, state: 'delivered', reason: 'delivered', attempts: 3, last }, now),
  ).toBe('Responded 204 in 1.2 s. Delivered on attempt 3.')
  expect(
    describeDelivery(
      { ...finished, state: 'failed', reason: 'status', attempts: 12, last: responded500 },
      now,
    ),
  ).toBe('Responded 500 in 212 ms. Failed after 12 attempts.')
  const once = { ...finished, maxAttempts: 1, attempts: 1 }
  expect(describeDelivery({ ...once, state: 'failed', reason: 'status', last: responded500 }, now)).toBe(
    'Responded 500 in 212 ms. Not retried.',
  )
  expect(describeOutcome({ ...once, state: 'failed', reason: 'status', last: responded500 }, now)).toBe(
    'Not retried.',
  )
  const gone = { reason: 'gone' as const, status: 410, totalMs: 9 }
  expect(
    describeDelivery({ ...finished, state: 'failed', reason: 'gone', attempts: 1, last: gone }, now),
  ).toBe('Responded 410 Gone. Not retried.')
  const none = { ...finished, attempts: 0, last: undefined }
  expect(describeDelivery({ ...none, state: 'cancelled', reason: 'hook_deleted' }, now)).toBe(
    'Canceled: the webhook was deleted.',
  )
  expect(describeDelivery({ ...none, state: 'expired', reason: 'too_late' }, now)).toMatch(
    /^Expired: events of this type/,
  )
  expect(describeDelivery({ ...none, state: 'held', reason: null }, now)).toMatch(
    /^The webhook is disabled\. On hold/,
  )
})

test('every failure that the account can fix has a description and a hint; failures of the service have no hint', () => {
  for (const [reason, { fault }] of Object.entries(attemptReasons) as Array<
    [AttemptReason, { fault: string }]
  >) {
    expect(describeAttempt({ reason, status: 500, totalMs: 1 })).toMatch(/^[A-Z].*\.$/)
    if (fault === 'receiver' || fault === 'event') expect(hint(reason, null)).toMatch(/^[A-Z].*\.$/)
    else expect(hint(reason, null)).toBeNull()
  }
  expect(hint('status', 401)).toMatch(/headers/)
  expect(hint('status', 404)).toMatch(/path/)
  expect(hint('status', 429)).toMatch(/Retry-After/)
  expect(hint('status', 503)).toMatch(/log/)
})
