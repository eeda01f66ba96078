/** Returns a copy without one field. Used to drop default values from URLs. */
export function omit<T extends object, Field extends keyof T>(object: T, field: Field): Omit<T, Field> {
  const copy = { ...object }
  delete copy[field]
  return copy
}
