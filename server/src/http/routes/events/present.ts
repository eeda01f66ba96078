/** API representation of events, deliveries and attempts. Personal data is masked unless revealed. */
import { z } from 'zod'
import { hideQuery } from '../../../model/hide-secrets.ts'
import { mask } from '../../../model/mask.ts'
import type { EventRow } from '../../../events/event-rows.ts'
import { deliveryStates } from '../../../events/search-events.ts'
import { type ExplainedHook, verdicts, whyKinds } from '../../../events/explain.ts'
import { changeKinds } from '../../../hooks/audit-change.ts'
import { nextReasons } from '../../../model/delivery/reasons.ts'
import type { AttemptView, Visibility } from '../../../events/describe-attempts.ts'
import { namedHookResponse, type NamedWebhook } from '../hooks/names.ts'
import { attemptReason, deliveryReason, hookProblem } from '../fields.ts'
import { chosenTypes, presentChosen } from '../hooks/types.ts'

const time = z.iso.datetime()

export const eventResponse = z
  .object({
    id: z.uuid(),
    type: z.string(),
    accepted_at: time,
    occurred_at: time.nullable(),
    message_id: z.string().nullable(),
    from: z
      .string()
      .nullable()
      .meta({ description: 'Masked except for the first four and last two characters.' }),
    to: z
      .string()
      .nullable()
      .meta({ description: 'Masked except for the first four and last two characters.' }),
    foreign_id: z.string().nullable(),
    is_test: z.boolean(),
    is_routed: z.boolean().meta({ description: 'Whether the event has been matched against the webhooks.' }),
    deliveries: z.array(
      z.object({
        hook_id: z.int(),
        state: z.enum(deliveryStates),
        reason: deliveryReason.nullable().meta({
          description:
            'While the delivery is pending: the reason of its last attempt, null before the first.',
        }),
        attempts: z.int(),
        round: z.int().meta({ description: '1 is the original delivery, each replay adds 1.' }),
      }),
    ),
  })
  .meta({ id: 'Event' })

export function presentEvent(row: EventRow, isRevealed = false): z.infer<typeof eventResponse> {
  const masked = (number: string | null): string | null =>
    number === null || isRevealed ? number : mask(number)
  return {
    id: row.id,
    type: row.type,
    accepted_at: row.acceptedAt.toISOString(),
    occurred_at: row.occurredAt?.toISOString() ?? null,
    message_id: row.messageId,
    from: masked(row.sender),
    to: masked(row.recipient),
    foreign_id: row.foreignId,
    is_test: row.isTest,
    is_routed: row.isRouted,
    deliveries: row.deliveries.map(({ hookId, state, reason, attempts, round }) => ({
      hook_id: hookId,
      state,
      reason,
      attempts,
      round,
    })),
  }
}

const ms = z.number().nullable()

export const attemptResponse = z
  .object({
    event_id: z.uuid(),
    hook_id: z.int(),
    round: z.int(),
    attempt: z.int(),
    started_at: time,
    reason: attemptReason,
    message: z.string(),
    hint: z.string().nullable(),
    status: z.int().nullable(),
    phases: z.object({
      dns_ms: ms,
      connect_ms: ms,
      tls_ms: ms,
      first_byte_ms: ms,
      body_ms: ms,
      total_ms: z.number(),
    }),
    request: z
      .object({
        method: z.string(),
        url: z.string(),
        headers: z.array(z.object({ name: z.string(), value: z.string() })),
        body: z.string(),
        truncated: z.boolean().meta({
          description:
            'The response contains at most 4 MiB of requests. This one is returned without data and body.',
        }),
      })
      .nullable()
      .meta({ description: 'The request as sent, without signatures and nonce, which are not stored.' }),
    response: z
      .object({
        headers: z.string(),
        body: z.string().nullable().meta({ description: 'First 4 KiB of the body. Null if it is not text.' }),
        is_text: z.boolean(),
        truncated: z.boolean(),
      })
      .nullable(),
    worker: z.string(),
  })
  .meta({ id: 'Attempt' })

