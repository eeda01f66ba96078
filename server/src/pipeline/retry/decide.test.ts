/** What follows from an outcome: the table of docs/delivery.md, and what holds for every situation. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DeliverableType } from '../../model/event.ts'
import type { Outcome, Reason } from '../../model/outcome.ts'
import { deadlineMs, decide, expiryMs } from './decide.ts'

const timings = { totalMs: 10 }

function outcome(reason: Reason, more: Partial<Outcome> = {}): Outcome {
  return { reason, timings, ...more }
}

function decideOn(reason: Reason, more: Partial<Parameters<typeof decide>[0]> = {}) {
  return decide({ type: 'sms_mo', attempts: 1, ageMs: 0, outcome: outcome(reason), random: 0, ...more })
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
  'invalid_answer',
  'protocol_error',
] as const
const ourReasons = ['resolver_down', 'no_resources', 'internal'] as const
const patientTypes = ['rcs', 'sms_mo', 'dlr', 'voice_status', 'tracking'] as const
const urgentTypes = ['voice_call', 'voice_dtmf'] as const

describe('the table', () => {
  test('2xx is delivered', () => {
    expect(decideOn('delivered')).toEqual({ state: 'delivered', disableHook: false })
  })

  test('410 is failed, and the webhook is disabled', () => {
    expect(decideOn('gone')).toEqual({ state: 'failed', disableHook: true })
  })

  test.each(['forbidden_address', 'own_address', 'address_too_long', 'body_too_large'] as const)(
    '%s is failed at once',
    (reason) => {
      expect(decideOn(reason)).toEqual({ state: 'failed', disableHook: false })
    },
  )

  test.each(retriedReasons)('%s waits for the next attempt and is failed after the last', (reason) => {
    expect(decideOn(reason)).toEqual({
      state: 'waiting',
      delayMs: 5_000,
      countsAsAttempt: true,
      isAsked: false,
    })
    expect(decideOn(reason, { attempts: 11 })).toMatchObject({ state: 'waiting' })
    expect(decideOn(reason, { attempts: 12 })).toEqual({ state: 'failed', disableHook: false })
  })

  test.each(ourReasons)('%s is tried again after 5 s and uses up no attempt, not even the last', (reason) => {
    const waits = { state: 'waiting', delayMs: 5_000, countsAsAttempt: false, isAsked: false }
    expect(decideOn(reason)).toEqual(waits)
    expect(decideOn(reason, { attempts: 12, random: 1 })).toEqual(waits)
    expect(decideOn(reason, { attempts: 4, type: 'voice_call' })).toEqual(waits)
  })

  test.each([
    ['internal', [5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600]],
    ['no_resources', [5, 10, 20, 40, 80, 160, 320, 600, 600, 600, 600]],
    ['resolver_down', [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]],
  ] as const)('%s again and again waits longer each time, where nobody else limits it', (reason, seconds) => {
    const delays = seconds.map((_, index) => decideOn(reason, { faults: index + 1 }))
    expect(delays).toEqual(
      seconds.map((delay) => ({
        state: 'waiting',
        delayMs: delay * 1_000,
        countsAsAttempt: false,
        isAsked: false,
      })),
    )
  })

  test('the twelfth internal fault fails a delivery, but not in an outage, and no outage ever does', () => {
    expect(decideOn('internal', { faults: 12 })).toEqual({ state: 'failed', disableHook: false })
    expect(decideOn('internal', { faults: 999, isOutage: true })).toMatchObject({ state: 'waiting' })
    expect(decideOn('no_resources', { faults: 999 })).toMatchObject({ state: 'waiting' })
    expect(decideOn('resolver_down', { faults: 999 })).toMatchObject({ state: 'waiting' })
  })

  test.each(urgentTypes)('%s expires where the next attempt would come 30 s after acceptance', (type) => {
    expect(decideOn('status', { type, attempts: 3, ageMs: 19_999 })).toMatchObject({ state: 'waiting' })
    expect(decideOn('status', { type, attempts: 3, ageMs: 20_000 })).toEqual({
      state: 'expired',
      disableHook: false,
    })
    expect(decideOn('resolver_down', { type, ageMs: 24_999 })).toMatchObject({ state: 'waiting' })
    expect(decideOn('resolver_down', { type, ageMs: 25_000 })).toEqual({
      state: 'expired',
      disableHook: false,
    })
  })

  test('expiry changes nothing for what was delivered, gone or forbidden', () => {
    const late = { type: 'voice_call', ageMs: 60_000 } as const
    expect(decideOn('delivered', late)).toMatchObject({ state: 'delivered' })
    expect(decideOn('gone', late)).toEqual({ state: 'failed', disableHook: true })
    expect(decideOn('forbidden_address', late)).toMatchObject({ state: 'failed' })
  })
})

/** All delays of a delivery that always fails, and the number of its attempts. */
function delaysOf(type: DeliverableType, random: number): number[] {
  const delays: number[] = []
  for (let attempts = 1; attempts < 100; attempts++) {
    const decision = decideOn('status', { type, attempts, random })
    if (decision.state !== 'waiting') return delays
    delays.push(decision.delayMs)
  }
  throw new Error('it never ends')
}

