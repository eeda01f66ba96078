/** Interval at which `lingerMs` is called again. */
const recheckMs = 5

/**
 * Groups many small tasks into few large commits. Items that arrive during a run go into the next one, so batches
 * grow with the load. Without `lingerMs` a run starts without a timer. With it, a run waits for more items, until it is
 * full or its oldest item has waited that long. A rejected item fails alone.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  options: {
    maxBatchSize: number
    /** Fewer items for the next run. */
    nextBatchSize?: () => number
    maxConcurrentRuns: number
    /** Called repeatedly while items wait, with their number. */
    lingerMs?: (items: number) => number
    isRejection: IsRejection
  },
): (item: Item) => Promise<Result> {
  interface QueuedItem {
    item: Item
    since: number
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  const queue: QueuedItem[] = []
  let running = 0
  let isScheduled = false

  function remainingMs(): number {
    const [oldest] = queue
    if (options.lingerMs === undefined || oldest === undefined || queue.length >= options.maxBatchSize)
      return 0
    return oldest.since + options.lingerMs(queue.length) - performance.now()
  }

  /** Starts in the next tick at the earliest, so items that arrive together are batched. */
  function schedule(): void {
    if (isScheduled || running >= options.maxConcurrentRuns || queue.length === 0) return
    isScheduled = true
    const waitMs = remainingMs()
    if (waitMs > 0) setTimeout(begin, Math.min(waitMs, recheckMs))
    else setImmediate(begin)
  }

  function begin(): void {
    isScheduled = false
    if (remainingMs() > 0) return schedule()
    void runNext().then(schedule)
    // Other runs may start at the same time.
    schedule()
  }

  async function runNext(): Promise<void> {
    running++
    const batch = queue.splice(0, options.nextBatchSize?.() ?? options.maxBatchSize)
    const items = batch.map(({ item }) => item)
    const results = await runIsolated(run, items, options.isRejection)
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results[index]
      if (result?.status === 'fulfilled') resolve(result.value)
      else reject(result?.reason ?? new Error('batch returned fewer results than items'))
    }
    running--
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, since: performance.now(), resolve, reject })
      schedule()
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
