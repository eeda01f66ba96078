/** Runs long loops in short slices, so other calls are served in between. */
import { setImmediate } from 'node:timers/promises'

const sliceMs = 5

export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let startedAt = performance.now()
  for (const [index, item] of items.entries()) {
    results.push(map(item, index))
    if (performance.now() - startedAt < sliceMs) continue
    await setImmediate()
    startedAt = performance.now()
  }
  return results
}
