/** Runs a task again and again, never twice at once. The answer stops it and waits for a run under way. */
export function every(
  intervalMs: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  return repeat(intervalMs, task, onError).stop
}

/** As `every`, and a first time now: for what is due so rarely that a process may not live to see it. */
export function nowAndEvery(
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
