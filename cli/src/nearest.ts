/** Returns the known word that a user probably meant, or undefined if none is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, distance: distanceOf(word.slice(0, maxLength), candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .toSorted((a, b) => a.distance - b.distance)
  return best?.candidate
}

const maxLength = 50

/** Characters to insert, delete or replace (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let previous = [...Array(other.length + 1).keys()]
  for (const [row, character] of Array.from(one).entries()) {
    const current = [row + 1]
    for (let column = 0; column < other.length; column++)
      current.push(
        Math.min(
          (previous[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          (previous[column] ?? 0) + (character === other[column] ? 0 : 1),
        ),
      )
    previous = current
  }
  return previous.at(-1) ?? 0
}
