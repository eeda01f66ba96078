/** Finds the series that a PromQL expression reads. */
import type { Series } from './scrape.ts'

export interface Selector {
  text: string
  name: string
  matchers: Array<{ label: string; operator: string; value: string }>
}

/** Labels that Prometheus adds to each series. */
const targetLabels = new Set(['job', 'instance'])

/** Returns the selectors of metrics. Recorded series have a colon in their name and are not among them. */
export function selectorsOf(expression: string): Selector[] {
  return [...expression.matchAll(/\b((?:hookline|process|nodejs|node|pg)_\w+)(?!:)(?:\s*\{([^}]*)\})?/g)].map(
    ([text, name = '', matchers = '']) => ({
      text,
      name,
      matchers: [...matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g)].map(
        ([, label = '', operator = '', value = '']) => ({
          label,
          operator,
          value: value.replaceAll('\\\\', '\\'),
        }),
      ),
    }),
  )
}

/** Whether the series exists with these labels. */
export function isSelected({ name, matchers }: Selector, series: Series): boolean {
  return (
    series.name === name &&
    matchers.every(({ label, operator, value }) => {
      if (targetLabels.has(label)) return true
      const actual = series.labels[label]
      if (actual === undefined) return false
      if (operator === '=') return actual === value
      if (operator === '!=') return actual !== value
      return new RegExp(`^(?:${value})$`).test(actual) === (operator === '=~')
    })
  )
}
