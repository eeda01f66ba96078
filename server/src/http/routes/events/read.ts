import { z } from 'zod'
import { recordAudit } from '../../../db/audit.ts'
import { isEventId } from '../../../model/event-id.ts'
import { isAllowed } from '../../../model/caller.ts'
import { maskData } from '../../../model/mask-data.ts'
import { explainEvent, timelineTypes } from '../../../events/explain.ts'
import { actorOf } from '../../auth/actor.ts'
import { requireReveal } from '../../auth/require-role.ts'
import { scopedOperation } from '../../operation/operation.ts'
import { readNames } from '../hooks/names.ts'
import { seesResponses, seesUrls } from '../visible-hook.ts'
import { eventNotFound, pathEventId, revealParam, revealReason } from './params.ts'
import { eventResponse, explainedHookResponse, presentEvent, presentExplained } from './present.ts'

const time = z.iso.datetime()

export const readEventOperation = scopedOperation('events:read', {
  id: 'readEvent',
  group: 'Events',
  role: 'viewer',
  summary: 'Read event',
  description:
    'Returns one event with the match result of each webhook, all deliveries and attempts with request and response, and the next attempt. Numbers, texts and header values are masked. `reveal` returns them unmasked and is recorded in the audit log.',
  params: z.object({
    id: pathEventId,
    reveal: revealParam,
    reveal_reason: revealReason,
  }),
  response: z.object({
    event: eventResponse.extend({
      data: z.record(z.string(), z.unknown()),
      producer: z.string().nullable(),
    }),
    routed: z.object({ at: time, hooks_version: z.int() }).nullable(),
    hooks: z.array(explainedHookResponse),
    timeline: z.array(
      z.object({
        at: time,
        type: z.enum(timelineTypes),
        hook_id: z.int().nullable(),
        round: z.int().nullable(),
        attempt: z.int().nullable(),
        message: z.string(),
      }),
    ),
  }),
  errors: ['notFound'],
  isExpensive: true,
  async handle({ db, clock, vault, eventTypes }, { caller, input }) {
    const { accountId } = caller
    const catalog = eventTypes.current()
    if (input.reveal) requireReveal(caller, input.reveal_reason)
    // Custom headers require the scope to read webhooks.
    const visibility = {
      data: input.reveal,
      headers: input.reveal && isAllowed(caller, 'hooks:read', 'developer'),
      urls: seesUrls(caller),
      responses: seesResponses(caller),
    }
    const explained = isEventId(input.id)
      ? await explainEvent(
          { db, vault, now: clock.now, catalog },
          accountId,
          input.id.toLowerCase(),
          visibility,
        )
      : undefined
    if (explained === undefined) throw eventNotFound()
    const { record, routed, hooks, timeline } = explained
    if (input.reveal)
      await db.transaction().execute((trx) =>
        recordAudit(trx, {
          accountId,
          actor: actorOf(caller),
          action: 'event.reveal',
          subject: `event:${record.id}`,
          ...(input.reveal_reason !== undefined && { detail: { because: input.reveal_reason } }),
        }),
      )
    const names = await readNames(
      db,
      accountId,
      hooks.map(({ hook }) => hook.hookId),
    )
    const data = input.reveal
      ? record.data
      : maskData(record.data, catalog.traitsOf(record.type).publicFields)
    return {
      event: {
        ...presentEvent({ ...record, isRouted: !record.isInInbox && record.parked === null }, input.reveal),
        data: JSON.parse(data) as Record<string, unknown>,
        producer: record.producer,
      },
      routed: routed && { at: routed.at.toISOString(), hooks_version: Number(routed.hooksVersion) },
      hooks: hooks.map((entry) => presentExplained(entry, names.find(entry.hook.hookId), visibility)),
      timeline: timeline.map(({ at, type, hookId, round, attempt, message }) => ({
        at: at.toISOString(),
        type,
        hook_id: hookId,
        round,
        attempt,
        message,
      })),
    }
  },
})
