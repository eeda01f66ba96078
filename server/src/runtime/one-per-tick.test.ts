import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createOnePerTick } from './one-per-tick.ts'

test('promises resolve in order, each in a separate iteration of the event loop, also after a pause', async () => {
  const onePerTick = createOnePerTick()
  let iteration = 0
  const count = (): void => {
    iteration++
    if (iteration < 100) setImmediate(count)
  }
  setImmediate(count)
  const resolvedAt: number[] = []
  const record = async (): Promise<void> => {
    await onePerTick()
    resolvedAt.push(iteration)
  }
  await Promise.all([record(), record(), record()])
  await nextIteration()
  await Promise.all([record(), record()])
  expect(resolvedAt).toHaveLength(5)
  expect(new Set(resolvedAt).size).toBe(5)
  expect(resolvedAt).toEqual(resolvedAt.toSorted((a, b) => a - b))
})
