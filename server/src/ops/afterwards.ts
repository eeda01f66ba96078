/**
 * Work that an answer does not wait for, so that the time it takes tells nobody anything. It runs soon after, a few at a
 * time; a flood of it is cut off rather than piled up. Stopping waits for what is left, within reason.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** False: too much is waiting, and the task is dropped. */
export type Afterwards = (task: () => Promise<unknown>) => boolean

const mostAtOnce = 2
const mostWaiting = 200
const graceMs = 10_000

export function createAfterwards(onError: (error: unknown) => void): {
  run: Afterwards
  stop: () => Promise<void>
} {
  const waiting: Array<() => Promise<unknown>> = []
  const lanes = new Set<Promise<void>>()

  async function workOff(): Promise<void> {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await task().catch(onError)
  }

  function openLane(): void {
    if (waiting.length === 0 || lanes.size >= mostAtOnce) return
    const lane = workOff().finally(() => lanes.delete(lane))
    lanes.add(lane)
  }

  return {
    run(task) {
      if (waiting.length >= mostWaiting) {
        onError(new Error('too much is waiting to be done after answers'))
        return false
      }
      waiting.push(task)
      setImmediate(openLane)
      return true
    },
    async stop() {
      openLane()
      await Promise.race([Promise.all(lanes), sleep(graceMs, undefined, { ref: false })])
    },
  }
}
