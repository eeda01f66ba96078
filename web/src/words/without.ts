/** The same without one field: list states drop what is as usual, so that addresses stay short. */
export function without<T extends object, Field extends keyof T>(object: T, field: Field): Omit<T, Field> {
  const copy = { ...object }
  delete copy[field]
  return copy
}
