/** Samples the resident memory of processes. */
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { readRssMb } from '../support/resident-memory.ts'

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
