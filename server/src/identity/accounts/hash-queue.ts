/**
 * Who may hash next. A hash takes tens of milliseconds and 19 MiB, so few run at once and the others wait, each class in a
 * bounded queue of its own. Classes take turns, and within a class its owners do: a flood of strangers, however many
 * networks it comes from, leaves known browsers and known networks two of three turns. If a queue is full, the
 * owner with the most waiting loses one, so whoever sends one call is not pushed out by whoever sends many.
 */
import { Refusal } from '../../model/errors.ts'

const classes = ['device', 'network', 'stranger'] as const

export interface HashShare {
  kind: (typeof classes)[number]
  /** Who waits: a login, or a network of strangers. */
  owner: string
}

export type HashQueue = <T>(share: HashShare, task: () => Promise<T>) => Promise<T>

interface Waiter {
  begin: () => void
  turnAway: () => void
}

type Queue = Map<string, Waiter[]>

const maxWaiting = 100
/** A full queue takes about two seconds on an idle core; a client still waits for its response after this. */
const maxWaitMs = 20_000

export function createHashQueue(maxRunning: number): HashQueue {
  const queues = new Map<HashShare['kind'], Queue>(classes.map((kind) => [kind, new Map()]))
  let running = 0

  function startNext(): void {
    for (const [kind, queue] of queues) {
      const [owner, waiting] = queue.entries().next().value ?? []
      const next = waiting?.[0]
      if (owner === undefined || waiting === undefined || next === undefined) continue
      // Both the class and the owner go to the end of their line.
      queues.delete(kind)
      queues.set(kind, queue)
      queue.delete(owner)
      if (waiting.length > 1) queue.set(owner, waiting)
      next.begin()
      return
    }
    running--
  }

  function turnOf({ kind, owner }: HashShare): Promise<void> {
    const queue = queues.get(kind) ?? new Map()
    if (countOf(queue) >= maxWaiting) makeRoom(queue, owner)
    return new Promise((resolve, reject) => {
      const waiting = queue.get(owner) ?? []
      const leave = (): void => {
        clearTimeout(timer)
        waiting.splice(waiting.indexOf(waiter), 1)
        if (waiting.length === 0 && queue.get(owner) === waiting) queue.delete(owner)
      }
      const waiter: Waiter = {
        begin: () => {
          leave()
          resolve()
        },
        turnAway: () => {
          leave()
          reject(tooManyAtOnce())
        },
      }
      const timer = setTimeout(waiter.turnAway, maxWaitMs)
      waiting.push(waiter)
      queue.set(owner, waiting)
    })
  }

  return async (share, task) => {
    if (running >= maxRunning) await turnOf(share)
    else running++
    try {
      return await task()
    } finally {
      startNext()
    }
  }
}

/** Turns the newest call of the greediest owner away, or refuses the new one if its own owner is that. */
function makeRoom(queue: Queue, owner: string): void {
  const own = (queue.get(owner)?.length ?? 0) + 1
  const [greediest] = [...queue.values()].toSorted((a, b) => b.length - a.length)
  if (greediest === undefined || greediest.length <= own) throw tooManyAtOnce()
  greediest.at(-1)?.turnAway()
}

function countOf(queue: Queue): number {
  return [...queue.values()].reduce((count, waiting) => count + waiting.length, 0)
}

function tooManyAtOnce(): Refusal {
  return new Refusal('unavailable', 'Too many logins at once. Try again in a moment, or use an API key.', {
    retryAfterSeconds: 2,
  })
}
