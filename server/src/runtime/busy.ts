/** Whether this process is at its CPU limit: its event loop was busy for most of the last sample. */
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
