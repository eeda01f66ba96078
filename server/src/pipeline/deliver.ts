/**
 * Deliver: one attempt of one event at one hook.
 *   the hook as it is now → too late? → request → send → decide → settle
 * Address, headers, method and secret are those at the time of the attempt; what matched was fixed by routing.
 */
import type { DeliveryHooks } from '../hooks/delivery-hooks.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Clock } from '../ops/clock.ts'
import type { Send } from './dispatch/send.ts'
import { outgoingRequest } from './outgoing.ts'
import { deadlineMs, decide, expiryMs } from './retry/decide.ts'
import type { LeasedDelivery } from './route.ts'
import type { Settlement } from './work/settle.ts'

interface DeliverParts {
  hooks: DeliveryHooks
  send: Send
  clock: Clock
  lease: string
  leaseLeftMs: () => number
}

/** What to settle; undefined: it cannot be attempted within this lease, so it is left to whoever comes next. */
export async function deliver(
  parts: DeliverParts,
  delivery: LeasedDelivery,
): Promise<Settlement | undefined> {
  const { event, hookId, round, attempts } = delivery
  const account = parts.hooks.get(event.accountId)
  const hook = account?.hooks.get(hookId)
  const base = {
    accountId: event.accountId,
    hookId,
    eventId: event.id,
    round,
    lease: parts.lease,
    attempts,
    host: hook?.host ?? '',
    isTest: event.testHookId != null,
  }

  // Not in memory any more is not deleted: whoever claims it next reads it anew.
  if (account === undefined) return undefined
  if (hook === undefined) return { ...base, next: { state: 'cancelled', reason: 'hook_deleted' } }
  if (!hook.enabled) return { ...base, next: { state: 'held' } }
  const startedAt = parts.clock.now()
  // Whoever asks for it again wants it, however old it is.
  const ageAt = (at: number): number => (round > 1 ? 0 : at - event.acceptedAt.getTime())
  if (ageAt(startedAt) >= (expiryMs(event.type) ?? Number.POSITIVE_INFINITY))
    return { ...base, next: { state: 'expired', reason: 'too_late' } }
  if (parts.leaseLeftMs() <= deadlineMs(event.type)) return undefined

  const request = outgoingRequest(hook, account.signatureKey, delivery, startedAt)
  const outcome: Outcome =
    request === undefined
      ? { reason: 'address_too_long', timings: { totalMs: 0 } }
      : await parts.send({ ...request, deadlineMs: deadlineMs(event.type) })
  const decision = decide({
    type: event.type,
    attempts: attempts + 1,
    ageMs: ageAt(parts.clock.now()),
    isTest: event.testHookId != null,
    outcome,
    random: parts.clock.random(),
  })
  const attempt = { number: attempts + 1, startedAt: new Date(startedAt), outcome }
  if (decision.state !== 'waiting')
    return {
      ...base,
      attempts: attempts + 1,
      next: { state: decision.state, reason: outcome.reason },
      attempt,
    }
  // Our own faults are not the customer's attempts: they leave a log line, not a row.
  return {
    ...base,
    ...(decision.countsAsAttempt && { attempts: attempts + 1, attempt }),
    next: { state: 'waiting', delayMs: decision.delayMs, isAsked: decision.isAsked },
  }
}
