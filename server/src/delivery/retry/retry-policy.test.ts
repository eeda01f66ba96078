/** Tests the tables of docs/retries.md, and invariants for all inputs. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RetryPolicy } from '../../model/delivery-options.ts'
import { builtInTraits } from '../../model/event-traits.ts'
import type { Outcome, AttemptReason } from '../../model/delivery/outcome.ts'
import {
  classifyOutcome,
  deadlineMs,
  decideNextStep,
  expiryMs,
  maxAttempts,
  maxRetryMs,
} from './retry-policy.ts'

const timings = { totalMs: 10 }

function outcome(reason: AttemptReason, overrides: Partial<Outcome> = {}): Outcome {
  return { reason, timings, ...overrides }
}

function decideOn(reason: AttemptReason, overrides: Partial<Parameters<typeof decideNextStep>[0]> = {}) {
  return decideNextStep({
    isTimeSensitive: false,
    retryPolicy: 'standard',
    attempts: 1,
    ageMs: 0,
    outcome: outcome(reason),
    random: 0,
    ...overrides,
  })
}

const retriedReasons = [
  'status',
  'redirect',
  'timeout',
  'connect_timeout',
  'connection_refused',
  'connection_reset',
  'unreachable',
  'tls',
  'name_not_found',
  'invalid_response',
  'protocol_error',
] as const
const serviceReasons = ['resolver_down', 'no_resources', 'internal'] as const
const standardTypes = ['rcs', 'sms_mo', 'dlr', 'voice_status', 'tracking', 'wa_mo'] as const
const timeSensitiveTypes = ['voice_call', 'voice_dtmf'] as const

describe('next step', () => {
  test('2xx is delivered', () => {
    expect(decideOn('delivered')).toEqual({ state: 'delivered' })
  })

  test('410 fails the delivery', () => {
    expect(decideOn('gone')).toEqual({ state: 'failed' })
  })

  test.each(['forbidden_address', 'own_address', 'address_too_long', 'body_too_large'] as const)(
    '%s fails immediately',
    (reason) => {
      expect(decideOn(reason)).toEqual({ state: 'failed' })
    },
  )

  test.each(retriedReasons)('%s is retried, and fails after the last attempt', (reason) => {
    expect(decideOn(reason)).toEqual({
      state: 'waiting',
      delayMs: 5_000,
      countsAsAttempt: true,
      isRetryAfter: false,
    })
    expect(decideOn(reason, { attempts: 11 })).toMatchObject({ state: 'waiting' })
    expect(decideOn(reason, { attempts: 12 })).toEqual({ state: 'failed' })
  })

  test.each(serviceReasons)('%s is retried after 5 s and never counts as an attempt', (reason) => {
    const retry = { state: 'waiting', delayMs: 5_000, countsAsAttempt: false, isRetryAfter: false }
    expect(decideOn(reason)).toEqual(retry)
    expect(decideOn(reason, { attempts: 12, random: 1 })).toEqual(retry)
    expect(decideOn(reason, { attempts: 4, isTimeSensitive: true })).toEqual(retry)
  })

  test.each([
    ['internal', [5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600]],
    ['no_resources', [5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600]],
    ['resolver_down', [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]],
  ] as const)(
    '%s: the delay grows with every fault unless the fault is limited elsewhere',
    (reason, seconds) => {
      const delays = seconds.map((_, index) => decideOn(reason, { faults: index + 1 }))
      expect(delays).toEqual(
        seconds.map((delay) => ({
          state: 'waiting',
          delayMs: delay * 1_000,
          countsAsAttempt: false,
          isRetryAfter: false,
        })),
      )
    },
  )

  test('12 internal faults fail a delivery, except in an outage; outage reasons never fail a delivery', () => {
    expect(decideOn('internal', { faults: 12 })).toEqual({ state: 'failed' })
    expect(decideOn('internal', { faults: 999, isOutage: true })).toMatchObject({ state: 'waiting' })
    expect(decideOn('no_resources', { faults: 999 })).toMatchObject({ state: 'waiting' })
    expect(decideOn('resolver_down', { faults: 999 })).toMatchObject({ state: 'waiting' })
  })

  test.each(timeSensitiveTypes)(
    '%s expires if the next attempt is due 30 s after acceptance or later',
    (type) => {
      const { isTimeSensitive } = builtInTraits[type]
      expect(decideOn('status', { isTimeSensitive, attempts: 3, ageMs: 19_999 })).toMatchObject({
        state: 'waiting',
      })
      expect(decideOn('status', { isTimeSensitive, attempts: 3, ageMs: 20_000 })).toEqual({
        state: 'expired',
      })
      expect(decideOn('resolver_down', { isTimeSensitive, ageMs: 24_999 })).toMatchObject({
        state: 'waiting',
      })
      expect(decideOn('resolver_down', { isTimeSensitive, ageMs: 25_000 })).toEqual({
        state: 'expired',
      })
    },
  )

  test('expiry does not affect deliveries that are delivered, gone or forbidden', () => {
    const late = { isTimeSensitive: true, ageMs: 60_000 } as const
    expect(decideOn('delivered', late)).toMatchObject({ state: 'delivered' })
    expect(decideOn('gone', late)).toEqual({ state: 'failed' })
    expect(decideOn('forbidden_address', late)).toMatchObject({ state: 'failed' })
  })
})

/** Returns the delays of a delivery that always fails. */
function delaysOf(isTimeSensitive: boolean, random: number, retryPolicy: RetryPolicy = 'standard'): number[] {
  const delays: number[] = []
  for (let attempts = 1; attempts < 100; attempts++) {
    const failure = outcome('status', { status: 503 })
    const decision = decideOn('status', { isTimeSensitive, attempts, random, retryPolicy, outcome: failure })
    if (decision.state !== 'waiting') return delays
    delays.push(decision.delayMs)
  }
  throw new Error('retries never end')
}

