/** One area, line or bar series of a chart. */
export interface Series {
  /** Field name in the rows. */
  name: string
  title: string
  color: string
}

/** A plot with its own scale. The plots of a chart share the time axis. */
export interface PlotSpec {
  /** Shown beside the legend. */
  title: string
  /** Bars stand side by side; the bars of a stack add up. */
  shape: 'areas' | 'lines' | 'bars' | 'stack'
  series: readonly Series[]
  height: number
  unit?: 'count' | 'ms'
}

/** Value of a field; undefined if the bucket has none, such as a percentile without responses. */
export function valueOf(row: object, name: string): number | undefined {
  const value = (row as Record<string, unknown>)[name]
  return typeof value === 'number' ? value : undefined
}
