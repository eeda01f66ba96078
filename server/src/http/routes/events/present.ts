/** Events, their deliveries and attempts on the wire. Whatever says something about a person is masked unless it was asked for. */
import { z } from 'zod'
import { mask } from '../../../model/mask.ts'
import type { EventRow } from '../../../pipeline/ledger/event-rows.ts'
import { deliveryStates } from '../../../pipeline/ledger/find-events.ts'
import type { ExplainedHook } from '../../../pipeline/explain.ts'
import type { ShownAttempt } from '../../../pipeline/show-attempts.ts'

const time = z.iso.datetime()

export const eventAnswer = z
  .object({
    id: z.uuid(),
    type: z.string(),
    accepted_at: time,
    occurred_at: time.nullable(),
    message_id: z.string().nullable(),
    from: z.string().nullable().meta({ description: 'Masked: the first four and the last two characters.' }),
    to: z.string().nullable().meta({ description: 'Masked: the first four and the last two characters.' }),
    foreign_id: z.string().nullable(),
    is_test: z.boolean(),
    deliveries: z.array(
      z.object({
        hook_id: z.int(),
        state: z.enum(deliveryStates),
        reason: z.string().nullable(),
        attempts: z.int(),
        round: z.int().meta({ description: '1, and one more each time that it was sent again.' }),
      }),
    ),
  })
  .meta({ id: 'Event' })

export function presentEvent(row: EventRow, isRevealed = false): z.infer<typeof eventAnswer> {
  const shown = (number: string | null): string | null =>
    number === null || isRevealed ? number : mask(number)
  return {
    id: row.id,
    type: row.type,
    accepted_at: row.acceptedAt.toISOString(),
    occurred_at: row.occurredAt?.toISOString() ?? null,
    message_id: row.messageId,
    from: shown(row.sender),
    to: shown(row.recipient),
    foreign_id: row.foreignId,
    is_test: row.testHookId !== null,
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

export const attemptAnswer = z
  .object({
    event_id: z.uuid(),
    hook_id: z.int(),
    round: z.int(),
    attempt: z.int(),
    started_at: time,
    reason: z.string(),
    sentence: z.string(),
    advice: z.string().nullable(),
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
          description: 'The response shows 4 MiB of requests; this one is shown without its fields and body.',
        }),
      })
      .nullable()
      .meta({ description: 'As it was sent; signatures and nonce are fresh each time and not kept.' }),
    answer: z
      .object({
        headers: z.string(),
        body: z.string().nullable().meta({ description: 'The first 4 KiB, as they came; null: not a text.' }),
        is_text: z.boolean(),
        truncated: z.boolean(),
      })
      .nullable(),
    worker: z.string(),
  })
  .meta({ id: 'Attempt' })

export function presentAttempt(attempt: ShownAttempt): z.infer<typeof attemptAnswer> {
  const { answer } = attempt
  return {
    event_id: attempt.eventId,
    hook_id: attempt.hookId,
    round: attempt.round,
    attempt: attempt.attempt,
    started_at: attempt.startedAt.toISOString(),
    reason: attempt.reason,
    sentence: attempt.sentence,
    advice: attempt.advice,
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
    answer: answer && {
      headers: answer.headers,
      body: answer.body,
      is_text: answer.isText,
      truncated: answer.isTruncated,
    },
    worker: attempt.worker,
  }
}

export const explainedHookAnswer = z
  .object({
    hook_id: z.int(),
    target_url: z.string(),
    event_type: z.string(),
    event_filter: z.string().nullable(),
    request_method: z.string(),
    verdict: z.enum(['matched', 'held', 'not_matched', 'created_later', 'deleted_before']),
    why: z.object({
      kind: z.string(),
      saw: z.string().optional().meta({ description: 'What the filter looked at.' }),
      clause: z.string().optional().meta({ description: 'The part of the expression that decided.' }),
      sentence: z.string(),
    }),
    later_changes: z
      .array(z.object({ change: z.string(), at: time }))
      .meta({ description: 'What happened to the webhook since; its values here are those of then.' }),
    deliveries: z.array(
      z.object({
        round: z.int(),
        state: z.enum(deliveryStates),
        reason: z.string().nullable(),
        sentence: z.string(),
        attempts: z.array(attemptAnswer),
        next_attempt_at: time.nullable(),
        next_why: z.string().nullable(),
        finished_at: time.nullable(),
      }),
    ),
  })
  .meta({ id: 'ExplainedWebhook' })

export function presentExplained(explained: ExplainedHook): z.infer<typeof explainedHookAnswer> {
  const { hook, verdict, why, deliveries } = explained
  return {
    hook_id: hook.hookId,
    target_url: hook.targetUrl,
    event_type: hook.eventType,
    event_filter: hook.eventFilter,
    request_method: hook.requestMethod,
    verdict,
    why,
    later_changes: hook.laterChanges.map(({ change, at }) => ({ change, at: new Date(at).toISOString() })),
    deliveries: deliveries.map((delivery) => ({
      round: delivery.round,
      state: delivery.state,
      reason: delivery.reason,
      sentence: delivery.sentence,
      attempts: delivery.attempts.map(presentAttempt),
      next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
      next_why: delivery.nextWhy,
      finished_at: delivery.finishedAt?.toISOString() ?? null,
    })),
  }
}
