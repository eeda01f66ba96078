/** Tests that the checks of the isolation and outage proofs detect each violation. Each test injects one. */
import { describe, expect, test } from 'vitest'
import { compare } from './compare.ts'
import { verifyOutage, type OutageObservations } from './verify-outage.ts'
import { createRequestLog, type RequestColumns } from './request-log.ts'
import type { Kind, RunResult } from './run.ts'

const startedAt = Date.UTC(2025, 0, 1)
const failedAt = startedAt + 20_000
const recoveredAt = failedAt + 100_000

function idOf(at: number, count: number): string {
  const hex = at.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${count.toString(16).padStart(12, '0')}`
}

interface Request {
  id: string
  at: number
  status: number
  open?: number
}

function columnsOf(requests: readonly Request[]): RequestColumns {
  const log = createRequestLog()
  for (const { id } of requests) log.arrived(id, 7, 0)
  const columns = log.columns()
  for (const [index, { at, status, open }] of requests.entries()) {
    columns.arrivedAt[index] = at
    columns.endedAt[index] = at + 50
    columns.statuses[index] = status
    columns.openPerHook[index] = open ?? 1
  }
  return columns
}

const before = { id: idOf(startedAt, 1), at: startedAt + 20, status: 204 }
const failed = { id: idOf(failedAt + 1_000, 2), at: failedAt + 1_020, status: 503 }
const probe = { id: failed.id, at: recoveredAt + 1_000, status: 204 }
const fresh = { id: idOf(recoveredAt + 5_000, 3), at: recoveredAt + 5_030, status: 204 }
const baselineRequests = [before, failed, probe, fresh]

/** One event before, one during and one after the outage, at one hook. */
function observations(more: Partial<OutageObservations> = {}): OutageObservations {
  const accepted = [before.id, failed.id, fresh.id]
  return {
    workers: 2,
    ratePerSecond: 1,
    failedAt,
    recoveredAt,
    endedAt: recoveredAt + 60_000,
    accepted,
    requests: columnsOf(baselineRequests),
    backlog: [60, 1, 1, 1].map((waiting, index) => ({ at: recoveredAt + (index - 1) * 1_000, waiting })),
    ledger: { attempts: new Map([[failed.id, 2]]), attemptsInOutage: [1], delivered: new Set(accepted) },
    left: 0,
    errors: 0,
    maxRecoverySeconds: 180,
    ...more,
  }
}

const arrival = (seconds: number, open: number): Request => ({
  id: idOf(recoveredAt + 1_000, 9),
  at: probe.at + 50 + seconds * 1_000,
  status: 204,
  open,
})
const slowStartOf = (request: Request): string[] =>
  verifyOutage(observations({ requests: columnsOf([...baselineRequests, request]) })).violations.filter(
    (reason) => reason.includes('slow start'),
  )

describe('verifyOutage', () => {
  test('accepts an outage without violations', () => {
    expect(verifyOutage(observations()).violations).toEqual([])
  })

  const faults: Array<[name: string, more: Partial<OutageObservations>, expected: RegExp]> = [
    [
      'a backlog that does not drain',
      { backlog: [60, 60, 60].map((waiting, n) => ({ at: recoveredAt + n * 1_000, waiting })) },
      /backlog was not normal/,
    ],
    ['an outage without a backlog', { backlog: observations().backlog.slice(1) }, /no outage/],
    [
      'a late fresh event',
      { requests: columnsOf([before, failed, probe, { ...fresh, at: recoveredAt + 8_000 }]) },
      /took 3000 ms/,
    ],
    [
      'too many concurrent requests after the first success',
      { requests: columnsOf([before, failed, probe, { ...fresh, open: 17 }]) },
      /no slow start/,
    ],
    [
      'more attempts than the circuit breaker allows',
      { ledger: { ...observations().ledger, attemptsInOutage: [1, 31] } },
      /31 attempts in the outage, limit 30/,
    ],
    [
      'an attempt without a request',
      { ledger: { ...observations().ledger, attempts: new Map([[failed.id, 3]]) } },
      /attempts differ between ledger and receivers/,
    ],
    [
      'a request missing from the ledger',
      { ledger: { ...observations().ledger, attempts: new Map() } },
      /attempts differ/,
    ],
    ['a lost event', { requests: columnsOf([before, failed, fresh]) }, /1 of 3 .* never succeeded/],
    [
      'a delivery missing from the ledger',
      { ledger: { ...observations().ledger, delivered: new Set() } },
      /3 of 3 accepted events are not/,
    ],
    ['a duplicate', { requests: columnsOf([...baselineRequests, fresh]) }, /more than once/],
    ['an error in the log', { errors: 1 }, /1 errors/],
    ['deliveries left in the queue', { left: 2 }, /2 deliveries left/],
  ]
  test.each(faults)('detects %s', (_name, more, expected) => {
    expect(verifyOutage(observations(more)).violations).toContainEqual(expect.stringMatching(expected))
  })

  test('allows the requests in flight of a hook to double every second', () => {
    for (const [seconds, max] of [
      [0, 2],
      [0.999, 2],
      [1, 4],
      [2, 8],
      [3, 16],
      [4, 16],
    ] as const) {
      expect(slowStartOf(arrival(seconds, max))).toEqual([])
      expect(slowStartOf(arrival(seconds, max + 1))).toHaveLength(1)
    }
  })
})

function runResult(kind: Kind, ms: number, more: Partial<RunResult> = {}): RunResult {
  const latencies = Array.from({ length: 100 }, () => ms)
  return {
    kind,
    latencies,
    acceptMs: [],
    missing: 0,
    repeats: 0,
    offered: 100,
    rejected: 0,
    bursts: [],
    loggedProblems: { errors: 0, lines: [] },
    ...more,
  }
}
const violationsOf = (baseline: RunResult, withNoisy: RunResult): string[] =>
  compare({ baseline: [baseline], with: [withNoisy] }).violations

describe('compare', () => {
  test('accepts 1.5 times the baseline or 20 ms more', () => {
    expect(violationsOf(runResult('baseline', 10), runResult('with', 30))).toEqual([])
    expect(violationsOf(runResult('baseline', 100), runResult('with', 150))).toEqual([])
    expect(violationsOf(runResult('baseline', 10), runResult('with', 31))).toHaveLength(1)
    expect(violationsOf(runResult('baseline', 100), runResult('with', 151))).toHaveLength(1)
  })

  test('rejects missing events, rejected events, slow bursts and runs without measurements', () => {
    const baseline = runResult('baseline', 10, { bursts: [1_000] })
    expect(violationsOf(baseline, runResult('with', 10, { bursts: [900] }))).toEqual([])
    expect(violationsOf(baseline, runResult('with', 10, { bursts: [899] }))).toHaveLength(1)
    expect(violationsOf(baseline, runResult('with', 10, { bursts: [1_000], missing: 1 }))).toHaveLength(1)
    expect(violationsOf(baseline, runResult('with', 10, { bursts: [1_000], rejected: 11 }))).toHaveLength(1)
    const idle = {
      requests: 0,
      delivered: 0,
      maxPerHook: 0,
      maxPerHost: 0,
      accepted: 1,
      rejected: 0,
      maxHanging: 0,
    }
    expect(violationsOf(baseline, runResult('with', 10, { bursts: [1_000], noisy: idle }))).toHaveLength(1)
    const faulty = { errors: 1, lines: [] }
    expect(
      violationsOf(baseline, runResult('with', 10, { bursts: [1_000], loggedProblems: faulty })),
    ).toHaveLength(1)
    expect(violationsOf(runResult('baseline', 501), runResult('with', 10))).toHaveLength(1)
  })
})
