/**
 * Runs tasks after a response, so response times reveal nothing about them. Runs a few concurrently. Rejects tasks
 * beyond a limit instead of queueing them. Stopping waits for the remaining ones, up to a limit.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** Returns false if the queue is full and the task was dropped. */
export type RunInBackground = (task: () => Promise<unknown>) => boolean

const maxConcurrent = 2
const maxQueued = 200
const graceMs = 10_000

export function createBackgroundTasks(onError: (error: unknown) => void): {
  run: RunInBackground
  stop: () => Promise<void>
} {
  const queue: Array<() => Promise<unknown>> = []
  const runners = new Set<Promise<void>>()

  async function drainQueue(): Promise<void> {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) await task().catch(onError)
  }

  function startRunner(): void {
    if (queue.length === 0 || runners.size >= maxConcurrent) return
    const runner = drainQueue().finally(() => runners.delete(runner))
    runners.add(runner)
  }

  return {
    run(task) {
      if (queue.length >= maxQueued) {
        onError(new Error('background task queue is full'))
        return false
      }
      queue.push(task)
      setImmediate(startRunner)
      return true
    },
    async stop() {
      startRunner()
      await Promise.race([Promise.all(runners), sleep(graceMs, undefined, { ref: false })])
    },
  }
}
