/**
 * Ends this process with SIGXCPU when its main thread computes too long without a pause. Measures CPU time, not wall
 * time: a stopped or starved process has done nothing wrong. A worker thread watches, since the main thread cannot.
 */
import { Worker } from 'node:worker_threads'

/** Many times the duration of the worst filter or form. */
const maxCpuMs = 5_000
const pulseMs = 100

/** The thread runs this text. It sees only a counter that the main thread increments while it is free. */
const watch = `
  const { workerData: { counter, maxCpuMs, pulseMs } } = require('node:worker_threads')
  let last = -1
  let since = process.cpuUsage()
  setInterval(() => {
    const count = Atomics.load(counter, 0)
    if (count !== last) {
      last = count
      since = process.cpuUsage()
      return
    }
    const { user, system } = process.cpuUsage(since)
    if ((user + system) / 1000 > maxCpuMs) process.kill(process.pid, 'SIGXCPU')
  }, pulseMs)
`

export function limitCpu(): void {
  const counter = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => Atomics.add(counter, 0, 1), pulseMs)
  const watcher = new Worker(watch, { eval: true, workerData: { counter, maxCpuMs, pulseMs } })
  watcher.unref()
}
