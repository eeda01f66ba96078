/** Rule for the alias of a login. */
export function validateAlias(alias: string): string | null {
  return /^[A-Za-z0-9._-]{2,64}$/.test(alias.trim()) ? null : 'Use 2 to 64 letters, digits, dots, “-” or “_”.'
}
