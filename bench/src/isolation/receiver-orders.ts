/** What the process of the receivers is told, and what it answers. */
import type { RequestColumns } from './request-log.ts'

/** `failureRatio`: so many of the requests, at random, get 503 instead. `never`: the request is read and not answered. */
export type Behaviour = { status: number; afterMs: number; failureRatio?: number } | 'never'

export type Order =
  /** Opens hosts at loopback addresses of their own, counted up from the first. */
  | { order: 'listen'; firstAddress: string; hosts: number }
  /** A host whose kernel completes no connection: its queue is full and nobody takes from it. */
  | { order: 'listen deaf'; address: string }
  | { order: 'behave'; behaviour: Behaviour }
  /** Closes all hosts, so that connections are refused, or opens them again where they were. */
  | { order: 'refuse'; isRefusing: boolean }
  | { order: 'count' }
  | { order: 'report' }

export interface Answers {
  listen: string[]
  'listen deaf': string[]
  /** When it took effect. */
  behave: number
  refuse: number
  /** Different events that have arrived so far. */
  count: number
  report: RequestColumns
}

export interface NumberedOrder {
  number: number
  order: Order
}

export interface NumberedAnswer {
  number: number
  answer?: Answers[keyof Answers]
  error?: string
}
