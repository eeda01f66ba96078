import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTurns, NoTurn } from './turns.ts'

/** A task that runs until it is told to end. */
function heldTask() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { task: () => promise, end: resolve }
}

test('all are run, never more at once than may be, of all and of one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.record({ owner: fc.integer({ min: 1, max: 3 }), fails: fc.boolean() }), { maxLength: 30 }),
      async (atOnce, atOnceOfOwner, tasks) => {
        const turns = createTurns({ atOnce, atOnceOfOwner, patienceMs: 10_000 })
        const running: number[] = []
        let done = 0
        const results = await Promise.allSettled(
          tasks.map(({ owner, fails }) =>
            turns.run(owner, async () => {
              running.push(owner)
              expect(running.length).toBeLessThanOrEqual(atOnce)
              expect(running.filter((one) => one === owner).length).toBeLessThanOrEqual(atOnceOfOwner)
              await Promise.resolve()
              running.splice(running.indexOf(owner), 1)
              done++
              if (fails) throw new Error('as planned')
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

test('an owner with many does not stand before one with one', async () => {
  const turns = createTurns({ atOnce: 1, atOnceOfOwner: 1, patienceMs: 10_000 })
  const order: number[] = []
  const run = (owner: number) => turns.run(owner, async () => void order.push(owner))
  await Promise.all([...Array.from({ length: 5 }, () => run(1)), run(2), run(3)])
  expect(order).toEqual([1, 2, 3, 1, 1, 1, 1])
})

test('an owner has its places, and leaves the others to others', async () => {
  const turns = createTurns({ atOnce: 3, atOnceOfOwner: 2, patienceMs: 10_000 })
  const held = [heldTask(), heldTask()]
  const first = held.map(({ task }) => turns.run(1, task))
  let hasThird = false
  const third = turns.run(1, async () => {
    hasThird = true
  })
  await turns.run(2, async () => {})
  expect(hasThird).toBe(false)
  held[0]?.end()
  await third
  held[1]?.end()
  await Promise.all(first)
})

test('who waits too long is told, is not run later, and takes nothing from the others', async () => {
  const turns = createTurns({ atOnce: 1, atOnceOfOwner: 1, patienceMs: 50 })
  const { task, end } = heldTask()
  const first = turns.run(1, task)
  let isRun = false
  await expect(
    turns.run(1, async () => {
      isRun = true
    }),
  ).rejects.toThrow(NoTurn)
  end()
  await first
  await sleep(20)
  expect(isRun).toBe(false)
  await expect(turns.run(1, async () => 'next')).resolves.toBe('next')
})

/** On a clock that only the test moves. Returns when tasks of an owner ended. */
function timedTurns({
  burstMs,
  costOf = (tookMs) => tookMs,
  ...limits
}: {
  atOnceOfOwner: number
  patienceMs: number
  burstMs: number
  costOf?: (tookMs: number, result: unknown) => number
}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const share = { burstMs, costMs: costOf }
  const turns = createTurns({ atOnce: 4, share, ...limits })
  const ends: Array<[owner: number, at: number]> = []
  return {
    ends,
    run: (owner: number, ms: number, result?: string): void =>
      void turns
        .run(owner, () => new Promise((resolve) => setTimeout(() => resolve(result), ms)))
        .then(() => ends.push([owner, performance.now()]))
        .catch((error: unknown) => ends.push([error instanceof NoTurn ? -owner : 0, performance.now()])),
  }
}

test('tasks of an owner take as much time as passes, and a burst more; other owners do not wait', async () => {
  const { run, ends } = timedTurns({ atOnceOfOwner: 4, patienceMs: 10_000, burstMs: 100 })
  // Four at once take 200 ms, of which 100 are the burst: until 150 owner 1 has used its share up.
  for (let count = 0; count < 4; count++) run(1, 50)
  await vi.advanceTimersByTimeAsync(60)
  run(1, 50)
  run(2, 50)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends.map(([owner]) => owner)).toEqual([1, 1, 1, 1, 2, 1])
  expect(ends[4]?.[1]).toBe(110)
  expect(ends[5]?.[1]).toSatisfy((at: number) => at >= 200 && at <= 205)
  // The burst is there again after a while.
  const laterAt = performance.now()
  for (let count = 0; count < 2; count++) run(1, 50)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends.slice(6)).toEqual([
    [1, laterAt + 50],
    [1, laterAt + 50],
  ])
})

test('an owner that used its share up keeps its place until it is willing to wait no longer', async () => {
  const { run, ends } = timedTurns({ atOnceOfOwner: 1, patienceMs: 50, burstMs: 10 })
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

test('the cost of a task can be more or less than the time it took, and depend on its result', async () => {
  const { run, ends } = timedTurns({
    atOnceOfOwner: 1,
    patienceMs: 10_000,
    burstMs: 100,
    costOf: (tookMs, result) => (result === 'dear' ? 5 * tookMs : 0),
  })
  run(1, 100, 'dear')
  run(1, 100)
  await vi.advanceTimersByTimeAsync(2_000)
  // 500 ms are charged for the first, of which 100 are the burst.
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
