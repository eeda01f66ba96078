/** Reads the text format of Prometheus. */
import { call } from './http-call.ts'

export interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Scrape {
  text: string
  series: Series[]
}

export async function scrape(url: string): Promise<Scrape> {
  const { text } = await call(`${url}/metrics`)
  const series = [...text.matchAll(/^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/gim)].map(
    ([, name = '', labels = '', value]) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, content]) => [label, content]),
      ) as Record<string, string>,
      value: Number(value),
    }),
  )
  return { text, series }
}

/** Returns the value of a series with these labels. */
export function valueOf(
  { series }: Scrape,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  return series.find(
    (one) =>
      one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  )?.value
}
