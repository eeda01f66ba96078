/** A webhook and how it is doing, as the developer area and programs see them. */
import { z } from 'zod'
import type { HookDetails } from '../../../hooks/read-hook.ts'
import { eventTypes, requestMethods } from '../../../model/hook.ts'
import { describeHook, hookStates } from '../../../model/hook-state.ts'
import type { HookHealth } from '../../../pipeline/work/hook-health.ts'

const instant = z.iso.datetime()
const count = z.int().min(0)

export const hookAnswer = z
  .object({
    id: z.int32().positive(),
    target_url: z.string().meta({ description: 'The address, exactly as it was registered.' }),
    event_type: z.enum(eventTypes),
    event_filter: z.string().nullable(),
    request_method: z.enum(requestMethods),
    headers: z.string().meta({ description: 'Separated by line feeds; empty when there are none.' }),
    enabled: z.boolean(),
    disabled_reason: z
      .string()
      .nullable()
      .meta({ description: '`owner`, `operator`, `failing` or `gone`; null while it is enabled.' }),
    most_per_second: z.int().nullable().meta({ description: 'Deliveries a second at most; null: no limit.' }),
    created_at: instant,
    changed_at: instant,
  })
  .meta({ id: 'ManagedWebhook' })

export function presentHook(hook: HookDetails): z.infer<typeof hookAnswer> {
  return {
    id: hook.id,
    target_url: hook.targetUrl,
    event_type: hook.eventType,
    event_filter: hook.eventFilter,
    request_method: hook.requestMethod,
    headers: hook.headers,
    enabled: hook.enabled,
    disabled_reason: hook.disabledReason,
    most_per_second: hook.mostPerSecond,
    created_at: hook.createdAt.toISOString(),
    changed_at: hook.changedAt.toISOString(),
  }
}

export const healthAnswer = z
  .object({
    hook_id: z.int32().positive(),
    state: z.enum(hookStates),
    sentence: z.string().meta({ description: 'The state in words.' }),
    delivered_24h: count,
    failed_24h: count.meta({ description: 'Deliveries that failed for good or expired.' }),
    attempts_24h: count,
    failed_attempts_24h: count,
    success_rate: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: 'Of the deliveries that ended in the last 24 hours; null: none did.' }),
    waiting: count,
    held: count.meta({ description: 'What it would have received while it is disabled.' }),
    oldest_waiting_at: instant
      .nullable()
      .meta({ description: 'When the event that waits longest was accepted.' }),
    last_attempt_at: instant.nullable(),
    last_delivered_at: instant.nullable(),
    failing_since: instant.nullable(),
    breaker: z.enum(['closed', 'open', 'probing']),
    next_probe_at: instant.nullable(),
    stop: z
      .object({
        scope: z.enum(['all', 'account', 'hook', 'host']),
        reason: z.string().meta({ description: 'As the operator has put it.' }),
        since: instant,
      })
      .nullable()
      .meta({ description: 'What an operator has stopped: deliveries wait until it ends.' }),
    problem: z.string().nullable().meta({
      description:
        'Why the webhook cannot be loaded: `filter`, `headers`, `target_url` or `settings`. Deliveries wait until it is changed.',
    }),
    receiver_p50_ms: z.number().nullable(),
    receiver_p95_ms: z.number().nullable(),
  })
  .meta({ id: 'WebhookHealth' })

export function presentHealth(
  hook: Pick<HookDetails, 'id' | 'enabled' | 'disabledReason' | 'hasUnreadableHeaders'>,
  health: HookHealth | undefined,
  now: number,
): z.infer<typeof healthAnswer> {
  // A hook that was deleted between the two statements has no figures any more.
  const found = health ?? { ...nothing, hookId: hook.id }
  const known = { ...found, problem: found.problem ?? (hook.hasUnreadableHeaders ? 'headers' : null) }
  const ended = known.deliveredDay + known.failedDay
  return {
    hook_id: hook.id,
    ...describeHook({ ...known, ...hook }, now),
    delivered_24h: known.deliveredDay,
    failed_24h: known.failedDay,
    attempts_24h: known.attemptsDay,
    failed_attempts_24h: known.failedAttemptsDay,
    success_rate: ended === 0 ? null : known.deliveredDay / ended,
    waiting: known.waiting,
    held: known.held,
    oldest_waiting_at: timeOf(known.oldestWaitingAt),
    last_attempt_at: timeOf(known.lastAttemptAt),
    last_delivered_at: timeOf(known.lastDeliveredAt),
    failing_since: timeOf(known.failingSince),
    breaker: known.breaker,
    next_probe_at: timeOf(known.nextProbeAt),
    stop: known.stop && {
      scope: known.stop.scope,
      reason: known.stop.reason,
      since: known.stop.createdAt.toISOString(),
    },
    problem: known.problem,
    receiver_p50_ms: known.receiverP50Ms,
    receiver_p95_ms: known.receiverP95Ms,
  }
}

export function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null
}

const nothing: HookHealth = {
  hookId: 0,
  deliveredDay: 0,
  failedDay: 0,
  attemptsDay: 0,
  failedAttemptsDay: 0,
  waiting: 0,
  held: 0,
  oldestWaitingAt: null,
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
