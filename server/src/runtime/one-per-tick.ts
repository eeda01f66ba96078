/**
 * Spreads tasks that block the process for milliseconds: resolves one promise per tick of the event loop, so short
 * tasks run in between.
 */
export function createOnePerTick(): () => Promise<void> {
  const queue: Array<() => void> = []

  function resolveNext(): void {
    queue.shift()?.()
    if (queue.length > 0) setImmediate(resolveNext)
  }

  return () =>
    new Promise((resolve) => {
      queue.push(resolve)
      if (queue.length === 1) setImmediate(resolveNext)
    })
}
