import { expect, test } from 'vitest'
import { createOutageWatch } from './outage.ts'

test('it is an outage until another hook has been reached, and again ten minutes later', () => {
  let now = 0
  const watch = createOutageWatch(() => now)
  expect(watch.isOutage(1)).toBe(true)
  watch.reached(1)
  watch.reached(1)
  expect(watch.isOutage(1)).toBe(true)
  expect(watch.isOutage(2)).toBe(false)
  watch.reached(2)
  watch.reached(1)
  expect(watch.isOutage(1)).toBe(false)
  now = 10 * 60_000
  expect(watch.isOutage(1)).toBe(false)
  now++
  expect(watch.isOutage(1)).toBe(true)
})
