/** Whether this process has hardly any time left: most of the last moments its event loop was at work and never waited. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks'

const sampleMs = 200
const busyUtilization = 0.7

export function createIsBusy(): () => boolean {
  let last: EventLoopUtilization = performance.eventLoopUtilization()
  let sampledAt = performance.now()
  let isBusy = false
  return () => {
    if (performance.now() - sampledAt < sampleMs) return isBusy
    const next = performance.eventLoopUtilization()
    isBusy = performance.eventLoopUtilization(next, last).utilization > busyUtilization
    last = next
    sampledAt = performance.now()
    return isBusy
  }
}
