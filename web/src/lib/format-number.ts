const format = new Intl.NumberFormat('en-US')

/** "1,234" */
export function formatNumber(count: number): string {
  return format.format(count)
}

/** "1 session", "3 sessions". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}
