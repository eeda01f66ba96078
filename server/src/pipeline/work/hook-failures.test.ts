/** When a circuit breaker opens, by the counts of a hook. */
import { describe, expect, test } from 'vitest'
import { isFailingTooOften } from './hook-failures.ts'

/** The same sequence every time. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** How often it would open in so many attempts, with a fresh start after each time. */
function openings(failureRate: number, perSecond: number, attempts: number, seed: number): number {
  const random = createRandom(seed)
  const decay = 0.5 ** (1 / perSecond / 10)
  const counts = { accountId: 1, hookId: 1, attempts: 0, failures: 0, successes: 0 }
  let opened = 0
  for (let made = 0; made < attempts; made++) {
    const isFailure = random() < failureRate
    counts.attempts = isFailure ? counts.attempts + 1 : 0
    counts.failures = counts.failures * decay + (isFailure ? 1 : 0)
    counts.successes = counts.successes * decay + (isFailure ? 0 : 1)
    if (!isFailingTooOften(counts)) continue
    opened++
    Object.assign(counts, { attempts: 0, failures: 0, successes: 0 })
  }
  return opened
}

describe.each([1, 10, 100])('at %i attempts a second', (perSecond) => {
  test.each([0.05, 0.1, 0.31])('a failure rate of %d never opens it', (failureRate) => {
    for (let seed = 1; seed <= 20; seed++) expect(openings(failureRate, perSecond, 5_000, seed)).toBe(0)
  })

  test.each([0.75, 1])('a failure rate of %d opens it within 100 attempts', (failureRate) => {
    for (let seed = 1; seed <= 20; seed++)
      expect(openings(failureRate, perSecond, 100, seed)).toBeGreaterThan(0)
  })
})

test.each([10, 100])('a failure rate of 0.6 opens it at %i attempts a second', (perSecond) => {
  for (let seed = 1; seed <= 20; seed++) expect(openings(0.6, perSecond, 2_000, seed)).toBeGreaterThan(0)
})

test('a receiver that never answers well opens it with the tenth failure, however rare they are', () => {
  const hook = { accountId: 1, hookId: 1, failures: 1, successes: 0 }
  expect(isFailingTooOften({ ...hook, attempts: 9 })).toBe(false)
  expect(isFailingTooOften({ ...hook, attempts: 10 })).toBe(true)
  expect(isFailingTooOften({ ...hook, attempts: 10, successes: 1 })).toBe(false)
})