function sumOf(delays: readonly number[]): number {
  return delays.reduce((sum, ms) => sum + ms, 0)
}

describe('retry schedule', () => {
  const delaysInSeconds = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400]

  test.each(standardTypes)('of %s has 12 attempts over 70.7 hours', (type) => {
    const { isTimeSensitive } = builtInTraits[type]
    const delays = delaysOf(isTimeSensitive, 0)
    expect(delays.map((ms) => ms / 1_000)).toEqual(delaysInSeconds)
    const hours = sumOf(delays) / 3_600_000
    expect(hours).toBeCloseTo(70.7, 1)
    expect([deadlineMs(isTimeSensitive, 'standard'), expiryMs(isTimeSensitive)]).toEqual([15_000, undefined])
  })

  test.each(timeSensitiveTypes)('of %s has 4 attempts', (type) => {
    const { isTimeSensitive } = builtInTraits[type]
    expect(delaysOf(isTimeSensitive, 0)).toEqual([1_000, 3_000, 10_000])
    expect([deadlineMs(isTimeSensitive, 'standard'), expiryMs(isTimeSensitive)]).toEqual([5_000, 30_000])
  })

  test('with maximum jitter is 20% longer', () => {
    expect(delaysOf(false, 1).map((ms) => Math.round(ms) / 1_000)).toEqual([
      6, 36, 144, 720, 2_160, 4_320, 12_960, 25_920, 51_840, 103_680, 103_680,
    ])
  })
})

function withRetryAfter(retryAfterMs: number): { outcome: Outcome } {
  return { outcome: outcome('status', { status: 429, retryAfterMs }) }
}

describe('Retry-After', () => {
  test.each([
    ['zero', 0, 5_000, false],
    ['less than the scheduled delay', 4_999, 5_000, false],
    ['more than the scheduled delay', 60_000, 60_000, true],
    ['24 hours', 86_400_000, 86_400_000, true],
    ['a year', 31_536_000_000, 86_400_000, true],
  ])('of %s', (_label, retryAfterMs, delayMs, isRetryAfter) => {
    const retry = { state: 'waiting', delayMs, isRetryAfter, countsAsAttempt: true }
    expect(decideOn('status', withRetryAfter(retryAfterMs))).toEqual(retry)
  })

  test('adds no attempt after the last', () => {
    expect(decideOn('status', { ...withRetryAfter(60_000), attempts: 12 })).toEqual({
      state: 'failed',
    })
  })

  test('beyond the expiry of a voice call expires the delivery', () => {
    expect(decideOn('status', { ...withRetryAfter(30_000), isTimeSensitive: true })).toEqual({
      state: 'expired',
    })
  })
})

/** Returns the reason and the next state after an outcome of a hook with the policy `original`. */
function stepOfOriginal(reason: AttemptReason, status?: number, overrides = {}) {
  const received = outcome(reason, status === undefined ? {} : { status })
  const classified = classifyOutcome('original', received)
  const { state } = decideOn(classified.reason, {
    retryPolicy: 'original',
    outcome: classified,
    ...overrides,
  })
  return `${classified.reason} ${state}`
}

