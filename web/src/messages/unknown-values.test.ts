/** A page that is open during an upgrade gets values of another version. No text may throw or show "undefined". */
import { expect, test } from 'vitest'
import type { Attempt, EventDelivery, EventDetail, EventHook, Replay, WebhookCounters } from '../api/types.ts'
import { describeAttempt, describeFailure, hintFor } from './attempts.ts'
import { describeDelivery, describeOutcome } from './deliveries.ts'
import { describeMatch } from './match-results.ts'
import { describeReplay, describeSelection } from './replays.ts'
import { describeStep } from './timeline.ts'
import { describeHealth } from './webhook-health.ts'
import { describeWarning } from './webhook-warnings.ts'

const unknown = 'from_another_version' as never
const now = new Date('2026-11-15T12:00:00Z')
const at = now.toISOString()
const phases = { total_ms: 7 } as Attempt['phases']
const attempt = { reason: unknown, status: null, phases } as unknown as Attempt
const pending = { state: 'waiting', reason: null, attempts: [attempt], max_attempts: 12, next_attempt_at: at }
const hook = { why: { kind: unknown }, event_type: 'sms_mo', event_filter: null, later_changes: [] }
const counters = {
  waiting: 1,
  held: 0,
  delivered_24h: 0,
  failed_24h: 0,
  failing_since: null,
} as WebhookCounters
const replay = {
  state: unknown,
  total: 1,
  started: 1,
  delivered: 0,
  failed: 0,
  skipped: 0,
} as unknown as Replay
const step = { at, type: unknown, hook_id: 3, round: 1, attempt: null }

test.each<[string, () => string | null]>([
  ['attempt', () => describeAttempt(attempt)],
  ['failure', () => describeFailure(unknown, null)],
  ['hint', () => hintFor(unknown, null) ?? 'none'],
  [
    'pending delivery',
    () => describeDelivery({ ...pending, next_reason: unknown } as unknown as EventDelivery, now),
  ],
  // An earlier version sends no `next_reason`, `problem` and `stop_reason`.
  ['delivery of an earlier version', () => describeDelivery(pending as unknown as EventDelivery, now)],
  ['problem', () => describeOutcome({ ...pending, problem: unknown } as unknown as EventDelivery, now)],
  ['match', () => describeMatch(hook as unknown as EventHook, { type: 'sms_mo', is_test: false })],
  ['step', () => describeStep(step, { hooks: [] } as unknown as EventDetail, now)],
  ['replay', () => describeReplay(replay)],
  [
    'search term',
    () => describeSelection({ selection: { kind: 'search', search: { [unknown]: 1 } }, webhook: null }),
  ],
  ['health', () => describeHealth(unknown, null, counters, now)],
  ['disabled reason', () => describeHealth('disabled', unknown, counters, now)],
  [
    'warning',
    () =>
      describeWarning(
        { code: unknown, field: 'target_url', hook_id: null, webhook: null, position: null },
        'dlr',
        null,
      ),
  ],
])('an unknown %s has a text', (_name, describe) => {
  const text = describe()
  expect(text).toMatch(/\w/)
  expect(text).not.toMatch(/undefined|null/)
})
