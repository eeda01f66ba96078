/** Runs a task at an interval, never concurrently. The returned function stops it and waits for a running task. */
export function startInterval(
  intervalMs: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  return repeat(intervalMs, task, onError).stop
}

/** Like `startInterval`, with a first run now: for tasks so rare that a process may stop before the first interval. */
export function startIntervalNow(
  intervalMs: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const { run, stop } = repeat(intervalMs, task, onError)
  run()
  return stop
}

function repeat(intervalMs: number, task: () => Promise<unknown>, onError: (error: unknown) => void) {
  let running: Promise<unknown> = Promise.resolve()
  let isRunning = false
  const run = (): void => {
    if (isRunning) return
    isRunning = true
    running = task()
      .catch(onError)
      .finally(() => {
        isRunning = false
      })
  }
  const timer = setInterval(run, intervalMs)
  return {
    run,
    stop: async (): Promise<void> => {
      clearInterval(timer)
      await running
    },
  }
}
