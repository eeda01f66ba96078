/** Commands to the receiver process, and its responses. */
import type { RequestColumns } from './request-log.ts'

/** `failureRatio`: the ratio of requests, chosen at random, that get 503. `never`: requests get no response. */
export type Behavior = { status: number; afterMs: number; failureRatio?: number } | 'never'

export type Command =
  /** Opens hosts on consecutive loopback addresses. */
  | { name: 'listen'; firstAddress: string; hosts: number }
  /** Opens a host that completes no connection, because its accept queue is full. */
  | { name: 'listen black hole'; address: string }
  | { name: 'behave'; behavior: Behavior }
  /** Closes all hosts, so that connections are refused, or reopens them on the same ports. */
  | { name: 'refuse'; isRefusing: boolean }
  | { name: 'count' }
  | { name: 'report' }

export interface Responses {
  listen: string[]
  'listen black hole': string[]
  /** Time at which the change took effect. */
  behave: number
  refuse: number
  /** Number of distinct events that have arrived so far. */
  count: number
  report: RequestColumns
}

export interface NumberedCommand {
  number: number
  command: Command
}

export interface NumberedResponse {
  number: number
  result?: Responses[keyof Responses]
  error?: string
}
