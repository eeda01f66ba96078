import { expect, test } from 'vitest'
import { createOutageWatch } from './outage.ts'

test('an outage lasts until another hook is reached, and starts again after ten minutes', () => {
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
