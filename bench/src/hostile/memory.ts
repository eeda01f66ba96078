/** Resident memory of processes, sampled while they work. */
import { readFileSync } from 'node:fs'
import type { ServiceProcess } from '../../../dev/service-process.ts'

export interface MemoryOfProcess {
  /** Its role and process id. */
  name: string
  /** Megabytes, one for each sample. */
  rssMb: number[]
}

export interface MemoryWatch {
  memory: readonly MemoryOfProcess[]
  stop: () => void
}

export function watchMemory(processes: readonly ServiceProcess[], everyMs: number): MemoryWatch {
  const watched = processes.map((one) => ({ one, name: nameOf(one), rssMb: [] as number[] }))
  const timer = setInterval(() => {
    for (const { one, rssMb } of watched) {
      const rss = readRssMb(one.child.pid)
      if (rss !== undefined) rssMb.push(rss)
    }
  }, everyMs)
  return { memory: watched, stop: () => clearInterval(timer) }
}

export function nameOf({ child }: ServiceProcess): string {
  return `${child.spawnargs.at(-1)} ${child.pid}`
}

/** Undefined: it has ended. */
function readRssMb(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
  } catch {
    return undefined
  }
}
