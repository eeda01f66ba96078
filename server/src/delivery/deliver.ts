/**
 * Deliver: one attempt of one event at one hook.
 *   current hook → expired? → request → send → decide → settle
 * URL, headers, method and secret are those at the time of the attempt. Routing has already decided that the hook
 * matches.
 */
import type { CachedHook, HookCache } from '../hooks/hook-cache.ts'
import { type Outcome, attemptReasons } from '../model/delivery/outcome.ts'
import type { EventCatalog } from '../model/event-type/catalog.ts'
import type { EventTraits } from '../model/event-traits.ts'
import type { Clock } from '../runtime/clock.ts'
import { type Attempt, NoOutcome, type PlannedAttempt } from './attempt-once.ts'
import { filterInput } from '../model/filter/event-filter.ts'
import { maxFilterUnits } from '../model/filter/budget.ts'
import { matchHook } from './matching/match.ts'
import { deadlineMs, decideNextStep, expiryMs } from './retry/retry-policy.ts'
import type { OutageWatch } from './retry/outage.ts'
import type { ReceiverWatch } from './receiver-watch.ts'
import type { LeasedDelivery } from '../model/delivery/delivery.ts'
import type { Settlement } from './queue/settle.ts'

interface DeliverDeps {
  hooks: HookCache
  traitsOf: EventCatalog['traitsOf']
  attempt: Attempt
  clock: Clock
  lease: string
  leaseLeftMs: () => number
  outages: OutageWatch
  receivers: Pick<ReceiverWatch, 'observe'>
}

/** Returns the settlement. A delivery that cannot be attempted within this lease is released unchanged. */
export async function deliver(deps: DeliverDeps, delivery: LeasedDelivery): Promise<Settlement> {
  const { event, hookId, round, attempts } = delivery
  const traits = deps.traitsOf(event.type)
  const { isTimeSensitive } = traits
  const account = deps.hooks.get(event.accountId)
  const hook = account?.hooks.get(hookId)
  const base = {
    accountId: event.accountId,
    hookId,
    eventId: event.id,
    round,
    lease: deps.lease,
    attempts,
    faults: delivery.faults,
    host: hook?.host ?? '',
    isTest: event.testHookId != null,
  }

  const notAttempted = { ...base, next: { state: 'waiting', delayMs: 0, isRetryAfter: true } } as const
  // Evicted from the cache does not mean deleted: the worker that claims the delivery next reads the hook again.
  if (account === undefined) return notAttempted
  // A stop or problem was found after the claim: the next claim puts the lane on hold.
  const isStopped =
    hook !== undefined && hook.enabled && deps.hooks.findStop(event.accountId, hook) !== undefined
  const match = hook?.enabled && delivery.matchPending ? matchNow(hook, event, traits) : undefined
  if (isStopped || account.unloadable.has(hookId) || match === 'unreadable') return notAttempted
  if (hook === undefined) return { ...base, next: { state: 'cancelled', reason: 'hook_deleted' } }
  if (!hook.enabled) return { ...base, next: { state: 'held' } }
  if (match === 'no') return { ...base, next: { state: 'cancelled', reason: 'not_matched' } }
  const startedAt = deps.clock.now()
  // A replay never expires. While clocks differ, an event expires only if it is too old by both.
  const age = (): number => (round > 1 ? 0 : deps.clock.earliest() - event.acceptedAt.getTime())
  if (age() >= (expiryMs(isTimeSensitive) ?? Number.POSITIVE_INFINITY))
    return { ...base, next: { state: 'expired', reason: 'too_late' } }
  const { retryPolicy } = hook
  const timeoutMs = deadlineMs(isTimeSensitive, retryPolicy)
  if (deps.leaseLeftMs() <= timeoutMs) return notAttempted

  const { outcome, error } = await outcomeOf(deps, {
    hook,
    signingKeys: account.signingKeys,
    delivery,
    startedAt,
    deadlineMs: timeoutMs,
    retryPolicy,
  })
  deps.receivers.observe({ accountId: event.accountId, hookId, host: hook.host }, outcome, timeoutMs)
  const { fault } = attemptReasons[outcome.reason]
  const isServiceFault = fault === 'service'
  const faults = isServiceFault ? delivery.faults + 1 : 0
  if (fault === 'none' || fault === 'receiver') deps.outages.reached(hookId)
  const decision = decideNextStep({
    isTimeSensitive,
    retryPolicy,
    attempts: attempts + 1,
    faults,
    isOutage: isServiceFault && deps.outages.isOutage(hookId),
    ageMs: age(),
    isTest: event.testHookId != null,
    outcome,
    random: deps.clock.random(),
  })
  const attempt = { number: attempts + 1, startedAt: new Date(startedAt), outcome }
  const afterAttempt = { ...base, faults, ...(isServiceFault && { fault: { outcome, error } }) }
  if (decision.state !== 'waiting')
    return {
      ...afterAttempt,
      attempts: attempts + 1,
      next: { state: decision.state, reason: outcome.reason },
      attempt,
    }
  // Service faults are not attempts: they leave a log line, not a row.
  return {
    ...afterAttempt,
    ...(decision.countsAsAttempt && { attempts: attempts + 1, attempt }),
    next: { state: 'waiting', delayMs: decision.delayMs, isRetryAfter: decision.isRetryAfter },
  }
}

/** Errors thrown here are service faults: failures of the receiver are outcomes. */
async function outcomeOf(
  { attempt }: DeliverDeps,
  planned: PlannedAttempt,
): Promise<{ outcome: Outcome; error?: unknown }> {
  try {
    return { outcome: await attempt(planned) }
  } catch (error) {
    if (error instanceof NoOutcome) throw error
    return { outcome: { reason: 'internal', timings: { totalMs: 0 } }, error }
  }
}

/** Matches an event that was routed while the hook's filter could not be read. */
function matchNow(
  hook: CachedHook,
  event: LeasedDelivery['event'],
  traits: EventTraits,
): 'yes' | 'no' | 'unreadable' {
  const match = matchHook(hook, filterInput(event, traits), maxFilterUnits)
  if (match.matches) return 'yes'
  return match.why === 'filter_unreadable' ? 'unreadable' : 'no'
}
