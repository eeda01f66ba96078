import { expect, test } from 'vitest'
import { type Reason, reasons } from './outcome.ts'
import { advice, attemptSentence, deliverySentence, standingSentence } from './reasons.ts'

const now = new Date('2026-11-15T12:00:00Z')
const answered500 = { reason: 'status' as const, status: 500, totalMs: 212.4 }
const waiting = { state: 'waiting' as const, reason: null, attempts: 2, mostAttempts: 12, last: answered500 }

test('a delivery that waits says what happened and when it is tried again', () => {
  const next = {
    at: new Date('2026-11-15T12:05:00Z'),
    why: 'That is the pause after attempt 2.',
    isUnderWay: false,
  }
  expect(deliverySentence({ ...waiting, next }, now)).toBe(
    'Your server answered 500 after 212 ms. We try again at 12:05:00 UTC (attempt 3 of 12). That is the pause after attempt 2.',
  )
  const tomorrow = { ...next, at: new Date('2026-11-16T00:05:00Z'), why: '' }
  expect(deliverySentence({ ...waiting, next: tomorrow }, now)).toContain('at 2026-11-16 00:05:00 UTC')
  const under = { ...next, isUnderWay: true }
  expect(deliverySentence({ ...waiting, next: under }, now)).toContain(
    'It is being tried now (attempt 3 of 12).',
  )
  const fresh = { ...waiting, attempts: 0, last: undefined, next: { ...next, at: now, why: '' } }
  expect(deliverySentence(fresh, now)).toBe('We try as soon as it is its turn (attempt 1 of 12).')
})

test('a delivery that has ended says how', () => {
  const last = { reason: 'delivered' as const, status: 204, totalMs: 1_234 }
  const ended = { mostAttempts: 12, next: undefined }
  expect(
    deliverySentence({ ...ended, state: 'delivered', reason: 'delivered', attempts: 3, last }, now),
  ).toBe('Your server answered 204 after 1.2 s. Delivered at attempt 3.')
  expect(
    deliverySentence({ ...ended, state: 'failed', reason: 'status', attempts: 12, last: answered500 }, now),
  ).toBe('Your server answered 500 after 212 ms. That was the last of 12 attempts.')
  const once = { ...ended, mostAttempts: 1, attempts: 1 }
  expect(deliverySentence({ ...once, state: 'failed', reason: 'status', last: answered500 }, now)).toBe(
    'Your server answered 500 after 212 ms. It is not tried again.',
  )
  expect(standingSentence({ ...once, state: 'failed', reason: 'status', last: answered500 }, now)).toBe(
    'It is not tried again.',
  )
  const gone = { reason: 'gone' as const, status: 410, totalMs: 9 }
  expect(deliverySentence({ ...ended, state: 'failed', reason: 'gone', attempts: 1, last: gone }, now)).toBe(
    'Your server answered 410: it wants no more events. It is not tried again.',
  )
  const none = { ...ended, attempts: 0, last: undefined }
  expect(deliverySentence({ ...none, state: 'cancelled', reason: 'hook_deleted' }, now)).toBe(
    'The webhook was deleted before it was delivered.',
  )
  expect(deliverySentence({ ...none, state: 'expired', reason: 'too_late' }, now)).toMatch(/worthless later/)
  expect(deliverySentence({ ...none, state: 'held', reason: null }, now)).toMatch(/held until it is enabled/)
})

test('every failure of a receiver has a sentence and an advice, ours have none', () => {
  for (const [reason, { fault }] of Object.entries(reasons) as Array<[Reason, { fault: string }]>) {
    expect(attemptSentence({ reason, status: 500, totalMs: 1 })).toMatch(/^[A-Z].*\.$/)
    if (fault === 'theirs') expect(advice(reason, null)).toMatch(/^[A-Z].*\.$/)
    else expect(advice(reason, null)).toBeNull()
  }
  expect(advice('status', 401)).toMatch(/headers/)
  expect(advice('status', 404)).toMatch(/path/)
  expect(advice('status', 429)).toMatch(/Retry-After/)
  expect(advice('status', 503)).toMatch(/log/)
})
