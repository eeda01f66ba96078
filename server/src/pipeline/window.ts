/**
 * How many fresh events to route at once. What finds no place becomes due work, which costs more than waiting in the
 * inbox would have: so when places run out, as many are taken as were placed, and more again when all find one.
 */
export interface Window {
  size: () => number
  learn: (placed: number, overflow: number) => void
}

const most = 200
/** Never so few that one hook without a place keeps the others from theirs. */
const fewest = 16

export function createWindow(): Window {
  let size = most
  return {
    size: () => size,
    learn(placed, overflow) {
      size = overflow > 0 ? Math.max(fewest, Math.min(size, placed)) : Math.min(most, size * 2)
    },
  }
}
