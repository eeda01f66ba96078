import { expect, test } from 'vitest'
import { createWakeableSleep } from './wakeable-sleep.ts'

const long = 10_000

test('a sleep lasts its time', async () => {
  const startedAt = performance.now()
  await createWakeableSleep().sleep(30)
  expect(performance.now() - startedAt).toBeGreaterThan(25)
})

test('a wake ends the sleep, and only that one', async () => {
  const { sleep, wake } = createWakeableSleep()
  const sleeping = sleep(long)
  wake()
  wake()
  await sleeping
  const startedAt = performance.now()
  await sleep(30)
  expect(performance.now() - startedAt).toBeGreaterThan(25)
})

test('a wake before a sleep ends that sleep at once', async () => {
  const { sleep, wake } = createWakeableSleep()
  wake()
  const startedAt = performance.now()
  await sleep(long)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
