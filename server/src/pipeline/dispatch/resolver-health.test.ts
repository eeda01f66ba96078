/** Whose fault a failed lookup is. */
import { expect, test } from 'vitest'
import { createResolverHealth, type LookupResult, type ResolverHealth } from './resolver-health.ts'

interface Watched extends ResolverHealth {
  changes: boolean[]
  probes: () => number
  pass: (ms: number) => void
  setAlive: (isAlive: boolean) => void
  failed: (result: LookupResult, times?: number) => Promise<boolean>
}

function watched(isAliveAtFirst: boolean): Watched {
  let now = 100_000
  let isAlive = isAliveAtFirst
  let probes = 0
  const changes: boolean[] = []
  const health = createResolverHealth({
    now: () => now,
    probe: async () => {
      probes++
      return isAlive
    },
    onChange: (isDown) => changes.push(isDown),
  })
  return {
    ...health,
    changes,
    probes: () => probes,
    pass: (ms) => (now += ms),
    setAlive: (value) => (isAlive = value),
    async failed(result, times = 1) {
      for (let time = 0; time < times; time++) health.note(result)
      return health.isOurs()
    },
  }
}

test.each(['timeout', 'refused', 'server_failure'] as const)(
  '%s is ours if the resolver does not answer the probe either',
  async (result) => {
    const health = watched(false)
    expect(await health.failed(result)).toBe(true)
    expect(health.isDown()).toBe(true)
  },
)

test.each(['timeout', 'refused', 'server_failure'] as const)(
  '%s is the name’s if the resolver answers the probe',
  async (result) => {
    const health = watched(true)
    expect(await health.failed(result, 2)).toBe(false)
    expect(health.isDown()).toBe(false)
  },
)

test('an answer about any name proves for ten seconds that the resolver works', async () => {
  const health = watched(false)
  health.note('not_found')
  expect(await health.failed('timeout')).toBe(false)
  health.pass(9_999)
  expect(await health.failed('timeout')).toBe(false)
  expect(health.probes()).toBe(0)
  health.pass(1)
  expect(await health.failed('timeout')).toBe(true)
})

test('unrelated names that all fail are at fault themselves while the resolver answers other questions', async () => {
  const health = watched(true)
  for (const result of ['timeout', 'server_failure', 'refused'] as const)
    expect(await health.failed(result, 50)).toBe(false)
  expect([health.isDown(), health.changes]).toEqual([false, []])
  expect(Array.from({ length: 1_000 }, () => health.mayAsk()).every(Boolean)).toBe(true)
})

test('dead names beside one that is found are those names’ fault, without a probe', async () => {
  const health = watched(false)
  health.note('found')
  expect(await health.failed('timeout', 17)).toBe(false)
  expect(health.probes()).toBe(0)
  expect(health.isDown()).toBe(false)
})

test('while it is down few lookups are made, one of which finds out that it is back', async () => {
  const health = watched(false)
  await health.failed('refused')
  const allowed = Array.from({ length: 1_000 }, () => health.mayAsk()).filter(Boolean)
  expect(allowed).toHaveLength(10)
  health.pass(1_000)
  expect(health.mayAsk()).toBe(true)
  health.note('found')
  expect(Array.from({ length: 1_000 }, () => health.mayAsk()).every(Boolean)).toBe(true)
  expect(health.changes).toEqual([true, false])
})

test('it is noticed without a lookup that the resolver is back', async () => {
  const health = watched(false)
  await health.failed('refused')
  expect(health.isDown()).toBe(true)
  health.setAlive(true)
  health.pass(1_000)
  // This asks, and the next knows.
  health.isDown()
  await Promise.resolve()
  await Promise.resolve()
  expect(health.isDown()).toBe(false)
})
