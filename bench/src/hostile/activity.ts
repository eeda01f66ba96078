/** Runs a hostile activity as an open load: calls start on schedule and do not depend on earlier responses. */
import type { Tenant } from './tenant.ts'

export interface Activity {
  name: string
  description: string
  perSecond: number
  /** Calls beyond this limit are not sent, which bounds the load of the tenant process itself. */
  maxInFlight?: number
  /** Makes one call. Returns the status, or a word if there is no status. */
  call: (tenant: Tenant, count: number) => Promise<string>
}

export interface RunningActivity {
  name: string
  /** Number of calls by result. */
  results: ReadonlyMap<string, number>
  stop: () => void
}

const tickMs = 20
const defaultMaxInFlight = 64

export function startActivity(activity: Activity, tenant: Tenant, intensity: number): RunningActivity {
  const { name, maxInFlight = defaultMaxInFlight } = activity
  const perSecond = activity.perSecond * intensity
  const results = new Map<string, number>()
  const startedAt = performance.now()
  let inFlight = 0
  let due = 0

  const add = (result: string, count = 1): void => {
    results.set(result, (results.get(result) ?? 0) + count)
  }

  async function callOnce(count: number): Promise<void> {
    inFlight++
    try {
      add(await activity.call(tenant, count))
    } catch (error) {
      add(error instanceof Error && 'code' in error ? String(error.code) : 'error')
    } finally {
      inFlight--
    }
  }

  const timer = setInterval(() => {
    const until = ((performance.now() - startedAt) / 1_000) * perSecond
    for (; due < until && inFlight < maxInFlight; due++) void callOnce(due)
    const skipped = Math.max(0, Math.ceil(until - due))
    if (skipped > 0) add('not sent', skipped)
    due += skipped
  }, tickMs)
  return { name, results, stop: () => clearInterval(timer) }
}
