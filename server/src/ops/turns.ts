/**
 * Lets few tasks run at once, and of one owner fewer still. Owners whose tasks wait are taken by turns, so that one with
 * many does not stand before another with one.
 */
interface Limits {
  atOnce: number
  atOnceOfOwner: number
  patienceMs: number
}

interface Owner {
  running: number
  waiting: Array<() => void>
}

/** It was not a task's turn while its owner was willing to wait. */
export class NoTurn extends Error {}

export interface Turns {
  run: <T>(owner: number, task: () => Promise<T>) => Promise<T>
}

export function createTurns({ atOnce, atOnceOfOwner, patienceMs }: Limits): Turns {
  /** Those who have tasks; who began or ended one last stands at the end. */
  const owners = new Map<number, Owner>()
  let running = 0

  function giveTurns(): void {
    while (running < atOnce) {
      const next = [...owners].find(([, own]) => own.waiting.length > 0 && own.running < atOnceOfOwner)
      if (next === undefined) return
      const [id, own] = next
      moveToEnd(id, own)
      running++
      own.running++
      own.waiting.shift()?.()
    }
  }

  function leave(id: number, own: Owner): void {
    running--
    own.running--
    moveToEnd(id, own)
    forgetIdle(id, own)
    giveTurns()
  }

  function moveToEnd(id: number, own: Owner): void {
    owners.delete(id)
    owners.set(id, own)
  }

  function forgetIdle(id: number, own: Owner): void {
    if (own.running === 0 && own.waiting.length === 0) owners.delete(id)
  }

  function turnOf(id: number, own: Owner): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        own.waiting.splice(own.waiting.indexOf(begin), 1)
        forgetIdle(id, own)
        reject(new NoTurn())
      }, patienceMs)
      own.waiting.push(begin)
      giveTurns()
    })
  }

  return {
    async run(id, task) {
      const own = owners.get(id) ?? { running: 0, waiting: [] }
      owners.set(id, own)
      await turnOf(id, own)
      try {
        return await task()
      } finally {
        leave(id, own)
      }
    },
  }
}
