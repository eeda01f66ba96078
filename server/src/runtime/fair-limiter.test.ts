import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFairLimiter, LimiterTimeout } from './fair-limiter.ts'

/** Creates a task that runs until the test ends it. */
function createBlockedTask() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { task: () => promise, end: resolve }
}

test('all tasks run, within the total limit and the limit per owner', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.record({ owner: fc.integer({ min: 1, max: 3 }), fails: fc.boolean() }), { maxLength: 30 }),
      async (maxConcurrent, maxConcurrentPerOwner, tasks) => {
        const limiter = createFairLimiter({ maxConcurrent, maxConcurrentPerOwner, timeoutMs: 10_000 })
        const running: number[] = []
        let done = 0
        const results = await Promise.allSettled(
          tasks.map(({ owner, fails }) =>
            limiter.run(owner, async () => {
              running.push(owner)
              expect(running.length).toBeLessThanOrEqual(maxConcurrent)
              expect(running.filter((runningOwner) => runningOwner === owner).length).toBeLessThanOrEqual(
                maxConcurrentPerOwner,
              )
              await Promise.resolve()
              running.splice(running.indexOf(owner), 1)
              done++
              if (fails) throw new Error('expected failure')
              return owner
            }),
          ),
        )
        expect(done).toBe(tasks.length)
        expect(results.map(({ status }) => status)).toEqual(
          tasks.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
        )
      },
    ),
    { numRuns: 200 },
  )
})

test('an owner with many tasks does not delay an owner with one task', async () => {
  const limiter = createFairLimiter({ maxConcurrent: 1, maxConcurrentPerOwner: 1, timeoutMs: 10_000 })
  const order: number[] = []
  const run = (owner: number) => limiter.run(owner, async () => void order.push(owner))
  await Promise.all([...Array.from({ length: 5 }, () => run(1)), run(2), run(3)])
  expect(order).toEqual([1, 2, 3, 1, 1, 1, 1])
})

test('an owner gets at most its slots and leaves the others free', async () => {
  const limiter = createFairLimiter({ maxConcurrent: 3, maxConcurrentPerOwner: 2, timeoutMs: 10_000 })
  const blocked = [createBlockedTask(), createBlockedTask()]
  const first = blocked.map(({ task }) => limiter.run(1, task))
  let hasThird = false
  const third = limiter.run(1, async () => {
    hasThird = true
  })
  await limiter.run(2, async () => {})
  expect(hasThird).toBe(false)
  blocked[0]?.end()
  await third
  blocked[1]?.end()
  await Promise.all(first)
})

test('a task that waits too long is rejected, does not run later and does not block others', async () => {
  const limiter = createFairLimiter({ maxConcurrent: 1, maxConcurrentPerOwner: 1, timeoutMs: 50 })
  const { task, end } = createBlockedTask()
  const first = limiter.run(1, task)
  let isRun = false
  await expect(
    limiter.run(1, async () => {
      isRun = true
    }),
  ).rejects.toThrow(LimiterTimeout)
  end()
  await first
  await sleep(20)
  expect(isRun).toBe(false)
  await expect(limiter.run(1, async () => 'next')).resolves.toBe('next')
})

/** Creates a limiter on a fake clock and records when tasks of each owner end. */
function createTimedLimiter({
  burstMs,
  costOf = (durationMs) => durationMs,
  ...limits
}: {
  maxConcurrentPerOwner: number
  timeoutMs: number
  burstMs: number
  costOf?: (durationMs: number, result: unknown) => number
}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const share = { burstMs, costMs: costOf }
  const limiter = createFairLimiter({ maxConcurrent: 4, share, ...limits })
  const ends: Array<[owner: number, at: number]> = []
  return {
    ends,
    run: (owner: number, ms: number, result?: string): void =>
      void limiter
        .run(owner, () => new Promise((resolve) => setTimeout(() => resolve(result), ms)))
        .then(() => ends.push([owner, performance.now()]))
        .catch((error: unknown) =>
          ends.push([error instanceof LimiterTimeout ? -owner : 0, performance.now()]),
        ),
  }
}

