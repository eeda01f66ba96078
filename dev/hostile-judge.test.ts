/** The judge of the hostile tenant proof must notice what it is there for: each test plants one violation. */
import { describe, expect, test } from 'vitest'
import { isFlat, judgeHostile } from '../bench/src/hostile/judge.ts'
import type { TurnResult } from '../bench/src/hostile/turn.ts'
import type { Kind } from '../bench/src/isolation/turn.ts'

const expected = { hooks: 1_000, activities: ['searches', 'slow-loris'], isSmoke: false }

const times = (ms: number): number[] => Array.from({ length: 200 }, () => ms)
const constant = (mb: number): number[] => Array.from({ length: 300 }, () => mb)
/** Grows by so many megabytes over the whole run. */
const leaking = (mb: number): number[] => constant(200).map((start, index) => start + (mb * index) / 300)

function steady(ms: number, more: Partial<TurnResult['steady']> = {}): TurnResult['steady'] {
  return {
    latencies: times(ms),
    acceptMs: times(10),
    missing: 0,
    repeats: 0,
    offered: 200,
    refused: 0,
    ...more,
  }
}

function turn(kind: Kind, more: Partial<TurnResult> = {}): TurnResult {
  return {
    kind,
    steady: steady(30),
    api: { latencies: new Map([['list', times(20)]]), failures: 0 },
    memory: [{ name: 'worker 1', rssMb: constant(200) }],
    ended: [],
    complaints: { errors: 0, lines: [] },
    ...(kind === 'with' && {
      hostile: {
        registered: 1_000,
        refused: {},
        results: { searches: { 200: 5, 429: 9 }, 'slow-loris': { cut: 3, 'not sent': 2 } },
      },
    }),
    ...more,
  }
}

const judge = (
  withTenant: Partial<TurnResult>,
  baseline: Partial<TurnResult> = {},
  isSmoke = false,
): string[] =>
  judgeHostile(
    { baseline: turn('baseline', baseline), with: turn('with', withTenant) },
    { ...expected, isSmoke },
  )

describe('judgeHostile', () => {
  test('accepts a run in which the healthy accounts noticed nothing', () => {
    expect(judge({})).toEqual([])
  })

  const violations: Array<[name: string, withTenant: Partial<TurnResult>, reason: RegExp]> = [
    ['a process that ended', { ended: ['worker 7 ended with SIGABRT'] }, /SIGABRT/],
    ['a lost event', { steady: steady(30, { missing: 1 }) }, /1 healthy events did not arrive/],
    ['a duplicate', { steady: steady(30, { repeats: 2 }) }, /got 2 requests more than once/],
    ['a refused event', { steady: steady(30, { refused: 3 }) }, /3 of 200 healthy events/],
    ['a load that was not there', { steady: steady(30, { offered: 0 }) }, /0 of 0 healthy events/],
    ['a failed API call', { api: { latencies: new Map(), failures: 1 } }, /1 API calls .* failed/],
    [
      'a slow API call',
      { api: { latencies: new Map([['list', times(121)]]), failures: 0 } },
      /list: p99 rose/,
    ],
    ['an error of the service', { complaints: { errors: 1, lines: [] } }, /1 errors of its own/],
    ['late deliveries', { steady: steady(51) }, /p99 rose from 30 to 51 ms/],
    ['a leak', { memory: [{ name: 'worker 1', rssMb: leaking(100) }] }, /worker 1: memory grew/],
    ['a tenant that was not there', { hostile: undefined as never }, /was not there/],
    [
      'a tenant with too few webhooks',
      {
        hostile: {
          registered: 999,
          refused: {},
          results: { searches: { 200: 1 }, 'slow-loris': { cut: 1 } },
        },
      },
      /999 of 1000 webhooks/,
    ],
    [
      'an activity that was never answered',
      {
        hostile: {
          registered: 1_000,
          refused: {},
          results: { searches: { 'not sent': 9 }, 'slow-loris': { cut: 1 } },
        },
      },
      /no call of searches was answered/,
    ],
  ]
  test.each(violations)('notices %s', (_name, withTenant, reason) => {
    expect(judge(withTenant)).toEqual([expect.stringMatching(reason)])
  })

  test('rejects a baseline that is too slow to compare with', () => {
    expect(judge({ steady: steady(501) }, { steady: steady(501) })).toEqual([
      expect.stringMatching(/too busy/),
    ])
  })

  test('notices a process that ended in the baseline', () => {
    expect(judge({}, { ended: ['api 3 ended with 1'] })).toEqual(['baseline: api 3 ended with 1'])
  })

  test('allows p99 of 1.5 times the baseline or 20 ms more', () => {
    expect(judge({ steady: steady(50) })).toEqual([])
    expect(judge({ steady: steady(150) }, { steady: steady(100) })).toEqual([])
    expect(judge({ steady: steady(151) }, { steady: steady(100) })).toHaveLength(1)
  })

  test('leaves latency and memory out of a smoke run, and nothing else', () => {
    const slow = { steady: steady(900), memory: [{ name: 'worker 1', rssMb: leaking(500) }] }
    expect(judge(slow, {}, true)).toEqual([])
    expect(judge({ ...slow, ended: ['worker 7 ended with 1'] }, {}, true)).toHaveLength(1)
  })
})

describe('isFlat', () => {
  test('accepts growth in the first quarter and jumps of single samples', () => {
    const warmUp = constant(200).map((mb, index) => (index < 75 ? 80 + index : mb))
    expect(isFlat(warmUp)).toBe(true)
    expect(isFlat(constant(200).map((mb, index) => (index % 3 === 0 ? mb + 150 : mb)))).toBe(true)
  })

  test('rejects a leak however slowly it began', () => {
    expect(isFlat(leaking(60))).toBe(true)
    expect(isFlat(leaking(80))).toBe(false)
    expect(isFlat(constant(200).map((mb, index) => mb + Math.max(0, index - 150)))).toBe(false)
  })
})
