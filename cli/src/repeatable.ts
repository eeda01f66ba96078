/** Collects the values of an option that can be repeated. */
export function repeatable(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value]
}

/** Also accepts several values with commas between them: `sms_mo,dlr`. */
export function repeatableList(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, ...value.split(',').filter(Boolean)]
}