describe('the policy "original"', () => {
  test.each([
    ['delivered', 200, 'delivered delivered'],
    ['delivered', 204, 'delivered delivered'],
    ['redirect', 300, 'delivered delivered'],
    ['redirect', 301, 'delivered delivered'],
    ['redirect', 302, 'delivered delivered'],
    ['redirect', 304, 'delivered delivered'],
    ['redirect', 308, 'delivered delivered'],
    ['redirect', 399, 'delivered delivered'],
    ['status', 400, 'status failed'],
    ['status', 401, 'status failed'],
    ['status', 404, 'status failed'],
    ['status', 408, 'status failed'],
    ['gone', 410, 'status failed'],
    ['status', 425, 'status failed'],
    ['status', 428, 'status failed'],
    ['status', 429, 'status waiting'],
    ['status', 430, 'status failed'],
    ['status', 499, 'status failed'],
    ['status', 500, 'status waiting'],
    ['status', 501, 'status failed'],
    ['status', 502, 'status waiting'],
    ['status', 503, 'status waiting'],
    ['status', 504, 'status waiting'],
    ['status', 505, 'status failed'],
    ['status', 507, 'status failed'],
    ['status', 599, 'status failed'],
    ['status', 999, 'status failed'],
    ['timeout', undefined, 'timeout waiting'],
    ['connect_timeout', undefined, 'connect_timeout waiting'],
    ['connection_refused', undefined, 'connection_refused waiting'],
    ['connection_reset', undefined, 'connection_reset waiting'],
    ['unreachable', undefined, 'unreachable waiting'],
    ['tls', undefined, 'tls waiting'],
    ['name_not_found', undefined, 'name_not_found waiting'],
    ['invalid_response', undefined, 'invalid_response waiting'],
    ['protocol_error', undefined, 'protocol_error waiting'],
    ['forbidden_address', undefined, 'forbidden_address failed'],
    ['own_address', undefined, 'own_address failed'],
    ['address_too_long', undefined, 'address_too_long failed'],
    ['body_too_large', undefined, 'body_too_large failed'],
    ['resolver_down', undefined, 'resolver_down waiting'],
    ['no_resources', undefined, 'no_resources waiting'],
    ['internal', undefined, 'internal waiting'],
  ] as const)('turns %s %s into %s', (reason, status, expected) => {
    expect(stepOfOriginal(reason, status)).toBe(expected)
    expect(stepOfOriginal(reason, status, { isTimeSensitive: true })).toBe(expected)
  })

  test('leaves outcomes unchanged otherwise, and all of them with "standard"', () => {
    for (const reason of ['redirect', 'gone', 'status', 'timeout'] as const)
      expect(classifyOutcome('standard', outcome(reason))).toEqual(outcome(reason))
    const redirect = outcome('redirect', { status: 302, answerHeaders: 'location: /' })
    expect(classifyOutcome('original', redirect)).toEqual({ ...redirect, reason: 'delivered' })
  })

  test.each(standardTypes)('gives %s 14 attempts over 3.5 days, each with 5 s', (type) => {
    const { isTimeSensitive } = builtInTraits[type]
    const [shortest, longest] = [0, 1].map((random) => delaysOf(isTimeSensitive, random, 'original'))
    expect(shortest?.map((ms) => ms / 1_000)).toEqual([
      5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 57_600, 57_600, 57_600,
    ])
    const days = [shortest, longest].map((delays) => sumOf(delays ?? []) / 86_400_000)
    expect(days.map((value) => value.toFixed(1))).toEqual(['3.2', '3.8'])
    expect([deadlineMs(isTimeSensitive, 'original'), maxAttempts(isTimeSensitive, 'original')]).toEqual([
      5_000, 14,
    ])
  })

  test.each(timeSensitiveTypes)('keeps the schedule of %s', (type) => {
    const { isTimeSensitive } = builtInTraits[type]
    expect(delaysOf(isTimeSensitive, 0, 'original')).toEqual([1_000, 3_000, 10_000])
    expect([deadlineMs(isTimeSensitive, 'original'), maxAttempts(isTimeSensitive, 'original')]).toEqual([
      5_000, 4,
    ])
    expect(stepOfOriginal('timeout', undefined, { isTimeSensitive, attempts: 3, ageMs: 20_000 })).toBe(
      'timeout expired',
    )
  })

  test('honors Retry-After up to 16 hours, so that retries end no later than those of "standard"', () => {
    const afterYear = decideOn('status', {
      retryPolicy: 'original',
      outcome: outcome('status', { status: 429, retryAfterMs: 31_536_000_000 }),
    })
    expect(afterYear).toMatchObject({ delayMs: 57_600_000, isRetryAfter: true })
    // Of the 11 delays of "standard", two are 24 hours plus jitter. Retry-After lengthens the others to 24 hours.
    expect(maxRetryMs / 3_600_000).toBeCloseTo(9 * 24 + 2 * 28.8, 6)
  })

  test('attempts a test event once', () => {
    expect(stepOfOriginal('timeout', undefined, { isTest: true })).toBe('timeout failed')
    expect(stepOfOriginal('redirect', 302, { isTest: true })).toBe('delivered delivered')
  })
})

