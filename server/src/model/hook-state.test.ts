import { describe, expect, test } from 'vitest'
import { describeHook } from './hook-state.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const quiet = {
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

function stateWith(facts: Partial<Parameters<typeof describeHook>[0]>): string {
  return describeHook({ ...quiet, attemptsDay: 1, ...facts }, now).state
}

describe('a webhook that loses deliveries', () => {
  test.each([
    { failedDay: 0, deliveredDay: 1_000, state: 'healthy' },
    { failedDay: 1, deliveredDay: 0, state: 'losing' },
    { failedDay: 1, deliveredDay: 99, state: 'losing' },
    { failedDay: 1, deliveredDay: 100, state: 'healthy' },
    { failedDay: 7, deliveredDay: 693, state: 'losing' },
    { failedDay: 7, deliveredDay: 694, state: 'healthy' },
  ])('$failedDay lost and $deliveredDay delivered: $state', ({ state, ...facts }) => {
    expect(stateWith(facts)).toBe(state)
  })

  test('says how many of how many', () => {
    expect(describeHook({ ...quiet, failedDay: 12, deliveredDay: 228 }, now).sentence).toBe(
      '12 of 240 deliveries in the last 24 hours failed for good.',
    )
    expect(describeHook({ ...quiet, failedDay: 1 }, now).sentence).toBe(
      '1 of 1 delivery in the last 24 hours failed for good.',
    )
  })

  test('is rather called by what is worse, and losing is worse than being behind', () => {
    const lost = { failedDay: 5, deliveredDay: 5 }
    const past = new Date(now - 600_000)
    expect(stateWith({ ...lost, enabled: false })).toBe('disabled')
    expect(stateWith({ ...lost, breaker: 'open' })).toBe('paused')
    expect(stateWith({ ...lost, failingSince: past })).toBe('failing')
    expect(stateWith({ ...lost, waiting: 1, oldestWaitingAt: past })).toBe('losing')
    expect(stateWith({ waiting: 1, oldestWaitingAt: past })).toBe('waiting')
  })
})

test('a webhook whose sends are stopped says why, and how much is pending', () => {
  const facts = {
    ...quiet,
    waiting: 2,
    stop: { reason: 'Maintenance until noon' },
    problem: 'filter' as const,
  }
  expect(describeHook(facts, now)).toEqual({
    state: 'stopped',
    sentence: 'Deliveries are stopped by the operator: Maintenance until noon. 2 deliveries pending.',
  })
  expect(describeHook({ ...facts, enabled: false }, now).state).toBe('disabled')
  expect(describeHook({ ...facts, stop: null }, now)).toEqual({
    state: 'unloadable',
    sentence:
      'Deliveries are on hold: its filter cannot be read. Change the filter, or save it again. 2 deliveries pending.',
  })
})
