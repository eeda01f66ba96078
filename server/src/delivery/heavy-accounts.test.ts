import { expect, test } from 'vitest'
import type { AccountHooks, CachedHook } from '../hooks/hook-cache.ts'
import { createHeavyAccounts } from './heavy-accounts.ts'

function setup() {
  const state = { ms: 0, isBusy: false, overShare: 0 }
  const heavy = createHeavyAccounts({
    now: () => state.ms,
    isBusy: () => state.isBusy,
    isOverShare: (accountId) => accountId === state.overShare,
  })
  return { state, heavy }
}

/** Creates hooks of an account. Only their number matters here. */
function createHooks(count: number): AccountHooks {
  const hooks = new Map(Array.from({ length: count }, (_, id) => [id, {} as CachedHook]))
  return { hooks, unloadable: new Map() } as unknown as AccountHooks
}

test('an account is heavy if it has many webhooks', () => {
  const { heavy } = setup()
  expect(heavy.isHeavy(1, createHooks(32))).toBe(false)
  expect(heavy.isHeavy(2, createHooks(33))).toBe(true)
  expect(heavy.isHeavy(3, undefined)).toBe(false)
  expect([1, 2, 3].filter(heavy.has)).toEqual([2])
})

test('an account over its share of a busy worker is heavy', () => {
  const { state, heavy } = setup()
  state.overShare = 1
  expect(heavy.isHeavy(1, createHooks(1))).toBe(true)
})

test('a batch has at least one event and a bounded number of deliveries', () => {
  const { heavy } = setup()
  heavy.isHeavy(1, createHooks(100))
  heavy.isHeavy(2, createHooks(1_000))
  expect(heavy.due()).toEqual([
    { accountId: 1, maxEvents: 5 },
    { accountId: 2, maxEvents: 1 },
  ])
})

test('after a batch an account waits as long as the batch took, or nine times as long on a busy worker', () => {
  const { state, heavy } = setup()
  heavy.isHeavy(1, createHooks(100))
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

test('accounts alternate in round-robin order', () => {
  const { state, heavy } = setup()
  for (let account = 1; account <= 20; account++) heavy.isHeavy(account, createHooks(100))
  const first = heavy.due().map(({ accountId }) => accountId)
  for (const account of first) heavy.routed(account, 0)
  state.ms = 1
  expect(heavy.due().map(({ accountId }) => accountId)).toEqual([17, 18, 19, 20, ...first.slice(0, 12)])
})

test('an account without events for ten seconds is no longer heavy', () => {
  const { state, heavy } = setup()
  heavy.isHeavy(1, createHooks(100))
  state.ms = 9_000
  heavy.routed(1, undefined)
  expect(heavy.has(1)).toBe(true)
  state.ms = 10_001
  heavy.routed(1, undefined)
  expect(heavy.has(1)).toBe(false)
})

test('an account that another worker marked as heavy is heavy here too, regardless of its number of webhooks', () => {
  const { heavy } = setup()
  heavy.add(1, createHooks(3))
  heavy.add(2, undefined)
  expect(heavy.due()).toEqual([
    { accountId: 1, maxEvents: 166 },
    { accountId: 2, maxEvents: 500 },
  ])
})
