/** Measures throughput: submits messages as fast as possible. Times from the first submission to the last arrival. */
import type { System } from './systems/system.ts'
import { type Costs, submitAndVerify, runOnce, type Harness, withCosts } from './run.ts'

export interface ThroughputRun extends Costs {
  messages: number
  seconds: number
  perSecond: number
}

export function measureThroughput(
  system: System,
  harness: Harness,
  messages: number,
): Promise<ThroughputRun> {
  return runOnce(system, harness, async (running) => {
    const submitEvents = await running.prepare(messages)
    return withCosts(running, harness, async () => {
      const startedAt = Date.now()
      const arrived = await submitAndVerify(running, harness, submitEvents, messages)
      const lastAt = arrived.reduce((latest, { atMs }) => Math.max(latest, atMs), 0)
      const seconds = (lastAt - startedAt) / 1_000
      return { messages, seconds, perSecond: messages / seconds }
    })
  })
}
