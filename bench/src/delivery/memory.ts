/** Measures memory by process group. Pages that processes share, as PostgreSQL's buffers, count once. */
import { readFile } from 'node:fs/promises'
import { type ProcessGroup, processesOf } from './cpu.ts'

export async function memoryOf(groups: readonly ProcessGroup[]): Promise<Record<string, number>> {
  const megabytes: Record<string, number> = {}
  for (const [name, pids] of await processesOf(groups)) {
    const parts = await Promise.all(pids.map(proportionalKilobytes))
    megabytes[name] = parts.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1_024
  }
  return megabytes
}

/** Returns 0 if the process has exited. */
async function proportionalKilobytes(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0)
}
