/**
 * One attempt: builds the request, sends it, and classifies the outcome by the retry policy. Depends only on its
 * arguments, so it can run in any process.
 */
import type { KeyObject } from 'node:crypto'
import type { RetryPolicy } from '../model/delivery-options.ts'
import type { Outcome } from '../model/delivery/outcome.ts'
import type { Send } from './transport/send.ts'
import { buildRequest, type RequestHook } from './request/build-request.ts'
import { classifyOutcome } from './retry/retry-policy.ts'
import type { LeasedDelivery } from '../model/delivery/delivery.ts'

export interface PlannedAttempt {
  hook: RequestHook
  /** The current key of the account, and during a rotation the next one. */
  signingKeys: readonly KeyObject[]
  delivery: Pick<LeasedDelivery, 'event' | 'round' | 'attempts'>
  startedAt: number
  deadlineMs: number
  retryPolicy: RetryPolicy
  /** For the header that continues the trace, if the hook has it. */
  traceparent?: string | undefined
}

/** Makes one attempt, here or in an isolated process. */
export type Attempt = (planned: PlannedAttempt) => Promise<Outcome>

/** The outcome of an attempt is unknown: its process ended. `cause` is set if the process crashed by itself. */
export class NoOutcome extends Error {
  override readonly cause: string | undefined

  constructor(cause: string | undefined) {
    super('the attempt has no outcome')
    this.cause = cause
  }
}

export async function attemptOnce(send: Send, planned: PlannedAttempt): Promise<Outcome> {
  const { hook, signingKeys, delivery, startedAt, deadlineMs, retryPolicy, traceparent } = planned
  const request = buildRequest(hook, signingKeys, { ...delivery, traceparent }, startedAt)
  if (typeof request === 'string') return { reason: request, timings: { totalMs: 0 } }
  const outcome = await send({ ...request, accountId: delivery.event.accountId, deadlineMs })
  return classifyOutcome(retryPolicy, outcome)
}
