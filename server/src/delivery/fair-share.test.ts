import { expect, test } from 'vitest'
import { createFairShare } from './fair-share.ts'

function setup() {
  const state = { ms: 0, isBusy: true }
  const share = createFairShare(
    () => state.ms,
    () => state.isBusy,
  )
  const attempt = (accountId: number, times: number): void => {
    for (let count = 0; count < times; count++) share.count(accountId)
  }
  return { state, share, attempt }
}

test('an account with far more attempts than the others is over its share while the worker is busy', () => {
  const { state, share, attempt } = setup()
  attempt(1, 500)
  for (let other = 2; other <= 20; other++) attempt(other, 5)
  expect(share.over()).toEqual([1])
  expect(share.isOverShare(2)).toBe(false)
  state.isBusy = false
  expect(share.over()).toEqual([])
})

test('a single account, or many accounts with equal load, are never over their share', () => {
  const alone = setup()
  alone.attempt(1, 5_000)
  expect(alone.share.over()).toEqual([])
  const many = setup()
  for (let account = 1; account <= 30; account++) many.attempt(account, 300)
  expect(many.share.over()).toEqual([])
})

test('an account with few attempts per second is never over its share, even if the others have fewer', () => {
  const { share, attempt } = setup()
  attempt(1, 50)
  for (let other = 2; other <= 20; other++) attempt(other, 1)
  expect(share.over()).toEqual([])
})

test('an account stays over its share until the next second ends', () => {
  const { state, share, attempt } = setup()
  attempt(1, 500)
  for (let other = 2; other <= 20; other++) attempt(other, 5)
  state.ms = 1_100
  expect(share.over()).toEqual([1])
  state.ms = 2_300
  expect(share.over()).toEqual([])
  state.ms = 60_000
  expect(share.over()).toEqual([])
})

test('a check costs the same however many accounts there are', () => {
  const { share } = setup()
  for (let account = 0; account < 50_000; account++) share.count(account)
  const { user } = process.cpuUsage()
  for (let account = 0; account < 50_000; account++) share.isOverShare(account)
  // Takes about 20 ms. If each check looked at every account, it would take minutes.
  expect(process.cpuUsage().user - user).toBeLessThan(2_000_000)
})
