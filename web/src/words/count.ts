const figures = new Intl.NumberFormat('en-GB')

/** Thousands apart by thin spaces. */
export function figure(count: number): string {
  return figures.format(count).replaceAll(',', '\u202f')
}

/** "1 session", "3 sessions". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`
}
