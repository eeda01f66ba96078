import { expect, test } from 'vitest'
import { estimate, measureRate } from './replay-rate.ts'

const at = (seconds: number): Date => new Date(seconds * 1_000)

const running = {
  state: 'running' as const,
  perSecond: 10,
  countedAt: at(100),
  isRead: false,
  total: 1_000,
  started: 520,
  delivered: 490,
  failed: 5,
  skipped: 5,
  waiting: [],
}

test('the rate is measured between two counts, and smoothed afterwards', () => {
  const claim = { countedAt: null, claimedAt: at(100), delivered: 0, failed: 0, perSecond: null }
  expect(measureRate(claim, { delivered: 50, failed: 0 })).toBe(null)
  const second = { ...claim, countedAt: at(100), claimedAt: at(102) }
  expect(measureRate(second, { delivered: 15, failed: 5 })).toBe(10)
  const third = { ...second, perSecond: 10, claimedAt: at(101) }
  const smoothed = measureRate(third, { delivered: 100, failed: 0 })
  expect(smoothed).toBeGreaterThan(15)
  expect(smoothed).toBeLessThan(25)
})

test('the time left is the rest at the current rate', () => {
  expect(estimate(running, at(101).getTime())).toEqual({ perSecond: 10, secondsLeft: 50 })
})

test('the rate declines while nothing finishes', () => {
  const { perSecond, secondsLeft } = estimate(running, at(112).getTime())
  expect(perSecond).toBeLessThan(4)
  expect(secondsLeft).toBeGreaterThan(120)
  expect(estimate(running, at(1_000).getTime())).toEqual({ perSecond: 0, secondsLeft: null })
})

test('there is no time left for a paused replay, or if the rest waits for something else', () => {
  expect(estimate({ ...running, state: 'paused' }, at(101).getTime()).secondsLeft).toBe(null)
  const waiting = [{ reason: 'circuit_open' as const, count: 500, hookId: 7 }]
  expect(estimate({ ...running, waiting }, at(101).getTime()).secondsLeft).toBe(null)
})
