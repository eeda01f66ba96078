/** Tests whose fault a failed lookup is. */
import { expect, test } from 'vitest'
import { createResolverHealth, type LookupResult, type ResolverHealth } from './resolver-health.ts'

interface TestHealth extends ResolverHealth {
  changes: boolean[]
  probes: () => number
  advance: (ms: number) => void
  setAlive: (isAlive: boolean) => void
  fail: (result: LookupResult, times?: number) => Promise<boolean>
}

function createTestHealth(isInitiallyAlive: boolean): TestHealth {
  let now = 100_000
  let isAlive = isInitiallyAlive
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
    advance: (ms) => (now += ms),
    setAlive: (value) => (isAlive = value),
    async fail(result, times = 1) {
      for (let time = 0; time < times; time++) health.record(result)
      return health.isServiceFault()
    },
  }
}

test.each(['timeout', 'refused', 'server_failure'] as const)(
  '%s is a fault of the service if the resolver does not respond to the probe either',
  async (result) => {
    const health = createTestHealth(false)
    expect(await health.fail(result)).toBe(true)
    expect(health.isDown()).toBe(true)
  },
)

test.each(['timeout', 'refused', 'server_failure'] as const)(
  '%s is a fault of the name if the resolver responds to the probe',
  async (result) => {
    const health = createTestHealth(true)
    expect(await health.fail(result, 2)).toBe(false)
    expect(health.isDown()).toBe(false)
  },
)

test('a response about any name proves for ten seconds that the resolver works', async () => {
  const health = createTestHealth(false)
  health.record('not_found')
  expect(await health.fail('timeout')).toBe(false)
  health.advance(9_999)
  expect(await health.fail('timeout')).toBe(false)
  expect(health.probes()).toBe(0)
  health.advance(1)
  expect(await health.fail('timeout')).toBe(true)
})

test('unrelated names that all fail are at fault themselves while the resolver responds to other queries', async () => {
  const health = createTestHealth(true)
  for (const result of ['timeout', 'server_failure', 'refused'] as const)
    expect(await health.fail(result, 50)).toBe(false)
  expect([health.isDown(), health.changes]).toEqual([false, []])
  expect(Array.from({ length: 1_000 }, () => health.isLookupAllowed()).every(Boolean)).toBe(true)
})

test('failing names beside one that resolves are at fault themselves, without a probe', async () => {
  const health = createTestHealth(false)
  health.record('found')
  expect(await health.fail('timeout', 17)).toBe(false)
  expect(health.probes()).toBe(0)
  expect(health.isDown()).toBe(false)
})

test('a resolver that is down gets few lookups, and one of them detects its recovery', async () => {
  const health = createTestHealth(false)
  await health.fail('refused')
  const allowed = Array.from({ length: 1_000 }, () => health.isLookupAllowed()).filter(Boolean)
  expect(allowed).toHaveLength(10)
  health.advance(1_000)
  expect(health.isLookupAllowed()).toBe(true)
  health.record('found')
  expect(Array.from({ length: 1_000 }, () => health.isLookupAllowed()).every(Boolean)).toBe(true)
  expect(health.changes).toEqual([true, false])
})

test('the recovery of the resolver is detected without a lookup', async () => {
  const health = createTestHealth(false)
  await health.fail('refused')
  expect(health.isDown()).toBe(true)
  health.setAlive(true)
  health.advance(1_000)
  // This call starts the probe. The next call has its result.
  health.isDown()
  await Promise.resolve()
  await Promise.resolve()
  expect(health.isDown()).toBe(false)
})
