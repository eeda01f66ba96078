/** Days are UTC days: all have the same length. */
export const dayMs = 24 * 60 * 60 * 1_000
