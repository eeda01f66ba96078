/**
 * Many small tasks, few large commits. While one run is under way, what arrives is collected and goes into the next: the
 * batch grows with the load. Without `lingerMs` there is no timer to wait for when there is none; with it, a run waits that
 * long for company, for tasks whose end nobody waits for. An item that is refused fails alone.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  options: { mostItems: number; mostRuns: number; lingerMs?: number; isRefusal: IsRefusal },
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  const waiting: Waiting[] = []
  let running = 0
  let isPlanned = false

  /** In the next turn of the loop at the earliest, so that what arrives together goes together. */
  function runSoon(): void {
    const begin = (): void => {
      isPlanned = false
      if (running < options.mostRuns) void runNext()
    }
    if (isPlanned || running >= options.mostRuns) return
    isPlanned = true
    if (options.lingerMs === undefined) setImmediate(begin)
    else setTimeout(begin, options.lingerMs)
  }

  async function runNext(): Promise<void> {
    running++
    while (waiting.length > 0) {
      const batch = waiting.splice(0, options.mostItems)
      const items = batch.map(({ item }) => item)
      const results = await runIsolated(run, items, options.isRefusal)
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason ?? new Error('a batch returned fewer results than it had items'))
      }
    }
    running--
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      runSoon()
    })
}

/** Whether an error says that something in a batch is refused, and not that the batch cannot be run now. */
export type IsRefusal = (error: unknown) => boolean

/**
 * Runs items together and returns what came of each. Where the run is refused, its halves are run by themselves, and so on:
 * an item that is refused alone fails alone, and the others succeed. `run` must have changed nothing when it is refused.
 */
export async function runIsolated<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  items: Item[],
  isRefusal: IsRefusal,
): Promise<Array<PromiseSettledResult<Result>>> {
  try {
    const results = await run(items)
    return results.map((value) => ({ status: 'fulfilled', value }))
  } catch (error) {
    if (items.length === 1 || !isRefusal(error))
      return items.map(() => ({ status: 'rejected', reason: error }))
    const middle = Math.ceil(items.length / 2)
    return [
      ...(await runIsolated(run, items.slice(0, middle), isRefusal)),
      ...(await runIsolated(run, items.slice(middle), isRefusal)),
    ]
  }
}
