/** Tests when the circuit breaker opens for the counts of a hook. */
import { describe, expect, test } from 'vitest'
import { isFailingTooOften } from './failure-streaks.ts'

/** Creates a pseudorandom generator that returns the same sequence for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Counts how often the circuit breaker opens in the given number of attempts. Counts restart after each opening. */
function countOpenings(failureRate: number, perSecond: number, attempts: number, seed: number): number {
  const random = createRandom(seed)
  const decay = 0.5 ** (1 / perSecond / 10)
  const counts = { accountId: 1, hookId: 1, attempts: 0, failures: 0, successes: 0 }
  let opened = 0
  for (let attempt = 0; attempt < attempts; attempt++) {
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

describe.each([1, 10, 100])('at %i attempts per second', (perSecond) => {
  test.each([0.05, 0.1, 0.31])('a failure rate of %d never opens the circuit breaker', (failureRate) => {
    for (let seed = 1; seed <= 20; seed++) expect(countOpenings(failureRate, perSecond, 5_000, seed)).toBe(0)
  })

  test.each([0.75, 1])(
    'a failure rate of %d opens the circuit breaker within 100 attempts',
    (failureRate) => {
      for (let seed = 1; seed <= 20; seed++)
        expect(countOpenings(failureRate, perSecond, 100, seed)).toBeGreaterThan(0)
    },
  )
})

test.each([10, 100])(
  'a failure rate of 0.6 opens the circuit breaker at %i attempts per second',
  (perSecond) => {
    for (let seed = 1; seed <= 20; seed++)
      expect(countOpenings(0.6, perSecond, 2_000, seed)).toBeGreaterThan(0)
  },
)

test('a receiver without any success opens the circuit breaker on the tenth failure, at any rate', () => {
  const hook = { accountId: 1, hookId: 1, failures: 1, successes: 0 }
  expect(isFailingTooOften({ ...hook, attempts: 9 })).toBe(false)
  expect(isFailingTooOften({ ...hook, attempts: 10 })).toBe(true)
  expect(isFailingTooOften({ ...hook, attempts: 10, successes: 1 })).toBe(false)
})
