import { expect, test } from 'vitest'
import type { AttemptReason } from '../api/types.ts'
import { describeAttempt, describeFailure, hintFor } from './attempts.ts'

const phases = {
  dns_ms: null,
  connect_ms: null,
  tls_ms: null,
  first_byte_ms: null,
  body_ms: null,
  total_ms: 212.4,
}

test.each<[AttemptReason, number | null, string]>([
  ['delivered', 204, 'Responded 204 in 212\u00a0ms.'],
  ['status', 500, 'Responded 500 in 212\u00a0ms.'],
  ['redirect', 301, 'Responded 301, a redirect. Redirects are not followed.'],
  ['timeout', null, 'Timed out after 212\u00a0ms.'],
  ['connection_refused', null, 'Connection refused.'],
  ['forbidden_address', null, 'The IP address is not public. Nothing was sent.'],
])('an attempt with the reason %s and status %j reads %j', (reason, status, text) => {
  expect(describeAttempt({ reason, status, phases })).toBe(text)
})

test('attempts of one reason are described without their duration', () => {
  expect(describeFailure('status', 503)).toBe('Responded 503.')
  expect(describeFailure('timeout', null)).toBe('Timed out before the response was complete.')
})

test.each<[AttemptReason, number | null, string | null]>([
  ['delivered', 200, null],
  ['internal', null, null],
  ['status', 401, 'denied access'],
  ['status', 405, 'path and method'],
  ['status', 413, '256 KiB'],
  ['status', 422, 'could not parse'],
  ['status', 429, 'rate limit'],
  ['status', 502, 'logs of your server'],
  ['status', 302, 'Return 2xx'],
  ['timeout', null, 'Return 2xx immediately'],
])('the hint for %s with status %j contains %j', (reason, status, text) => {
  const hint = hintFor(reason, status)
  if (text === null) expect(hint).toBeNull()
  else expect(hint).toContain(text)
})
