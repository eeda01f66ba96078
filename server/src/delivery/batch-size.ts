/**
 * Adapts how many fresh events are routed per batch. A delivery without a slot becomes due, which costs more than
 * leaving its event in the inbox. So when slots run out, the batch shrinks to the number that got one. It grows again
 * when all get one.
 */
export interface BatchSize {
  size: () => number
  learn: (placed: number, overflow: number) => void
}

const max = 200
/** Large enough that one hook without a slot does not block the others. */
const minSize = 16

export function createBatchSize(): BatchSize {
  let size = max
  return {
    size: () => size,
    learn(placed, overflow) {
      size = overflow > 0 ? Math.max(minSize, Math.min(size, placed)) : Math.min(max, size * 2)
    },
  }
}