test('an owner gets as much task time as elapses plus a burst, and other owners do not wait', async () => {
  const { run, ends } = createTimedLimiter({ maxConcurrentPerOwner: 4, timeoutMs: 10_000, burstMs: 100 })
  // Four concurrent tasks use 200 ms, 100 of them from the burst. Owner 1 is over its share until 150.
  for (let count = 0; count < 4; count++) run(1, 50)
  await vi.advanceTimersByTimeAsync(60)
  run(1, 50)
  run(2, 50)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends.map(([owner]) => owner)).toEqual([1, 1, 1, 1, 2, 1])
  expect(ends[4]?.[1]).toBe(110)
  expect(ends[5]?.[1]).toSatisfy((at: number) => at >= 200 && at <= 205)
  // The burst is available again after a while.
  const laterAt = performance.now()
  for (let count = 0; count < 2; count++) run(1, 50)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends.slice(6)).toEqual([
    [1, laterAt + 50],
    [1, laterAt + 50],
  ])
})

test('an owner over its share stays queued until the timeout', async () => {
  const { run, ends } = createTimedLimiter({ maxConcurrentPerOwner: 1, timeoutMs: 50, burstMs: 10 })
  run(1, 200)
  await vi.advanceTimersByTimeAsync(200)
  run(1, 10)
  run(2, 10)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends).toEqual([
    [1, 200],
    [2, 210],
    [-1, 250],
  ])
})

test('an owner that timed out runs again once its share is available', async () => {
  const { run, ends } = createTimedLimiter({ maxConcurrentPerOwner: 1, timeoutMs: 150, burstMs: 10 })
  run(1, 200)
  await vi.advanceTimersByTimeAsync(200)
  run(1, 10)
  await vi.advanceTimersByTimeAsync(160)
  run(1, 10)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends).toEqual([
    [1, 200],
    [-1, 350],
    [1, 401],
  ])
})

test('the cost of a task can differ from its duration and depend on its result', async () => {
  const { run, ends } = createTimedLimiter({
    maxConcurrentPerOwner: 1,
    timeoutMs: 10_000,
    burstMs: 100,
    costOf: (durationMs, result) => (result === 'expensive' ? 5 * durationMs : 0),
  })
  run(1, 100, 'expensive')
  run(1, 100)
  await vi.advanceTimersByTimeAsync(2_000)
  // The first task costs 500 ms, 100 of them from the burst.
  expect(ends).toEqual([
    [1, 100],
    [1, 601],
  ])
  for (let count = 0; count < 3; count++) run(2, 1_000)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(ends.slice(2)).toEqual([
    [2, 3_000],
    [2, 4_000],
    [2, 5_000],
  ])
})

/** CPU time of this thread, in microseconds: other processes on the machine do not count. */
async function cpuTimeFor(owners: number): Promise<number> {
  const limiter = createFairLimiter({
    maxConcurrent: Number.POSITIVE_INFINITY,
    maxConcurrentPerOwner: 4,
    timeoutMs: 60_000,
  })
  const before = process.threadCpuUsage()
  const { promise: blocked, resolve: release } = Promise.withResolvers<void>()
  const tasks = Array.from({ length: owners }, (_, owner) => limiter.run(owner, () => blocked))
  release()
  await Promise.all(tasks)
  return process.threadCpuUsage(before).user
}

test('the CPU time for tasks of many owners grows linearly, not quadratically', async () => {
  vi.useRealTimers()
  const times = [await cpuTimeFor(200_000), await cpuTimeFor(200_000), await cpuTimeFor(200_000)]
  // Takes about 0.4 s. If each task looked at all owners, it would take minutes.
  expect(Math.min(...times)).toBeLessThan(3_000_000)
}, 120_000)
