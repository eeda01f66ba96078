/** One attempt: the request, byte for byte, and what came of it. Takes nothing but its arguments, so it can run anywhere. */
import type { KeyObject } from 'node:crypto'
import type { Outcome } from '../model/outcome.ts'
import type { Send } from './dispatch/send.ts'
import { outgoingRequest, type RequestHook } from './outgoing.ts'
import type { LeasedDelivery } from './route.ts'

export interface PlannedAttempt {
  hook: RequestHook
  signatureKey: KeyObject
  delivery: Pick<LeasedDelivery, 'event' | 'round' | 'attempts'>
  startedAt: number
  deadlineMs: number
}

/** Makes the request and sends it, here or in a process of its own. */
export type Attempt = (planned: PlannedAttempt) => Promise<Outcome>

/** It is not known what came of an attempt: the process that made it has ended. Cause: it ended by itself. */
export class NoOutcome extends Error {
  override readonly cause: string | undefined

  constructor(cause: string | undefined) {
    super('the attempt has no outcome')
    this.cause = cause
  }
}

export async function attemptOnce(send: Send, planned: PlannedAttempt): Promise<Outcome> {
  const { hook, signatureKey, delivery, startedAt, deadlineMs } = planned
  const request = outgoingRequest(hook, signatureKey, delivery, startedAt)
  return typeof request === 'string'
    ? { reason: request, timings: { totalMs: 0 } }
    : send({ ...request, deadlineMs })
}
