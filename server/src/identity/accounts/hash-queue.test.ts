/** Turns for hashing: shared between known browsers, known networks and strangers, and bounded. */
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { createHashQueue, type HashShare } from './hash-queue.ts'

afterEach(() => vi.useRealTimers())

/** Two hashes that run until they are told to end, and the order in which the others begin. */
function busyQueue() {
  const inTurn = createHashQueue(2)
  const begun: string[] = []
  const ends: Array<() => void> = []
  const run = (kind: HashShare['kind'], owner: string): Promise<string> =>
    inTurn({ kind, owner }, async () => {
      begun.push(`${kind} ${owner}`)
      await new Promise<void>((resolve) => ends.push(resolve))
      return 'hashed'
    }).catch((error: Error) => error.message)
  const first = [run('stranger', 'a'), run('stranger', 'b')]
  begun.length = 0
  return {
    run,
    begun,
    /** Ends the oldest one, so that the next begins. */
    end: async (times = 1): Promise<void> => {
      for (; times > 0; times--) {
        ends.shift()?.()
        await setImmediate()
      }
    },
    first,
  }
}

test('classes take turns, and so do the owners of a class', async () => {
  const { run, begun, end } = busyQueue()
  for (const owner of ['a', 'a', 'a', 'b']) void run('stranger', owner)
  for (const owner of ['1', '1', '2']) void run('network', owner)
  void run('device', '1')
  await end(8)
  expect(begun).toEqual([
    'device 1',
    'network 1',
    'stranger a',
    'network 2',
    'stranger b',
    'network 1',
    'stranger a',
    'stranger a',
  ])
})

test('strangers on any number of networks do not keep a known browser waiting for more than a turn', async () => {
  const { run, begun, end } = busyQueue()
  for (let network = 0; network < 100; network++) void run('stranger', `network ${network}`)
  await end(10)
  void run('device', '1')
  void run('network', '2')
  await end(3)
  expect(begun.slice(10)).toContain('device 1')
  expect(begun.slice(10)).toContain('network 2')
})

test('a full queue turns away the newest call of the owner with the most waiting', async () => {
  const { run, begun, end } = busyQueue()
  const greedy = Array.from({ length: 100 }, () => run('stranger', 'greedy'))
  expect(await run('stranger', 'greedy')).toMatch(/^Too many logins at once/)
  void run('stranger', 'single')
  expect(await greedy.at(-1)).toMatch(/^Too many logins at once/)
  await end(2)
  expect(begun).toEqual(['stranger greedy', 'stranger single'])
})

test('a full queue of strangers turns no known network away', async () => {
  const { run, begun, end } = busyQueue()
  for (let network = 0; network < 100; network++) void run('stranger', `network ${network}`)
  expect(await run('stranger', 'one more')).toMatch(/^Too many logins at once/)
  void run('network', '1')
  await end(2)
  expect(begun).toContain('network 1')
})

test('a call waits for a bounded time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { run, begun, end } = busyQueue()
  const waiting = run('device', '1')
  vi.advanceTimersByTime(19_999)
  const later = run('device', '2')
  vi.advanceTimersByTime(1)
  expect(await waiting).toMatch(/^Too many logins at once/)
  await end()
  expect(begun).toEqual(['device 2'])
  await end(2)
  expect(await later).toBe('hashed')
})
