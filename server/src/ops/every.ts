/** Runs a task again and again, never twice at once. The answer stops it and waits for a run under way. */
export function every(
  intervalMs: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    running = task()
      .catch(onError)
      .finally(() => {
        isRunning = false
      })
  }, intervalMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
