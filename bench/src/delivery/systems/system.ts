/** A system under measurement. */
import type { ProcessGroup } from '../cpu.ts'
import type { Storage } from '../storage.ts'

export interface System<R extends Running = Running> {
  /** Name for `--only`. */
  name: string
  /** Name in reports. */
  label: string
  /** Starts the processes for one run. With `profileFolder`, processes that support it write CPU profiles there. */
  start: (profileFolder?: string) => Promise<R>
}

export interface Running {
  /** Processes and servers of the system, without the receiver and the load generator. */
  groups: readonly ProcessGroup[]
  storage: Storage
  /** Builds messages before the measurement starts. */
  prepare: (count: number) => Promise<Submit>
  /** Whether all submitted messages are delivered and settled. */
  isSettled: () => Promise<boolean>
  stop: () => Promise<void>
}

/** Submits the prepared messages as fast as possible. Returns their ids. */
export type Submit = () => Promise<string[]>
