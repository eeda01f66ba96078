import { expect, test } from 'vitest'
import { applyMessage, applySearch, type LiveRow, matchesFilters, maxKept, newestFirst } from './live-rows.ts'
import type { DeliverySummary, EventRow } from './types.ts'

function event(id: string, deliveries: DeliverySummary[] = []): EventRow {
  return {
    id,
    type: 'sms_mo',
    accepted_at: '2026-11-17T12:00:00.000Z',
    occurred_at: null,
    message_id: null,
    from: null,
    to: null,
    foreign_id: null,
    is_test: false,
    is_routed: false,
    deliveries,
  }
}

function delivery(fields: Partial<DeliverySummary> = {}): DeliverySummary {
  return { hook_id: 7, round: 1, state: 'waiting', reason: null, attempts: 0, webhook: null, ...fields }
}

const failed = {
  event_id: 'a',
  hook_id: 7,
  round: 1,
  attempt: 1,
  reason: 'status',
  status: 500,
  webhook: null,
} as const
const delivered = delivery({ state: 'delivered', reason: 'delivered', attempts: 2 })
const retrying = delivery({ reason: 'status', attempts: 1 })

function rowsOf(...steps: Array<(rows: Map<string, LiveRow>) => void>): LiveRow | undefined {
  const rows = new Map<string, LiveRow>()
  applyMessage(rows, { kind: 'event', event: event('a') })
  for (const step of steps) step(rows)
  return rows.get('a')
}

const route = (rows: Map<string, LiveRow>) =>
  applyMessage(rows, { kind: 'route', eventId: 'a', deliveries: [delivery()] })
const attempt = (rows: Map<string, LiveRow>) => applyMessage(rows, { kind: 'attempt', attempt: failed })
const finish = (rows: Map<string, LiveRow>) =>
  applyMessage(rows, { kind: 'delivery', eventId: 'a', delivery: delivered })
const search = (rows: Map<string, LiveRow>) => applySearch(rows, [event('a', [retrying])])

test('a failed attempt shows its reason, and the row is routed', () => {
  expect(rowsOf(attempt)).toMatchObject({ is_routed: true, deliveries: [retrying], results: [failed] })
})

test('the order of messages and search results makes no difference', () => {
  const steps = [route, attempt, finish, search]
  for (let first = 0; first < steps.length; first++)
    expect(rowsOf(...steps.slice(first), ...steps.slice(0, first))?.deliveries).toEqual([delivered])
  expect(rowsOf(attempt, route)?.deliveries).toEqual([retrying])
})

test('messages of unknown events change nothing', () => {
  const rows = new Map<string, LiveRow>()
  for (const step of [route, attempt, finish]) step(rows)
  expect(rows.size).toBe(0)
})

test('only the newest events are kept', () => {
  const rows = new Map<string, LiveRow>()
  for (let count = 0; count < maxKept + 50; count++)
    applyMessage(rows, { kind: 'event', event: event(String(10_000 + count)) })
  expect(rows.size).toBe(maxKept)
  expect(newestFirst(rows)[0]?.id).toBe(String(10_000 + maxKept + 49))
  expect(newestFirst(rows).at(-1)?.id).toBe('10050')
})

test('filters apply to the same delivery and its last round', () => {
  const row = rowsOf(route, attempt)
  if (row === undefined) throw new Error('no row')
  expect(matchesFilters(row, {})).toBe(true)
  expect(matchesFilters(row, { hook_id: 7, state: 'waiting', status: 500, reason: 'status' })).toBe(true)
  expect(matchesFilters(row, { hook_id: 8 })).toBe(false)
  expect(matchesFilters(row, { state: 'delivered' })).toBe(false)
  expect(matchesFilters(row, { status: 404 })).toBe(false)
  expect(matchesFilters({ ...row, isFound: true }, { status: 404 })).toBe(true)
  expect(matchesFilters({ ...row, isFound: true }, { state: 'failed', status: 404 })).toBe(false)
})
