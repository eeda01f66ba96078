import { describe, expect, test } from 'vitest'
import { deriveHookState } from './hook-state.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const idle = {
  enabled: true,
  disabledReason: null,
  deliveredDay: 0,
  failedDay: 0,
  attemptsDay: 0,
  waiting: 0,
  held: 0,
  oldestWaitingAt: null,
  failingSince: null,
  breaker: 'closed' as const,
  nextProbeAt: null,
  stop: null,
  problem: null,
}

function stateWith(facts: Partial<Parameters<typeof deriveHookState>[0]>): string {
  return deriveHookState({ ...idle, attemptsDay: 1, ...facts }, now).state
}

describe('a webhook with failed deliveries', () => {
  test.each([
    { failedDay: 0, deliveredDay: 1_000, state: 'healthy' },
    { failedDay: 1, deliveredDay: 0, state: 'degraded' },
    { failedDay: 1, deliveredDay: 99, state: 'degraded' },
    { failedDay: 1, deliveredDay: 100, state: 'healthy' },
    { failedDay: 7, deliveredDay: 693, state: 'degraded' },
    { failedDay: 7, deliveredDay: 694, state: 'healthy' },
  ])('with $failedDay failed and $deliveredDay delivered is $state', ({ state, ...facts }) => {
    expect(stateWith(facts)).toBe(state)
  })

  test('reports the number of failed deliveries and the total', () => {
    expect(deriveHookState({ ...idle, failedDay: 12, deliveredDay: 228 }, now).message).toBe(
      '12 of 240 deliveries in the last 24 hours failed or expired.',
    )
    expect(deriveHookState({ ...idle, failedDay: 1 }, now).message).toBe(
      '1 of 1 delivery in the last 24 hours failed or expired.',
    )
  })

  test('reports the worst state, and degraded is worse than delayed', () => {
    const failed = { failedDay: 5, deliveredDay: 5 }
    const past = new Date(now - 600_000)
    expect(stateWith({ ...failed, enabled: false })).toBe('disabled')
    expect(stateWith({ ...failed, breaker: 'open' })).toBe('backing_off')
    expect(stateWith({ ...failed, failingSince: past })).toBe('failing')
    expect(stateWith({ ...failed, waiting: 1, oldestWaitingAt: past })).toBe('degraded')
    expect(stateWith({ waiting: 1, oldestWaitingAt: past })).toBe('delayed')
  })
})

test('a webhook with stopped deliveries reports the reason and the number of pending deliveries', () => {
  const facts = {
    ...idle,
    waiting: 2,
    stop: { reason: 'Maintenance until noon' },
    problem: 'filter' as const,
  }
  expect(deriveHookState(facts, now)).toEqual({
    state: 'stopped',
    message: 'Deliveries are stopped by the operator: Maintenance until noon. 2 deliveries pending.',
  })
  expect(deriveHookState({ ...facts, enabled: false }, now).state).toBe('disabled')
  expect(deriveHookState({ ...facts, stop: null }, now)).toEqual({
    state: 'unloadable',
    message:
      'Deliveries are on hold: the filter cannot be read. Change the filter, or save it again. 2 deliveries pending.',
  })
})
