/**
 * Isolated processes as they are needed: one that is shared and kept for the next jobs, and new ones for jobs that must be
 * alone. A shared one that died is replaced when it is needed again.
 */
import { type Runner, type RunnerOptions, startRunner } from './runner.ts'

export interface Runners {
  /** If it crashes, any of the jobs it had may be the cause. */
  shared: () => Promise<Runner>
  /** For one job; whoever asked stops it. */
  alone: () => Promise<Runner>
  stop: () => void
}

/** A process that nobody needs is not kept for longer. */
const idleMs = 30_000
/** Whatever a process may leak ends with it. */
const maxJobs = 2_000

export function createRunners(options: RunnerOptions): Runners {
  let current: Runner | undefined
  let starting: Promise<Runner> | undefined
  let idleTimer: NodeJS.Timeout | undefined
  const aloneOnes = new Set<Runner>()

  function endIdle(): void {
    if (current === undefined) return
    if (current.pending() > 0) return keepForNow()
    current.stop()
    current = undefined
  }

  function keepForNow(): void {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(endIdle, idleMs).unref()
  }

  async function replace(): Promise<Runner> {
    current?.stop()
    current = await startRunner(options)
    return current
  }

  return {
    async shared() {
      keepForNow()
      if (starting !== undefined) return starting
      const isWorn = current !== undefined && current.jobs() >= maxJobs && current.pending() === 0
      if (current?.isAlive() && !isWorn) return current
      starting = replace().finally(() => (starting = undefined))
      return starting
    },
    async alone() {
      const runner = await startRunner(options)
      for (const other of aloneOnes) if (!other.isAlive()) aloneOnes.delete(other)
      aloneOnes.add(runner)
      return runner
    },
    stop() {
      clearTimeout(idleTimer)
      current?.stop()
      for (const runner of aloneOnes) runner.stop()
    },
  }
}
