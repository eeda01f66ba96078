/**
 * Readiness of a process: the checks of its role, run on request. A check covers only what this process needs for its
 * own work. Lag and faults of other processes are metrics: an API process must stay in service while workers are
 * down.
 */
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

export interface ReadinessCheck {
  name: string
  /** Resolves to the problem in one sentence, or to undefined. A check that throws or times out fails too. */
  findProblem: () => Promise<string | undefined>
}

export interface Readiness {
  isReady: boolean
  checks: Array<{ name: string; ok: boolean; reason?: string }>
}

/** Longer than a connection timeout, shorter than the timeout of a typical probe. */
const timeoutMs = 4_000

/** Also exports the result as a metric and logs each change. */
export function createReadiness(
  checks: readonly ReadinessCheck[],
  log: Log,
  metrics: Metrics,
): () => Promise<Readiness> {
  let wasReady = true
  async function run(): Promise<Readiness> {
    const results = await Promise.all(
      checks.map(async (check) => {
        const reason = await problemOf(check)
        return { name: check.name, ok: reason === undefined, ...(reason !== undefined && { reason }) }
      }),
    )
    const isReady = results.every(({ ok }) => ok)
    if (wasReady && !isReady) log.warn({ failed: results.filter(({ ok }) => !ok) }, 'not ready')
    if (!wasReady && isReady) log.info('ready again')
    wasReady = isReady
    return { isReady, checks: results }
  }
  metrics.addGauges({ hookline_ready: '1 while every readiness check of the process passes' }, async () => ({
    hookline_ready: (await run()).isReady ? 1 : 0,
  }))
  return run
}

async function problemOf({ findProblem }: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`No result within ${timeoutMs / 1_000} s.`), timeoutMs)
  })
  try {
    return await Promise.race([findProblem(), timeout])
  } catch (error) {
    return `Failed: ${error instanceof Error ? error.message : 'unknown error'}`
  } finally {
    clearTimeout(timer)
  }
}
