import { expect, test } from 'vitest'
import type { AccountHooks, DeliveryHook } from '../hooks/delivery-hooks.ts'
import { createHeavyAccounts } from './heavy-accounts.ts'

function world() {
  const state = { ms: 0, isBusy: false, overShare: 0 }
  const heavy = createHeavyAccounts({
    now: () => state.ms,
    isBusy: () => state.isBusy,
    isOverShare: (accountId) => accountId === state.overShare,
  })
  return { state, heavy }
}

/** Of an account, only the number of its hooks counts here. */
function hooksOf(count: number): AccountHooks {
  const hooks = new Map(Array.from({ length: count }, (_, id) => [id, {} as DeliveryHook]))
  return { hooks, unloadable: new Map() } as unknown as AccountHooks
}

test('an account is heavy by the number of its webhooks', () => {
  const { heavy } = world()
  expect(heavy.isHeavy(1, hooksOf(32))).toBe(false)
  expect(heavy.isHeavy(2, hooksOf(33))).toBe(true)
  expect(heavy.isHeavy(3, undefined)).toBe(false)
  expect([1, 2, 3].filter(heavy.has)).toEqual([2])
})

test('an account with more than its share of a busy worker is heavy', () => {
  const { state, heavy } = world()
  state.overShare = 1
  expect(heavy.isHeavy(1, hooksOf(1))).toBe(true)
})

test('a batch has so many events that their deliveries stay bounded, and at least one', () => {
  const { heavy } = world()
  heavy.isHeavy(1, hooksOf(100))
  heavy.isHeavy(2, hooksOf(1_000))
  expect(heavy.due()).toEqual([
    { accountId: 1, maxEvents: 5 },
    { accountId: 2, maxEvents: 1 },
  ])
})

test('after a batch an account waits as long as the batch took, and nine times as long while the worker is busy', () => {
  const { state, heavy } = world()
  heavy.isHeavy(1, hooksOf(100))
  heavy.routed(1, 50)
  expect(heavy.due()).toEqual([])
  state.ms = 50
  expect(heavy.due()).toHaveLength(1)
  state.isBusy = true
  heavy.routed(1, 50)
  state.ms = 499
  expect(heavy.due()).toEqual([])
  state.ms = 500
  expect(heavy.due()).toHaveLength(1)
})

test('accounts take turns', () => {
  const { state, heavy } = world()
  for (let account = 1; account <= 20; account++) heavy.isHeavy(account, hooksOf(100))
  const first = heavy.due().map(({ accountId }) => accountId)
  for (const account of first) heavy.routed(account, 0)
  state.ms = 1
  expect(heavy.due().map(({ accountId }) => accountId)).toEqual([17, 18, 19, 20, ...first.slice(0, 12)])
})

test('an account without events for ten seconds is like any other again', () => {
  const { state, heavy } = world()
  heavy.isHeavy(1, hooksOf(100))
  state.ms = 9_000
  heavy.routed(1, undefined)
  expect(heavy.has(1)).toBe(true)
  state.ms = 10_001
  heavy.routed(1, undefined)
  expect(heavy.has(1)).toBe(false)
})

test('an account whose events another worker has set apart is heavy here too, whatever the number of its webhooks', () => {
  const { heavy } = world()
  heavy.found(1, hooksOf(3))
  heavy.found(2, undefined)
  expect(heavy.due()).toEqual([
    { accountId: 1, maxEvents: 166 },
    { accountId: 2, maxEvents: 500 },
  ])
})
