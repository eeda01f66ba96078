/** API representation of a webhook and its health. */
import { z } from 'zod'
import type { HookDetails } from '../../../hooks/read-hook.ts'
import { requestMethods } from '../../../model/hook.ts'
import { deriveHookState, hookStates } from '../../../model/hook-state.ts'
import { type HookCounters, overdueMinutes } from '../../../stats/hook-counters.ts'
import type { HookHealth } from '../../../stats/hook-health.ts'
import { disabledReason, hookProblem } from '../fields.ts'
import { endpointOf } from '../../../model/target-url.ts'
import { endpoint } from './names.ts'
import { deliveryOptions, presentOptions } from './options.ts'
import { chosenTypes, presentChosen } from './types.ts'

const instant = z.iso.datetime()
const count = z.int().min(0)

export const hookResponse = z
  .object({
    id: z.int32().positive(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    target_url: z.string().meta({ description: 'Endpoint URL, exactly as registered.' }),
    endpoint,
    event_type: z.string().meta({ description: 'The name that the webhook was registered with.' }),
    event_filter: z.string().nullable(),
    chosen: chosenTypes,
    request_method: z.enum(requestMethods),
    headers: z
      .string()
      .meta({ description: 'Custom headers, separated by line feeds. Empty without headers.' }),
    enabled: z.boolean(),
    disabled_reason: disabledReason.nullable().meta({ description: 'Null for an enabled webhook.' }),
    max_per_second: z.int().nullable().meta({ description: 'Max deliveries per second. Null for no limit.' }),
    ...deliveryOptions,
    created_at: instant,
    changed_at: instant,
  })
  .meta({ id: 'ManagedWebhook' })

export function presentHook(hook: HookDetails): z.infer<typeof hookResponse> {
  return {
    id: hook.id,
    name: hook.name,
    description: hook.description,
    target_url: hook.targetUrl,
    endpoint: endpointOf(hook.targetUrl),
    event_type: hook.eventType,
    event_filter: hook.eventFilter,
    chosen: presentChosen(hook),
    request_method: hook.requestMethod,
    headers: hook.headers,
    enabled: hook.enabled,
    disabled_reason: hook.disabledReason,
    max_per_second: hook.maxPerSecond,
    ...presentOptions(hook),
    created_at: hook.createdAt.toISOString(),
    changed_at: hook.changedAt.toISOString(),
  }
}

/** Values that decide the state of a webhook and its description. */
export const countersResponse = z
  .object({
    delivered_24h: count,
    failed_24h: count.meta({ description: 'Deliveries that failed permanently or expired.' }),
    waiting: count,
    held: count.meta({ description: 'Deliveries on hold while the webhook is disabled.' }),
    overdue: count.meta({
      description: `Deliveries pending for more than ${overdueMinutes} minutes since their event was accepted or, in a replay, since they were due. Deliveries on hold are not included.`,
    }),
    oldest_waiting_at: instant
      .nullable()
      .meta({ description: 'Acceptance time of the oldest event with a pending delivery.' }),
    failing_since: instant.nullable(),
    next_probe_at: instant.nullable(),
    stop: z
      .object({
        scope: z.enum(['all', 'account', 'hook', 'host']),
        reason: z.string().meta({ description: 'Reason given by the operator.' }),
        since: instant,
      })
      .nullable()
      .meta({ description: 'Active operator stop. Deliveries stay pending until it ends.' }),
    problem: hookProblem.nullable(),
  })
  .meta({ id: 'WebhookCounters' })

export const healthResponse = countersResponse
  .extend({
    hook_id: z.int32().positive(),
    state: z.enum(hookStates),
    message: z.string().meta({ description: 'Description of the state.' }),
    attempts_24h: count,
    failed_attempts_24h: count,
    success_rate: z.number().min(0).max(1).nullable().meta({
      description:
        'From 0 to 1, for the last 24 hours: `delivered_24h` / (`delivered_24h` + `failed_24h` + `overdue`). Null without any of them.',
    }),
    last_attempt_at: instant.nullable(),
    last_delivered_at: instant.nullable(),
    breaker: z.enum(['closed', 'open', 'probing']),
    receiver_p50_ms: z.number().nullable(),
    receiver_p95_ms: z.number().nullable(),
  })
  .meta({ id: 'WebhookHealth' })

export function presentHealth(
  hook: Pick<HookDetails, 'id' | 'enabled' | 'disabledReason' | 'hasUnreadableHeaders'>,
  health: HookHealth | undefined,
  now: number,
): z.infer<typeof healthResponse> {
  // A hook deleted between the two statements has no counters.
  const stored = health ?? { ...emptyHealth, hookId: hook.id }
  const current = { ...stored, problem: stored.problem ?? (hook.hasUnreadableHeaders ? 'headers' : null) }
  const counted = current.deliveredDay + current.failedDay + current.overdue
  return {
    hook_id: hook.id,
    ...deriveHookState({ ...current, ...hook }, now),
    ...presentCounters(current),
    attempts_24h: current.attemptsDay,
    failed_attempts_24h: current.failedAttemptsDay,
    success_rate: counted === 0 ? null : current.deliveredDay / counted,
    last_attempt_at: timeOf(current.lastAttemptAt),
    last_delivered_at: timeOf(current.lastDeliveredAt),
    breaker: current.breaker,
    receiver_p50_ms: current.receiverP50Ms,
    receiver_p95_ms: current.receiverP95Ms,
  }
}

type Counters = Omit<HookCounters, 'hookId' | 'enabled' | 'disabledReason' | 'lastFailedAt'>

export function presentCounters(counters: Counters): z.infer<typeof countersResponse> {
  const { stop } = counters
  return {
    delivered_24h: counters.deliveredDay,
    failed_24h: counters.failedDay,
    waiting: counters.waiting,
    held: counters.held,
    overdue: counters.overdue,
    oldest_waiting_at: timeOf(counters.oldestWaitingAt),
    failing_since: timeOf(counters.failingSince),
    next_probe_at: timeOf(counters.nextProbeAt),
    stop: stop && { scope: stop.scope, reason: stop.reason, since: stop.createdAt.toISOString() },
    problem: counters.problem,
  }
}

export function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null
}

const emptyHealth: HookHealth = {
  hookId: 0,
  deliveredDay: 0,
  failedDay: 0,
  attemptsDay: 0,
  failedAttemptsDay: 0,
  waiting: 0,
  held: 0,
  overdue: 0,
  oldestWaitingAt: null,
  nextDueAt: null,
  lastAttemptAt: null,
  lastDeliveredAt: null,
  failingSince: null,
  breaker: 'closed',
  nextProbeAt: null,
  stop: null,
  problem: null,
  receiverP50Ms: null,
  receiverP95Ms: null,
}