describe('for all inputs', () => {
  const inputs = fc.record({
    isTimeSensitive: fc.boolean(),
    retryPolicy: fc.constant('standard' as const),
    attempts: fc.integer({ min: 1, max: 30 }),
    ageMs: fc.integer({ min: 0, max: 400_000_000 }),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
    outcome: fc.record(
      {
        reason: fc.constantFrom(
          ...retriedReasons,
          ...serviceReasons,
          'delivered' as const,
          'gone' as const,
          'forbidden_address' as const,
          'address_too_long' as const,
          'body_too_large' as const,
        ),
        retryAfterMs: fc.oneof(fc.nat(), fc.constantFrom(1e15, Number.MAX_SAFE_INTEGER)),
        timings: fc.constant(timings),
      },
      { requiredKeys: ['reason', 'timings'] },
    ),
  })
  const forAllInputs = (
    check: (input: Parameters<typeof decideNextStep>[0], decision: ReturnType<typeof decideNextStep>) => void,
  ) => {
    fc.assert(
      fc.property(inputs, (input) => check(input, decideNextStep(input))),
      { numRuns: 2_000 },
    )
  }

  test('jitter only adds, at most 20%', () => {
    fc.assert(
      fc.property(inputs, ({ outcome: { reason }, ...input }) => {
        const [withoutJitter, withJitter] = [0, input.random].map((random) =>
          decideNextStep({ ...input, random, ageMs: 0, outcome: outcome(reason) }),
        )
        if (withoutJitter?.state !== 'waiting' || withJitter?.state !== 'waiting') return
        expect(withJitter.delayMs).toBeGreaterThanOrEqual(withoutJitter.delayMs)
        expect(withJitter.delayMs).toBeLessThanOrEqual(withoutJitter.delayMs * 1.2 + 1e-6)
      }),
      { numRuns: 2_000 },
    )
  })

  test('attempts of the receiver end after the 12th, or the 4th for time-sensitive types', () => {
    forAllInputs(({ isTimeSensitive, attempts }, decision) => {
      if (decision.state !== 'waiting' || !decision.countsAsAttempt) return
      expect(attempts).toBeLessThan(isTimeSensitive ? 4 : 12)
    })
  })

  test('delays are at most one day plus jitter', () => {
    forAllInputs((_input, decision) => {
      if (decision.state === 'waiting') expect(decision.delayMs).toBeLessThanOrEqual(86_400_000 * 1.2)
    })
  })

  test('Retry-After is respected up to one day', () => {
    forAllInputs(({ outcome: { retryAfterMs = 0 } }, decision) => {
      if (decision.state === 'waiting' && decision.countsAsAttempt)
        expect(decision.delayMs).toBeGreaterThanOrEqual(Math.min(retryAfterMs, 86_400_000))
    })
  })

  test('only faults of the service are not counted, and only expiry makes them final', () => {
    forAllInputs(({ outcome: { reason } }, decision) => {
      const isServiceFault = (serviceReasons as readonly string[]).includes(reason)
      if (decision.state === 'waiting') expect(decision.countsAsAttempt).toBe(!isServiceFault)
      else if (isServiceFault) expect(decision.state).toBe('expired')
    })
  })

  test('only voice calls and DTMF expire, and no attempt is scheduled after expiry', () => {
    forAllInputs(({ isTimeSensitive, ageMs }, decision) => {
      if (decision.state === 'expired') expect(isTimeSensitive).toBe(true)
      if (decision.state === 'waiting' && isTimeSensitive)
        expect(ageMs + decision.delayMs).toBeLessThan(30_000)
    })
  })
})
