/**
 * Generates an open load: request times are a Poisson process and do not depend on earlier responses. Latency counts
 * from the scheduled start, so it includes queueing in a slow server.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoadResult {
  /** Latencies in milliseconds by kind of request, unsorted. */
  latencies: Map<string, number[]>
  /** Number of failures by reason. */
  failures: Map<string, number>
}

/** Sends one request and returns its kind. Throws if the response is wrong. */
type Send = () => Promise<string>

export async function openLoad(ratePerSecond: number, seconds: number, send: Send): Promise<LoadResult> {
  const result: LoadResult = { latencies: new Map(), failures: new Map() }
  const inFlight = new Set<Promise<void>>()
  const start = performance.now()
  let dueAt = start
  for (;;) {
    dueAt += (-Math.log(1 - Math.random()) * 1_000) / ratePerSecond
    if (dueAt > start + seconds * 1_000) break
    const waitMs = dueAt - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    const request = timed(send, dueAt, result).finally(() => inFlight.delete(request))
    inFlight.add(request)
  }
  await Promise.all(inFlight)
  return result
}

async function timed(send: Send, scheduledAt: number, result: LoadResult): Promise<void> {
  try {
    const kind = await send()
    const times = result.latencies.get(kind) ?? []
    times.push(performance.now() - scheduledAt)
    result.latencies.set(kind, times)
  } catch (error) {
    addFailures(result, error instanceof Error ? error.message : String(error), 1)
  }
}

function addFailures({ failures }: LoadResult, reason: string, count: number): void {
  failures.set(reason, (failures.get(reason) ?? 0) + count)
}

export function merge(results: readonly LoadResult[]): LoadResult {
  const merged: LoadResult = { latencies: new Map(), failures: new Map() }
  for (const { latencies, failures } of results) {
    for (const [reason, count] of failures) addFailures(merged, reason, count)
    for (const [kind, times] of latencies)
      merged.latencies.set(kind, [...(merged.latencies.get(kind) ?? []), ...times])
  }
  return merged
}

export function percentile(sorted: readonly number[], ratio: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * ratio) - 1)] ?? Number.NaN
}
