/**
 * Many small tasks, few large commits. While one run is under way, what arrives is collected and goes into the next: the
 * batch grows with the load. Without `lingerMs` there is no timer to wait for when there is none; with it, a run waits that
 * long for company, for tasks whose end nobody waits for.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  options: { mostItems: number; mostRuns: number; lingerMs?: number },
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
      try {
        const results = await run(batch.map(({ item }) => item))
        for (const [place, { resolve, reject }] of batch.entries()) {
          const result = results[place]
          if (result === undefined) reject(new Error('a batch answered fewer results than it had items'))
          else resolve(result)
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
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