describe('the schedule', () => {
  const delaysInSeconds = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400]

  test.each(patientTypes)('of %s is 12 attempts over 70.7 hours', (type) => {
    const delays = delaysOf(type, 0)
    expect(delays.map((ms) => ms / 1_000)).toEqual(delaysInSeconds)
    const hours = delays.reduce((sum, ms) => sum + ms, 0) / 3_600_000
    expect(hours).toBeCloseTo(70.7, 1)
    expect([deadlineMs(type), expiryMs(type)]).toEqual([15_000, undefined])
  })

  test.each(urgentTypes)('of %s is 4 attempts', (type) => {
    expect(delaysOf(type, 0)).toEqual([1_000, 3_000, 10_000])
    expect([deadlineMs(type), expiryMs(type)]).toEqual([5_000, 30_000])
  })

  test('with all the jitter there can be is a fifth longer', () => {
    expect(delaysOf('sms_mo', 1).map((ms) => Math.round(ms) / 1_000)).toEqual([
      6, 36, 144, 720, 2_160, 4_320, 12_960, 25_920, 51_840, 103_680, 103_680,
    ])
  })
})

function asks(retryAfterMs: number): { outcome: Outcome } {
  return { outcome: outcome('status', { status: 429, retryAfterMs }) }
}

describe('Retry-After', () => {
  test.each([
    ['nothing', 0, 5_000, false],
    ['less than planned', 4_999, 5_000, false],
    ['more than planned', 60_000, 60_000, true],
    ['24 hours', 86_400_000, 86_400_000, true],
    ['a year', 31_536_000_000, 86_400_000, true],
  ])('of %s', (_what, asked, delayMs, isAsked) => {
    const waits = { state: 'waiting', delayMs, isAsked, countsAsAttempt: true }
    expect(decideOn('status', asks(asked))).toEqual(waits)
  })

  test('gives no attempt beyond the last', () => {
    expect(decideOn('status', { ...asks(60_000), attempts: 12 })).toEqual({
      state: 'failed',
      disableHook: false,
    })
  })

  test('beyond the expiry of a voice call expires it', () => {
    expect(decideOn('status', { ...asks(30_000), type: 'voice_call' })).toEqual({
      state: 'expired',
      disableHook: false,
    })
  })
})

describe('in every situation', () => {
  const situation = fc.record({
    type: fc.constantFrom(...patientTypes, ...urgentTypes),
    attempts: fc.integer({ min: 1, max: 30 }),
    ageMs: fc.integer({ min: 0, max: 400_000_000 }),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
    outcome: fc.record(
      {
        reason: fc.constantFrom(
          ...retriedReasons,
          ...ourReasons,
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
  const always = (
    holds: (given: Parameters<typeof decide>[0], decision: ReturnType<typeof decide>) => void,
  ) => {
    fc.assert(
      fc.property(situation, (given) => holds(given, decide(given))),
      { numRuns: 2_000 },
    )
  }

  test('jitter only adds, and at most a fifth', () => {
    fc.assert(
      fc.property(situation, ({ outcome: { reason }, ...given }) => {
        const [least, some] = [0, given.random].map((random) =>
          decide({ ...given, random, ageMs: 0, outcome: outcome(reason) }),
        )
        if (least?.state !== 'waiting' || some?.state !== 'waiting') return
        expect(some.delayMs).toBeGreaterThanOrEqual(least.delayMs)
        expect(some.delayMs).toBeLessThanOrEqual(least.delayMs * 1.2 + 1e-6)
      }),
      { numRuns: 2_000 },
    )
  })

  test('no attempt of a receiver follows the 12th, of a voice call the 4th', () => {
    always(({ type, attempts }, decision) => {
      if (decision.state !== 'waiting' || !decision.countsAsAttempt) return
      expect(attempts).toBeLessThan(type === 'voice_call' || type === 'voice_dtmf' ? 4 : 12)
    })
  })

  test('nothing waits longer than a day and its jitter', () => {
    always((_given, decision) => {
      if (decision.state === 'waiting') expect(decision.delayMs).toBeLessThanOrEqual(86_400_000 * 1.2)
    })
  })

  test('what a receiver asks for is waited for, up to a day', () => {
    always(({ outcome: { retryAfterMs = 0 } }, decision) => {
      if (decision.state === 'waiting' && decision.countsAsAttempt)
        expect(decision.delayMs).toBeGreaterThanOrEqual(Math.min(retryAfterMs, 86_400_000))
    })
  })

  test('our faults are never counted, never final but by expiry, and nothing else goes uncounted', () => {
    always(({ outcome: { reason } }, decision) => {
      const isOurs = (ourReasons as readonly string[]).includes(reason)
      if (decision.state === 'waiting') expect(decision.countsAsAttempt).toBe(!isOurs)
      else if (isOurs) expect(decision.state).toBe('expired')
    })
  })

  test('only voice calls and DTMF expire, and none is planned for later than their expiry', () => {
    always(({ type, ageMs }, decision) => {
      const isVoice = type === 'voice_call' || type === 'voice_dtmf'
      if (decision.state === 'expired') expect(isVoice).toBe(true)
      if (decision.state === 'waiting' && isVoice) expect(ageMs + decision.delayMs).toBeLessThan(30_000)
    })
  })

  test('only 410 disables', () => {
    always(({ outcome: { reason } }, decision) => {
      expect(decision.state !== 'waiting' && decision.disableHook).toBe(reason === 'gone')
    })
  })
})
