import { z } from 'zod'
import { recordAudit } from '../../../db/audit.ts'
import { grants } from '../../../model/caller.ts'
import { maskData } from '../../../model/mask-data.ts'
import { explain } from '../../../pipeline/explain.ts'
import { actorOf } from '../../actor.ts'
import { scopedOperation } from '../../operation.ts'
import { isEventId, noSuchEvent, pathEventId } from './params.ts'
import { eventAnswer, explainedHookAnswer, presentEvent, presentExplained } from './present.ts'

const time = z.iso.datetime()

export const readEvent = scopedOperation('events:read', {
  id: 'readEvent',
  group: 'Events',
  summary: 'What became of an event',
  description:
    'Everything about one event: each webhook with why it got the event or did not, each attempt with what was sent and answered, and what happens next. Numbers, texts and header values are masked; with `reveal` they are not, and that is written to the audit log.',
  params: z.object({
    id: pathEventId,
    reveal: z
      .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
      .transform((given) => given === true || given === 'true')
      .default(false)
      .meta({ type: 'boolean' }),
  }),
  answer: z.object({
    event: eventAnswer.extend({
      data: z.record(z.string(), z.unknown()),
      producer: z.string().nullable(),
    }),
    routed: z.object({ at: time, hooks_version: z.int() }).nullable(),
    hooks: z.array(explainedHookAnswer),
    timeline: z.array(z.object({ at: time, sentence: z.string() })),
  }),
  failures: ['notFound'],
  isHeavy: true,
  async handle({ db, clock, vault }, { caller, input }) {
    const { accountId } = caller
    // Who may not see webhooks does not see here what they send along.
    const revealed = { data: input.reveal, headers: input.reveal && grants(caller.scopes, 'hooks:read') }
    const explained = isEventId(input.id)
      ? await explain({ db, vault, now: clock.now }, accountId, input.id.toLowerCase(), revealed)
      : undefined
    if (explained === undefined) throw noSuchEvent()
    const { record, routed, hooks, timeline } = explained
    if (input.reveal)
      await db.transaction().execute((trx) =>
        recordAudit(trx, {
          accountId,
          actor: actorOf(caller),
          action: 'event.reveal',
          subject: `event:${record.id}`,
        }),
      )
    const data = input.reveal ? record.data : maskData(record.data)
    return {
      event: {
        ...presentEvent(record, input.reveal),
        data: JSON.parse(data) as Record<string, unknown>,
        producer: record.producer,
      },
      routed: routed && { at: routed.at.toISOString(), hooks_version: Number(routed.hooksVersion) },
      hooks: hooks.map(presentExplained),
      timeline: timeline.map(({ at, sentence }) => ({ at: at.toISOString(), sentence })),
    }
  },
})
