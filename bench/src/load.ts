/**
 * Open-model load: requests start at times drawn beforehand (Poisson arrivals), whether or not earlier ones are
 * answered, and each is timed from the moment it should have started. A slow server so shows its whole queue.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoadResult {
  /** Milliseconds by kind of request, unsorted. */
  latencies: Map<string, number[]>
  failures: number
}

/** Sends one request and answers its kind; throws if the answer was not the right one. */
type Send = () => Promise<string>

export async function openLoad(ratePerSecond: number, seconds: number, send: Send): Promise<LoadResult> {
  const result: LoadResult = { latencies: new Map(), failures: 0 }
  const underWay = new Set<Promise<void>>()
  const start = performance.now()
  let dueAt = start
  for (;;) {
    dueAt += (-Math.log(1 - Math.random()) * 1_000) / ratePerSecond
    if (dueAt > start + seconds * 1_000) break
    const waitMs = dueAt - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    const request = timed(send, dueAt, result).finally(() => underWay.delete(request))
    underWay.add(request)
  }
  await Promise.all(underWay)
  return result
}

async function timed(send: Send, scheduledAt: number, result: LoadResult): Promise<void> {
  try {
    const kind = await send()
    const times = result.latencies.get(kind) ?? []
    times.push(performance.now() - scheduledAt)
    result.latencies.set(kind, times)
  } catch {
    result.failures++
  }
}

export function merge(results: readonly LoadResult[]): LoadResult {
  const merged: LoadResult = { latencies: new Map(), failures: 0 }
  for (const { latencies, failures } of results) {
    merged.failures += failures
    for (const [kind, times] of latencies)
      merged.latencies.set(kind, [...(merged.latencies.get(kind) ?? []), ...times])
  }
  return merged
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
