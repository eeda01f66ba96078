import { expect, test } from 'vitest'
import type { EventDetail } from '../api/types.ts'
import { describeStep } from './timeline.ts'

type Step = EventDetail['timeline'][number]

const at = '2026-11-15T12:00:00.000Z'
const phases = {
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  first_byte_ms: null,
  body_ms: null,
  total_ms: 7,
}
const attempt = {
  event_id: '019a8716-a680-7000-8000-000000000000',
  hook_id: 3,
  round: 2,
  attempt: 1,
  started_at: at,
  reason: 'status' as const,
  status: 500,
  phases,
  request: null,
  response: null,
  worker: 'worker-1',
}
const detail: EventDetail = {
  success: true,
  code: null,
  event: {
    id: attempt.event_id,
    type: 'sms_mo',
    accepted_at: at,
    occurred_at: null,
    message_id: null,
    from: null,
    to: null,
    foreign_id: null,
    is_test: false,
    is_routed: true,
    deliveries: [],
    data: {},
    producer: 'gateway',
  },
  routed: null,
  hooks: [
    {
      hook_id: 3,
      webhook: { id: 3, name: null, endpoint: 'example.com', deleted: false },
      target_url: 'https://example.com',
      event_type: 'sms_mo',
      event_filter: null,
      chosen: null,
      request_method: 'JSON',
      verdict: 'matched',
      why: { kind: 'matched' },
      later_changes: [],
      deliveries: [
        {
          round: 2,
          state: 'failed',
          reason: 'status',
          attempts: [attempt],
          max_attempts: 1,
          next_attempt_at: null,
          next_reason: null,
          stop_reason: null,
          problem: null,
          finished_at: at,
        },
      ],
    },
  ],
  timeline: [],
}

const ofEvent = { hook_id: null, round: null, attempt: null }
const ofReplay = { hook_id: 3, round: 2, attempt: null }

test.each<[Omit<Step, 'at'>, string]>([
  [{ type: 'accepted', ...ofEvent }, 'Accepted from gateway.'],
  [{ type: 'waiting', ...ofEvent }, 'Waiting to be matched.'],
  [{ type: 'matched', ...ofEvent }, 'Matched 1 webhook.'],
  [
    { type: 'attempt', ...ofReplay, attempt: 1 },
    'example.com, replay 1, attempt 1: Responded 500 in 7\u00a0ms.',
  ],
  [{ type: 'finished', ...ofReplay }, 'example.com, replay 1: Not retried.'],
  [{ type: 'next_attempt', hook_id: 3, round: 1, attempt: null }, 'example.com: next attempt.'],
])('%j reads %j', (step, text) => {
  expect(describeStep({ at, ...step }, detail, new Date(at))).toBe(text)
})
