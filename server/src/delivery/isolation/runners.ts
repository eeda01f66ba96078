/**
 * Starts isolated processes on demand: a shared one that is kept for further jobs, and dedicated ones. A shared
 * process that died is replaced on next use.
 */
import { type Runner, type RunnerOptions, startRunner } from './runner.ts'

export interface Runners {
  /** If the shared process crashes, any of its jobs may be the cause. */
  shared: () => Promise<Runner>
  /** A dedicated process for one job. The caller stops it. */
  alone: () => Promise<Runner>
  stop: () => void
}

/** An unused process is stopped after this time. */
const idleMs = 30_000
/** Limits leaks: the process is replaced after this many jobs. */
const maxJobs = 2_000

export function createRunners(options: RunnerOptions): Runners {
  let current: Runner | undefined
  let starting: Promise<Runner> | undefined
  let idleTimer: NodeJS.Timeout | undefined
  const dedicated = new Set<Runner>()

  function stopIfIdle(): void {
    if (current === undefined) return
    if (current.pending() > 0) return restartIdleTimer()
    current.stop()
    current = undefined
  }

  function restartIdleTimer(): void {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(stopIfIdle, idleMs).unref()
  }

  async function replace(): Promise<Runner> {
    current?.stop()
    current = await startRunner(options)
    return current
  }

  return {
    async shared() {
      restartIdleTimer()
      if (starting !== undefined) return starting
      const isExhausted = current !== undefined && current.jobs() >= maxJobs && current.pending() === 0
      if (current?.isAlive() && !isExhausted) return current
      starting = replace().finally(() => (starting = undefined))
      return starting
    },
    async alone() {
      const runner = await startRunner(options)
      for (const other of dedicated) if (!other.isAlive()) dedicated.delete(other)
      dedicated.add(runner)
      return runner
    },
    stop() {
      clearTimeout(idleTimer)
      current?.stop()
      for (const runner of dedicated) runner.stop()
    },
  }
}
