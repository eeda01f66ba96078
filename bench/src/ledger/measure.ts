/** Times API calls at the client. */
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../support/load.ts'
import type { Kind } from './kinds.ts'

export interface Measured {
  name: string
  times: number[]
  /** Number of calls that returned a full page or all results, and need no further call. */
  complete: number
}

interface Call {
  url: string
  key: string
}

export async function measure(call: Call, kind: Kind): Promise<Measured> {
  const measured: Measured = { name: kind.name, times: [], complete: 0 }
  for (const path of kind.paths) await time(call, path, measured)
  return measured
}

export async function time({ url, key }: Call, path: string, measured: Measured): Promise<void> {
  const startedAt = performance.now()
  const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })
  // While the service is busy, an account may use less query time than these calls take together.
  if (response.status === 429) {
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000)
    return time({ url, key }, path, measured)
  }
  const body = (await response.json()) as { next?: string | null; events?: unknown[]; error_message?: string }
  measured.times.push(performance.now() - startedAt)
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body.error_message}`)
  if (body.events === undefined || body.next === null || body.events.length >= 50) measured.complete++
}

export function report(title: string, rows: readonly Measured[]): void {
  console.log(
    `\n${title}\n| search | p50 ms | p95 ms | max ms | calls | complete |\n| --- | --- | --- | --- | --- | --- |`,
  )
  for (const { name, times, complete } of rows) {
    const sorted = times.toSorted((a, b) => a - b)
    const [p50, p95, maxMs] = [0.5, 0.95, 1].map((ratio) => percentile(sorted, ratio).toFixed(1))
    console.log(`| ${name} | ${p50} | ${p95} | ${maxMs} | ${times.length} | ${complete} |`)
  }
}
