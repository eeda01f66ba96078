/** Tests that the check of the hostile tenant proof detects each violation. Each test injects one. */
import { describe, expect, test } from 'vitest'
import { isFlat, verifyHostile } from './verify.ts'
import type { RunResult } from './run.ts'
import type { Kind } from '../isolation/run.ts'

const expected = { hooks: 1_000, activities: ['searches', 'slow-loris'], isSmoke: false }

const times = (ms: number): number[] => Array.from({ length: 200 }, () => ms)
const constant = (mb: number): number[] => Array.from({ length: 300 }, () => mb)
/** Memory that grows by `mb` megabytes over the run. */
const leaking = (mb: number): number[] => constant(200).map((start, index) => start + (mb * index) / 300)

function steady(ms: number, more: Partial<RunResult['steady']> = {}): RunResult['steady'] {
  return {
    latencies: times(ms),
    acceptMs: times(10),
    missing: 0,
    repeats: 0,
    offered: 200,
    rejected: 0,
    ...more,
  }
}

function runResult(kind: Kind, more: Partial<RunResult> = {}): RunResult {
  return {
    kind,
    steady: steady(30),
    api: { latencies: new Map([['list', times(20)]]), failures: new Map() },
    memory: [{ name: 'worker 1', rssMb: constant(200) }],
    exited: [],
    loggedProblems: { errors: 0, lines: [] },
    ...(kind === 'with' && {
      hostile: {
        registered: 1_000,
        rejected: {},
        results: { searches: { 200: 5, 429: 9 }, 'slow-loris': { cut: 3, 'not sent': 2 } },
      },
    }),
    ...more,
  }
}

const verify = (
  withTenant: Partial<RunResult>,
  baseline: Partial<RunResult> = {},
  isSmoke = false,
): string[] =>
  verifyHostile(
    { baseline: runResult('baseline', baseline), with: runResult('with', withTenant) },
    { ...expected, isSmoke },
  )

describe('verifyHostile', () => {
  test('accepts a run that does not affect the healthy accounts', () => {
    expect(verify({})).toEqual([])
  })

  const violations: Array<[name: string, withTenant: Partial<RunResult>, reason: RegExp]> = [
    ['a process that exited', { exited: ['worker 7 exited with SIGABRT'] }, /SIGABRT/],
    ['a lost event', { steady: steady(30, { missing: 1 }) }, /1 healthy events did not arrive/],
    ['a duplicate', { steady: steady(30, { repeats: 2 }) }, /got 2 requests more than once/],
    ['a rejected event', { steady: steady(30, { rejected: 3 }) }, /3 of 200 healthy events/],
    ['a missing load', { steady: steady(30, { offered: 0 }) }, /0 of 0 healthy events/],
    [
      'a failed API call',
      { api: { latencies: new Map(), failures: new Map([['list returned 500', 1]]) } },
      /1 API calls .* failed: list returned 500/,
    ],
    [
      'a slow API call',
      { api: { latencies: new Map([['list', times(121)]]), failures: new Map() } },
      /list: p99 rose/,
    ],
    ['an error of the service', { loggedProblems: { errors: 1, lines: [] } }, /logged 1 errors/],
    ['late deliveries', { steady: steady(51) }, /p99 rose from 30 to 51 ms/],
    ['a leak', { memory: [{ name: 'worker 1', rssMb: leaking(100) }] }, /worker 1: memory grew/],
    ['a missing tenant', { hostile: undefined as never }, /did not run/],
    [
      'a tenant with too few webhooks',
      {
        hostile: {
          registered: 999,
          rejected: {},
          results: { searches: { 200: 1 }, 'slow-loris': { cut: 1 } },
        },
      },
      /999 of 1000 webhooks/,
    ],
    [
      'an activity without a response',
      {
        hostile: {
          registered: 1_000,
          rejected: {},
          results: { searches: { 'not sent': 9 }, 'slow-loris': { cut: 1 } },
        },
      },
      /no call of searches got a response/,
    ],
  ]
  test.each(violations)('detects %s', (_name, withTenant, reason) => {
    expect(verify(withTenant)).toEqual([expect.stringMatching(reason)])
  })

  test('rejects a baseline that is too slow for a comparison', () => {
    expect(verify({ steady: steady(501) }, { steady: steady(501) })).toEqual([
      expect.stringMatching(/too busy/),
    ])
  })

  test('detects a process that exited in the baseline', () => {
    expect(verify({}, { exited: ['api 3 exited with 1'] })).toEqual(['baseline: api 3 exited with 1'])
  })

  test('allows p99 of 1.5 times the baseline or 20 ms more', () => {
    expect(verify({ steady: steady(50) })).toEqual([])
    expect(verify({ steady: steady(150) }, { steady: steady(100) })).toEqual([])
    expect(verify({ steady: steady(151) }, { steady: steady(100) })).toHaveLength(1)
  })

  test('skips only latency and memory in a smoke run', () => {
    const slow = { steady: steady(900), memory: [{ name: 'worker 1', rssMb: leaking(500) }] }
    expect(verify(slow, {}, true)).toEqual([])
    expect(verify({ ...slow, exited: ['worker 7 exited with 1'] }, {}, true)).toHaveLength(1)
  })
})

describe('isFlat', () => {
  test('accepts growth in the first quarter and outliers', () => {
    const warmUp = constant(200).map((mb, index) => (index < 75 ? 80 + index : mb))
    expect(isFlat(warmUp)).toBe(true)
    expect(isFlat(constant(200).map((mb, index) => (index % 3 === 0 ? mb + 150 : mb)))).toBe(true)
  })

  test('rejects a leak that starts slowly', () => {
    expect(isFlat(leaking(60))).toBe(true)
    expect(isFlat(leaking(80))).toBe(false)
    expect(isFlat(constant(200).map((mb, index) => mb + Math.max(0, index - 150)))).toBe(false)
  })
})
