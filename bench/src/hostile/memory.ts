/** Samples the resident memory of processes. */
import { readFileSync } from 'node:fs'
import type { ServiceProcess } from '../../../dev/service-process.ts'

export interface MemoryOfProcess {
  /** Role and process id. */
  name: string
  /** Samples in megabytes. */
  rssMb: number[]
}

export interface MemoryWatch {
  memory: readonly MemoryOfProcess[]
  stop: () => void
}

export function watchMemory(processes: readonly ServiceProcess[], intervalMs: number): MemoryWatch {
  const watched = processes.map((service) => ({ service, name: nameOf(service), rssMb: [] as number[] }))
  const timer = setInterval(() => {
    for (const { service, rssMb } of watched) {
      const rss = readRssMb(service.child.pid)
      if (rss !== undefined) rssMb.push(rss)
    }
  }, intervalMs)
  return { memory: watched, stop: () => clearInterval(timer) }
}

export function nameOf({ child }: ServiceProcess): string {
  return `${child.spawnargs.at(-1)} ${child.pid}`
}

/** Returns undefined if the process has exited. */
function readRssMb(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
  } catch {
    return undefined
  }
}
