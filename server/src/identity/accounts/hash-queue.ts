/**
 * Schedules password hashes. A hash takes tens of milliseconds and 19 MiB, so few run at once. Other tasks wait in a
 * bounded queue per class. Scheduling is round-robin between classes, and between owners within a class. A flood of
 * anonymous callers from any number of networks leaves two of three slots to known browsers and known networks. If a
 * queue is full, the owner with the most waiting tasks loses one, so that owners with a single task keep it.
 */
import { ApiError } from '../../model/errors.ts'

const classes = ['device', 'network', 'anonymous'] as const

export interface HashShare {
  kind: (typeof classes)[number]
  /** A login, or a network of anonymous callers. */
  owner: string
}

export type HashQueue = <T>(share: HashShare, task: () => Promise<T>) => Promise<T>

interface Waiter {
  start: () => void
  reject: () => void
}

type Queue = Map<string, Waiter[]>

const maxWaiting = 100
/** Below common client timeouts. An idle core processes a full queue in about two seconds. */
const maxWaitMs = 20_000

export function createHashQueue(maxRunning: number): HashQueue {
  const queues = new Map<HashShare['kind'], Queue>(classes.map((kind) => [kind, new Map()]))
  let running = 0

  function startNext(): void {
    for (const [kind, queue] of queues) {
      const [owner, waiting] = queue.entries().next().value ?? []
      const next = waiting?.[0]
      if (owner === undefined || waiting === undefined || next === undefined) continue
      // Moves the class and the owner to the end of their queues.
      queues.delete(kind)
      queues.set(kind, queue)
      queue.delete(owner)
      if (waiting.length > 1) queue.set(owner, waiting)
      next.start()
      return
    }
    running--
  }

  function waitForSlot({ kind, owner }: HashShare): Promise<void> {
    const queue = queues.get(kind) ?? new Map()
    if (countOf(queue) >= maxWaiting) evictOne(queue, owner)
    return new Promise((resolve, reject) => {
      const waiting = queue.get(owner) ?? []
      const leave = (): void => {
        clearTimeout(timer)
        waiting.splice(waiting.indexOf(waiter), 1)
        if (waiting.length === 0 && queue.get(owner) === waiting) queue.delete(owner)
      }
      const waiter: Waiter = {
        start: () => {
          leave()
          resolve()
        },
        reject: () => {
          leave()
          reject(hashQueueFull())
        },
      }
      const timer = setTimeout(waiter.reject, maxWaitMs)
      waiting.push(waiter)
      queue.set(owner, waiting)
    })
  }

  return async (share, task) => {
    if (running >= maxRunning) await waitForSlot(share)
    else running++
    try {
      return await task()
    } finally {
      startNext()
    }
  }
}

/** Rejects the newest task of the owner with the most tasks, which can be the new task itself. */
function evictOne(queue: Queue, owner: string): void {
  const ownCount = (queue.get(owner)?.length ?? 0) + 1
  const [longest] = [...queue.values()].toSorted((a, b) => b.length - a.length)
  if (longest === undefined || longest.length <= ownCount) throw hashQueueFull()
  longest.at(-1)?.reject()
}

function countOf(queue: Queue): number {
  return [...queue.values()].reduce((count, waiting) => count + waiting.length, 0)
}

function hashQueueFull(): ApiError {
  return new ApiError('unavailable', 'Too many concurrent sign-ins. Retry later, or use an API key.', {
    retryAfterSeconds: 2,
  })
}
