/** Groups neighbors with the same key, in order. */
export function groupRuns<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const runs: Item[][] = []
  let last: string | undefined
  for (const item of items) {
    const key = keyOf(item)
    if (key === last) runs.at(-1)?.push(item)
    else runs.push([item])
    last = key
  }
  return runs
}
