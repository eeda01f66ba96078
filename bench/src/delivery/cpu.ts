/**
 * Measures CPU time by process group, from /proc. A group is a process with all its descendants. The kernel adds the
 * time of exited children to their parent, so short-lived backends are counted.
 */
import { readdir, readFile } from 'node:fs/promises'

export interface ProcessGroup {
  name: string
  pid: number
}

/** Core-microseconds by group name. Groups with the same name are summed. */
export type CpuTimes = Map<string, number>

interface ProcessTimes {
  parent: number
  ownTicks: number
  endedChildrenTicks: number
}

/** USER_HZ. The value is the same on every Linux that Node.js supports. */
const ticksPerSecond = 100

export async function cpuTimes(groups: readonly ProcessGroup[]): Promise<CpuTimes> {
  const processes = await allProcesses()
  const times: CpuTimes = new Map()
  for (const { name, pid } of groups) {
    if (!processes.has(pid)) throw new Error(`process ${pid} (${name}) exited`)
    const micros = (treeTicks(processes, pid) * 1e6) / ticksPerSecond
    times.set(name, (times.get(name) ?? 0) + micros)
  }
  return times
}

export function cpuBetween(before: CpuTimes, after: CpuTimes): CpuTimes {
  return new Map([...after].map(([name, micros]) => [name, micros - (before.get(name) ?? 0)]))
}

function treeTicks(processes: ReadonlyMap<number, ProcessTimes>, root: number): number {
  return pidsOfTree(processes, root).reduce((ticks, pid) => {
    const { ownTicks = 0, endedChildrenTicks = 0 } = processes.get(pid) ?? {}
    return ticks + ownTicks + endedChildrenTicks
  }, 0)
}

function pidsOfTree(processes: ReadonlyMap<number, ProcessTimes>, root: number): number[] {
  const children = [...processes].filter(([, { parent }]) => parent === root).map(([pid]) => pid)
  return [root, ...children.flatMap((pid) => pidsOfTree(processes, pid))]
}

/** Returns the processes of each group. Groups with the same name are merged. */
export async function processesOf(groups: readonly ProcessGroup[]): Promise<Map<string, number[]>> {
  const processes = await allProcesses()
  const pids = new Map<string, number[]>()
  for (const { name, pid } of groups)
    pids.set(name, [...(pids.get(name) ?? []), ...pidsOfTree(processes, pid)])
  return pids
}

async function allProcesses(): Promise<Map<number, ProcessTimes>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const read = await Promise.all(pids.map(async (pid) => [pid, await processTimes(pid)] as const))
  return new Map(read.filter((entry): entry is [number, ProcessTimes] => entry[1] !== undefined))
}

/** Returns undefined if the process has exited. */
async function processTimes(pid: number): Promise<ProcessTimes | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The command name is in parentheses and may contain spaces. State, parent, … follow it (see proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const field = (number: number): number => Number(fields[number - 3])
  return { parent: field(4), ownTicks: field(14) + field(15), endedChildrenTicks: field(16) + field(17) }
}
