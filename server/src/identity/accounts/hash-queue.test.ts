/** Tests that hashing is bounded and shared between known browsers, known networks and anonymous clients. */
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { createHashQueue, type HashShare } from './hash-queue.ts'

afterEach(() => vi.useRealTimers())

/** Starts two hashes that run until the test finishes them, and records the order in which others start. */
function busyQueue() {
  const enqueue = createHashQueue(2)
  const started: string[] = []
  const resolvers: Array<() => void> = []
  const run = (kind: HashShare['kind'], owner: string): Promise<string> =>
    enqueue({ kind, owner }, async () => {
      started.push(`${kind} ${owner}`)
      await new Promise<void>((resolve) => resolvers.push(resolve))
      return 'hashed'
    }).catch((error: Error) => error.message)
  const first = [run('anonymous', 'a'), run('anonymous', 'b')]
  started.length = 0
  return {
    run,
    started,
    /** Finishes the oldest hash, which starts the next one. */
    finish: async (times = 1): Promise<void> => {
      for (; times > 0; times--) {
        resolvers.shift()?.()
        await setImmediate()
      }
    },
    first,
  }
}

test('kinds alternate, and so do the owners of a kind', async () => {
  const { run, started, finish } = busyQueue()
  for (const owner of ['a', 'a', 'a', 'b']) void run('anonymous', owner)
  for (const owner of ['1', '1', '2']) void run('network', owner)
  void run('device', '1')
  await finish(8)
  expect(started).toEqual([
    'device 1',
    'network 1',
    'anonymous a',
    'network 2',
    'anonymous b',
    'network 1',
    'anonymous a',
    'anonymous a',
  ])
})

test('anonymous clients on many networks delay a known browser by at most one round', async () => {
  const { run, started, finish } = busyQueue()
  for (let network = 0; network < 100; network++) void run('anonymous', `network ${network}`)
  await finish(10)
  void run('device', '1')
  void run('network', '2')
  await finish(3)
  expect(started.slice(10)).toContain('device 1')
  expect(started.slice(10)).toContain('network 2')
})

test('a full queue rejects the newest call of the owner with the most waiting calls', async () => {
  const { run, started, finish } = busyQueue()
  const greedy = Array.from({ length: 100 }, () => run('anonymous', 'greedy'))
  expect(await run('anonymous', 'greedy')).toMatch(/^Too many concurrent sign-ins/)
  void run('anonymous', 'single')
  expect(await greedy.at(-1)).toMatch(/^Too many concurrent sign-ins/)
  await finish(2)
  expect(started).toEqual(['anonymous greedy', 'anonymous single'])
})

test('a queue full of anonymous clients does not reject a known network', async () => {
  const { run, started, finish } = busyQueue()
  for (let network = 0; network < 100; network++) void run('anonymous', `network ${network}`)
  expect(await run('anonymous', 'one more')).toMatch(/^Too many concurrent sign-ins/)
  void run('network', '1')
  await finish(2)
  expect(started).toContain('network 1')
})

test('a waiting call times out', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { run, started, finish } = busyQueue()
  const waiting = run('device', '1')
  vi.advanceTimersByTime(19_999)
  const later = run('device', '2')
  vi.advanceTimersByTime(1)
  expect(await waiting).toMatch(/^Too many concurrent sign-ins/)
  await finish()
  expect(started).toEqual(['device 2'])
  await finish(2)
  expect(await later).toBe('hashed')
})
