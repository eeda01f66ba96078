/** What takes part in the measurement, and what all of them can do. */
import type { ProcessGroup } from '../cpu.ts'
import type { Storage } from '../storage.ts'

export interface Contestant<R extends Running = Running> {
  /** As `--only` has it. */
  name: string
  /** As people read it. */
  label: string
  /** Starts its processes, for one turn. A folder for profiles: they write where their time goes, if they can. */
  start: (profileFolder?: string) => Promise<R>
}

export interface Running {
  /** Its processes and the servers that work for it; the receiver and whoever hands messages in are not among them. */
  groups: readonly ProcessGroup[]
  storage: Storage
  /** Makes messages before the clock starts. */
  prepare: (count: number) => Promise<HandIn>
  /** Whether nothing of what was handed in is left to do, book-keeping included. */
  isSettled: () => Promise<boolean>
  stop: () => Promise<void>
}

/** Hands in what was prepared as fast as it is taken, and answers the ids to expect. */
export type HandIn = () => Promise<string[]>
