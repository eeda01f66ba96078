/**
 * Deliver: one attempt of one event at one hook.
 *   the hook as it is now → too late? → request → send → decide → settle
 * Address, headers, method and secret are those at the time of the attempt; what matched was fixed by routing.
 */
import type { DeliveryHook, DeliveryHooks } from '../hooks/delivery-hooks.ts'
import { type Outcome, reasons } from '../model/outcome.ts'
import type { Clock } from '../ops/clock.ts'
import { type Attempt, NoOutcome, type PlannedAttempt } from './attempt-once.ts'
import { filterInput } from '../model/event-filter.ts'
import { maxFilterUnits } from '../model/filter/budget.ts'
import { matchHook } from './matching/match.ts'
import { deadlineMs, decide, expiryMs } from './retry/decide.ts'
import type { OutageWatch } from './retry/outage.ts'
import type { LeasedDelivery } from './route.ts'
import type { Settlement } from './work/settle.ts'

interface DeliverParts {
  hooks: DeliveryHooks
  attempt: Attempt
  clock: Clock
  lease: string
  leaseLeftMs: () => number
  outages: OutageWatch
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
    faults: delivery.faults,
    host: hook?.host ?? '',
    isTest: event.testHookId != null,
  }

  // Not in memory any more is not deleted: whoever claims it next reads it anew.
  if (account === undefined) return undefined
  // Found out after it was claimed: it goes back as it was, and whoever claims it next lets it wait.
  const isStopped =
    hook !== undefined && hook.enabled && parts.hooks.findStop(event.accountId, hook) !== undefined
  const match = hook?.enabled && delivery.matchPending ? matchNow(hook, event) : undefined
  if (isStopped || account.unloadable.has(hookId) || match === 'unreadable')
    return { ...base, next: { state: 'waiting', delayMs: 0, isAsked: true } }
  if (hook === undefined) return { ...base, next: { state: 'cancelled', reason: 'hook_deleted' } }
  if (!hook.enabled) return { ...base, next: { state: 'held' } }
  if (match === 'no') return { ...base, next: { state: 'cancelled', reason: 'not_matched' } }
  const startedAt = parts.clock.now()
  // Whoever asks for it again wants it, however old it is. While clocks differ, what expires is too old by both.
  const age = (): number => (round > 1 ? 0 : parts.clock.earliest() - event.acceptedAt.getTime())
  if (age() >= (expiryMs(event.type) ?? Number.POSITIVE_INFINITY))
    return { ...base, next: { state: 'expired', reason: 'too_late' } }
  if (parts.leaseLeftMs() <= deadlineMs(event.type)) return undefined

  const { outcome, error } = await outcomeOf(parts, {
    hook,
    signatureKey: account.signatureKey,
    delivery,
    startedAt,
    deadlineMs: deadlineMs(event.type),
  })
  const isOurs = reasons[outcome.reason].fault === 'ours'
  const faults = isOurs ? delivery.faults + 1 : 0
  if (!isOurs) parts.outages.reached(hookId)
  const decision = decide({
    type: event.type,
    attempts: attempts + 1,
    faults,
    isOutage: isOurs && parts.outages.isOutage(hookId),
    ageMs: age(),
    isTest: event.testHookId != null,
    outcome,
    random: parts.clock.random(),
  })
  const attempt = { number: attempts + 1, startedAt: new Date(startedAt), outcome }
  const made = { ...base, faults, ...(isOurs && { fault: { outcome, error } }) }
  if (decision.state !== 'waiting')
    return {
      ...made,
      attempts: attempts + 1,
      next: { state: decision.state, reason: outcome.reason },
      attempt,
    }
  // Our own faults are not the customer's attempts: they leave a log line, not a row.
  return {
    ...made,
    ...(decision.countsAsAttempt && { attempts: attempts + 1, attempt }),
    next: { state: 'waiting', delayMs: decision.delayMs, isAsked: decision.isAsked },
  }
}

/** Whatever is thrown here is a fault of ours: what the receiver does wrong is an outcome. */
async function outcomeOf(
  { attempt }: DeliverParts,
  planned: PlannedAttempt,
): Promise<{ outcome: Outcome; error?: unknown }> {
  try {
    return { outcome: await attempt(planned) }
  } catch (error) {
    if (error instanceof NoOutcome) throw error
    return { outcome: { reason: 'internal', timings: { totalMs: 0 } }, error }
  }
}

/** Of an event that was routed while the hook's filter could not be read. */
function matchNow(hook: DeliveryHook, event: LeasedDelivery['event']): 'yes' | 'no' | 'unreadable' {
  const match = matchHook(hook, filterInput(event), maxFilterUnits)
  if (match.matches) return 'yes'
  return match.why === 'filter_unreadable' ? 'unreadable' : 'no'
}
