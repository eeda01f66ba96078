/**
 * Many small tasks, few large commits. While one run is under way, what arrives is collected and goes into the next: the
 * batch grows with the load and there is no timer to wait for when there is none.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  options: { mostItems: number; mostRuns: number },
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  const waiting: Waiting[] = []
  let running = 0

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
      // In the next turn of the loop, so that what arrives together goes together.
      if (running < options.mostRuns) setImmediate(() => running < options.mostRuns && void runNext())
    })
}