export function presentAttempt(attempt: AttemptView): z.infer<typeof attemptResponse> {
  const { response } = attempt
  return {
    event_id: attempt.eventId,
    hook_id: attempt.hookId,
    round: attempt.round,
    attempt: attempt.attempt,
    started_at: attempt.startedAt.toISOString(),
    reason: attempt.reason,
    message: attempt.message,
    hint: attempt.hint,
    status: attempt.status,
    phases: {
      dns_ms: attempt.dnsMs,
      connect_ms: attempt.connectMs,
      tls_ms: attempt.tlsMs,
      first_byte_ms: attempt.firstByteMs,
      body_ms: attempt.bodyMs,
      total_ms: attempt.totalMs,
    },
    request: attempt.request,
    response: response && {
      headers: response.headers,
      body: response.body,
      is_text: response.isText,
      truncated: response.isTruncated,
    },
    worker: attempt.worker,
  }
}

export const explainedHookResponse = z
  .object({
    hook_id: z.int(),
    webhook: namedHookResponse.nullable().meta({ description: 'Current name and endpoint of the webhook.' }),
    target_url: z.string(),
    event_type: z.string(),
    event_filter: z.string().nullable(),
    chosen: chosenTypes,
    request_method: z.string(),
    verdict: z.enum(verdicts),
    why: z.object({
      kind: z.enum(whyKinds),
      field: z
        .string()
        .optional()
        .meta({ description: 'Field that the filter checks, or that the event does not have.' }),
      actual: z.string().optional().meta({ description: 'Actual value that the filter evaluated.' }),
      clause: z
        .string()
        .optional()
        .meta({ description: 'Clause of the expression that decided the result.' }),
      error: z.string().optional().meta({ description: 'Why the clause could not be evaluated.' }),
      message: z.string(),
    }),
    later_changes: z.array(z.object({ change: z.enum(changeKinds), at: time })).meta({
      description:
        'Changes of the webhook since the event. The other fields show the webhook at the time of the event.',
    }),
    deliveries: z.array(
      z.object({
        round: z.int(),
        state: z.enum(deliveryStates),
        reason: deliveryReason.nullable(),
        message: z.string(),
        attempts: z.array(attemptResponse),
        max_attempts: z.int(),
        next_attempt_at: time.nullable(),
        next_reason: z.enum(nextReasons).nullable().meta({
          description:
            'Why the next attempt has its time: first attempt, backoff, `Retry-After`, open circuit breaker, or already in flight.',
        }),
        stop_reason: z
          .string()
          .nullable()
          .meta({ description: 'Reason given by the operator who stopped the delivery.' }),
        problem: hookProblem.nullable(),
        next_message: z.string().nullable(),
        finished_at: time.nullable(),
      }),
    ),
  })
  .meta({ id: 'ExplainedWebhook' })

export function presentExplained(
  explained: ExplainedHook,
  webhook: NamedWebhook | null,
  { urls }: Pick<Visibility, 'urls'>,
): z.infer<typeof explainedHookResponse> {
  const { hook, verdict, why, deliveries } = explained
  return {
    hook_id: hook.hookId,
    webhook,
    target_url: urls ? hook.targetUrl : hideQuery(hook.targetUrl),
    event_type: hook.eventType,
    event_filter: hook.eventFilter,
    chosen: presentChosen(hook),
    request_method: hook.requestMethod,
    verdict,
    why,
    later_changes: hook.laterChanges.map(({ change, at }) => ({ change, at: new Date(at).toISOString() })),
    deliveries: deliveries.map((delivery) => ({
      round: delivery.round,
      state: delivery.state,
      reason: delivery.reason,
      message: delivery.message,
      attempts: delivery.attempts.map(presentAttempt),
      max_attempts: delivery.maxAttempts,
      next_attempt_at: delivery.next?.at.toISOString() ?? null,
      next_reason: delivery.next?.reason ?? null,
      stop_reason: delivery.hold?.stopReason ?? null,
      problem: delivery.hold?.problem ?? null,
      next_message: delivery.nextMessage,
      finished_at: delivery.finishedAt?.toISOString() ?? null,
    })),
  }
}
