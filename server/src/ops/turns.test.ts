import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
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
