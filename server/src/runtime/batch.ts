/**
 * Groups many small tasks into few large commits. Items that arrive during a run go into the next one, so batches
 * grow with the load. Without `lingerMs` an idle batcher starts without a timer. With it, a run waits that long for
 * more items, for tasks that no caller waits for. A rejected item fails alone.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  options: {
    maxBatchSize: number
    maxConcurrentRuns: number
    lingerMs?: () => number
    isRejection: IsRejection
  },
): (item: Item) => Promise<Result> {
  interface QueuedItem {
    item: Item
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  const queue: QueuedItem[] = []
  let running = 0
  let isScheduled = false

  /** Starts in the next tick at the earliest, so items that arrive together are batched. */
  function scheduleRun(): void {
    const begin = (): void => {
      isScheduled = false
      if (running < options.maxConcurrentRuns) void runNext()
    }
    if (isScheduled || running >= options.maxConcurrentRuns) return
    isScheduled = true
    if (options.lingerMs === undefined) setImmediate(begin)
    else setTimeout(begin, options.lingerMs())
  }

  async function runNext(): Promise<void> {
    running++
    while (queue.length > 0) {
      const batch = queue.splice(0, options.maxBatchSize)
      const items = batch.map(({ item }) => item)
      const results = await runIsolated(run, items, options.isRejection)
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason ?? new Error('batch returned fewer results than items'))
      }
    }
    running--
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      scheduleRun()
    })
}

/** Whether the error means that an item was rejected, and not that the batch cannot run now. */
export type IsRejection = (error: unknown) => boolean

/**
 * Runs items together and returns the result of each. If the run is rejected, its halves are run separately, and so
 * on. So a rejected item fails alone, and the others succeed. A rejected `run` must not have changed anything.
 */
export async function runIsolated<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  items: Item[],
  isRejection: IsRejection,
): Promise<Array<PromiseSettledResult<Result>>> {
  try {
    const results = await run(items)
    return results.map((value) => ({ status: 'fulfilled', value }))
  } catch (error) {
    if (items.length === 1 || !isRejection(error))
      return items.map(() => ({ status: 'rejected', reason: error }))
    const middle = Math.ceil(items.length / 2)
    return [
      ...(await runIsolated(run, items.slice(0, middle), isRejection)),
      ...(await runIsolated(run, items.slice(middle), isRejection)),
    ]
  }
}
