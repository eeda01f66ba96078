/** The judges of the isolation and outage proofs must notice what they are there for: each test plants one fault. */
import { describe, expect, test } from 'vitest'
import { compare } from '../bench/src/isolation/compare.ts'
import { judgeOutage, type OutageBooks } from '../bench/src/isolation/outage-judge.ts'
import { createRequestLog, type RequestColumns } from '../bench/src/isolation/request-log.ts'
import type { Kind, TurnResult } from '../bench/src/isolation/turn.ts'

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
  for (const [place, { at, status, open }] of requests.entries()) {
    columns.arrivedAt[place] = at
    columns.endedAt[place] = at + 50
    columns.statuses[place] = status
    columns.openOfHook[place] = open ?? 1
  }
  return columns
}

const before = { id: idOf(startedAt, 1), at: startedAt + 20, status: 204 }
const failed = { id: idOf(failedAt + 1_000, 2), at: failedAt + 1_020, status: 503 }
const probe = { id: failed.id, at: recoveredAt + 1_000, status: 204 }
const fresh = { id: idOf(recoveredAt + 5_000, 3), at: recoveredAt + 5_030, status: 204 }
const ordinary = [before, failed, probe, fresh]

/** One event before, one in and one after the outage, at one hook. */
function books(more: Partial<OutageBooks> = {}): OutageBooks {
  const accepted = [before.id, failed.id, fresh.id]
  return {
    workers: 2,
    ratePerSecond: 1,
    failedAt,
    recoveredAt,
    endedAt: recoveredAt + 60_000,
    accepted,
    requests: columnsOf(ordinary),
    backlog: [60, 1, 1, 1].map((waiting, place) => ({ at: recoveredAt + (place - 1) * 1_000, waiting })),
    ledger: { attempts: new Map([[failed.id, 2]]), attemptsInOutage: [1], delivered: new Set(accepted) },
    left: 0,
    errors: 0,
    normalWithinSeconds: 180,
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
  judgeOutage(books({ requests: columnsOf([...ordinary, request]) })).broken.filter((reason) =>
    reason.includes('slow start'),
  )

describe('an outage', () => {
  test('that did no harm is held', () => {
    expect(judgeOutage(books()).broken).toEqual([])
  })

  const faults: Array<[name: string, more: Partial<OutageBooks>, said: RegExp]> = [
    [
      'a backlog that stays',
      { backlog: [60, 60, 60].map((waiting, n) => ({ at: recoveredAt + n * 1_000, waiting })) },
      /backlog was not normal/,
    ],
    ['an outage without a backlog', { backlog: books().backlog.slice(1) }, /no outage/],
    [
      'a fresh event that is late',
      { requests: columnsOf([before, failed, probe, { ...fresh, at: recoveredAt + 8_000 }]) },
      /took 3000 ms/,
    ],
    [
      'too many at once after the first success',
      { requests: columnsOf([before, failed, probe, { ...fresh, open: 17 }]) },
      /no slow start/,
    ],
    [
      'more attempts than a breaker lets through',
      { ledger: { ...books().ledger, attemptsInOutage: [1, 31] } },
      /attempted 31 times in the outage, where 30 may be/,
    ],
    [
      'an attempt that no receiver saw',
      { ledger: { ...books().ledger, attempts: new Map([[failed.id, 3]]) } },
      /other attempts than receivers saw/,
    ],
    [
      'a request that the ledger lacks',
      { ledger: { ...books().ledger, attempts: new Map() } },
      /other attempts/,
    ],
    ['a lost event', { requests: columnsOf([before, failed, fresh]) }, /1 of 3 .* never received/],
    [
      'a delivery not in the ledger',
      { ledger: { ...books().ledger, delivered: new Set() } },
      /3 of 3 are not/,
    ],
    ['a duplicate', { requests: columnsOf([...ordinary, fresh]) }, /more than once/],
    ['an error of ours', { errors: 1 }, /1 errors/],
    ['work that is left', { left: 2 }, /2 deliveries were left/],
  ]
  test.each(faults)('%s is noticed', (_name, more, said) => {
    expect(judgeOutage(books(more)).broken).toContainEqual(expect.stringMatching(said))
  })

  test('lets a hook have twice as many in flight with every second', () => {
    for (const [seconds, most] of [
      [0, 2],
      [0.999, 2],
      [1, 4],
      [2, 8],
      [3, 16],
      [4, 16],
    ] as const) {
      expect(slowStartOf(arrival(seconds, most))).toEqual([])
      expect(slowStartOf(arrival(seconds, most + 1))).toHaveLength(1)
    }
  })
})

function turn(kind: Kind, ms: number, more: Partial<TurnResult> = {}): TurnResult {
  const latencies = Array.from({ length: 100 }, () => ms)
  return {
    kind,
    latencies,
    acceptMs: [],
    missing: 0,
    repeats: 0,
    offered: 100,
    refused: 0,
    bursts: [],
    complaints: { errors: 0, lines: [] },
    ...more,
  }
}
const brokenBy = (baseline: TurnResult, withIt: TurnResult): string[] =>
  compare({ baseline: [baseline], with: [withIt] }).broken

describe('a comparison', () => {
  test('is held within one and a half times or 20 ms', () => {
    expect(brokenBy(turn('baseline', 10), turn('with', 30))).toEqual([])
    expect(brokenBy(turn('baseline', 100), turn('with', 150))).toEqual([])
    expect(brokenBy(turn('baseline', 10), turn('with', 31))).toHaveLength(1)
    expect(brokenBy(turn('baseline', 100), turn('with', 151))).toHaveLength(1)
  })

  test('is broken by what is missing, refused, slower in a burst, or not measured at all', () => {
    const baseline = turn('baseline', 10, { bursts: [1_000] })
    expect(brokenBy(baseline, turn('with', 10, { bursts: [900] }))).toEqual([])
    expect(brokenBy(baseline, turn('with', 10, { bursts: [899] }))).toHaveLength(1)
    expect(brokenBy(baseline, turn('with', 10, { bursts: [1_000], missing: 1 }))).toHaveLength(1)
    expect(brokenBy(baseline, turn('with', 10, { bursts: [1_000], refused: 11 }))).toHaveLength(1)
    const idle = {
      requests: 0,
      delivered: 0,
      mostOfHook: 0,
      mostOfHost: 0,
      accepted: 1,
      refused: 0,
      mostHanging: 0,
    }
    expect(brokenBy(baseline, turn('with', 10, { bursts: [1_000], trouble: idle }))).toHaveLength(1)
    const faulty = { errors: 1, lines: [] }
    expect(brokenBy(baseline, turn('with', 10, { bursts: [1_000], complaints: faulty }))).toHaveLength(1)
    expect(brokenBy(turn('baseline', 501), turn('with', 10))).toHaveLength(1)
  })
})
