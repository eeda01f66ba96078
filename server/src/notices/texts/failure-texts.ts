/** Texts about webhooks that fail, work again, are disabled or lose events. Pure. */
import { instant } from '../../model/clock-time.ts'
import { dayMs } from '../../model/day.ts'
import type { NoticeKind } from '../../model/notice.ts'
import { count, type DescribedNotice, type NoticeTexts, plural } from './notice-texts.ts'

/** Of failures, until the webhook is disabled. */
const failingDays = 5
const heldDays = 7

type FailureKind = Extract<
  NoticeKind,
  `failing_${string}` | 'backing_off' | 'recovered' | 'disabled' | 'gone' | 'expiring' | 'lost'
>

export const failureTexts: Record<FailureKind, NoticeTexts> = {
  failing_1h: failingFor(''),
  failing_24h: failingFor(' for more than 24 hours'),
  failing_3d: failingFor(' for more than 3 days'),
  backing_off: {
    headline: (subject, hooks) => `${subject} ${hooks === 1 ? 'fails' : 'fail'} often, so Hookline backs off`,
    fact: ({ streak }) => `Most attempts have failed since ${instant(streak)}.`,
    next: () =>
      'Hookline probes your server at least once per minute. Other deliveries are pending, and are sent as soon as a probe succeeds.',
    hasCause: true,
    page: 'webhook',
  },
  recovered: {
    headline: (subject, hooks) => `${subject} ${hooks === 1 ? 'works' : 'work'} again`,
    fact: (notice) =>
      `Failing since ${instant(notice.streak)}, working again at ${instant(notice.createdAt)}. ${describeLoss(notice)}`,
    next: describePending,
    page: 'webhook',
  },
  disabled: {
    headline: (subject, hooks) =>
      `${subject} ${isOrAre(hooks)} disabled after ${failingDays} days of failures`,
    fact: ({ streak }) => `All attempts since ${instant(streak)} failed.`,
    next: describeHold,
    hasCause: true,
    page: 'webhook',
  },
  gone: {
    headline: (subject, hooks) => `${subject} ${isOrAre(hooks)} disabled: your server responded 410 Gone`,
    fact: ({ createdAt }) =>
      `Your server responded 410 Gone at ${instant(createdAt)}. Hookline disabled the webhook.`,
    next: describeHold,
    page: 'webhook',
  },
  expiring: {
    headline: (subject) => `${subject} will lose events on hold within 24 hours`,
    fact: ({ streak, detail: { held = 0, ends_at: endsAt } }) => {
      const first = endsAt === undefined ? '' : `, the first at ${instant(new Date(endsAt))}`
      return `${plural(held, 'event', 'events')} on hold since ${instant(streak)} will be lost within 24 hours${first}.`
    },
    next: () => 'The webhook is disabled. Enable it to deliver them.',
    page: 'webhook',
  },
  lost: {
    headline: (subject, hooks) =>
      `${subject} ${hooks === 1 ? 'has' : 'have'} lost deliveries in the last 24 hours`,
    fact: ({ streak, detail: { lost, finished = 0 } }) =>
      `${count(lost)} of ${plural(finished, 'delivery', 'deliveries')} finished in the last 24 hours failed or expired, the first after ${instant(streak)}.`,
    next: () => 'They are not retried. Replay them in the dashboard while their events are stored.',
    hasCause: true,
    page: 'webhook',
  },
}

function failingFor(time: string): NoticeTexts {
  return {
    headline: (subject, hooks) => `${subject} ${isOrAre(hooks)} failing${time}`,
    fact: ({ streak }) => `All attempts since ${instant(streak)} failed.`,
    next: ({ streak }) =>
      `Hookline keeps retrying. If no attempt succeeds, the webhook is disabled on ${instant(later(streak, failingDays))} or later.`,
    hasCause: true,
    page: 'webhook',
  }
}

function describeHold({ createdAt }: DescribedNotice): string {
  return `New events are on hold for up to ${heldDays} days, the first until ${instant(later(createdAt, heldDays))}. Enable the webhook to deliver them.`
}

function describeLoss({ detail: { lost = 0 } }: DescribedNotice): string {
  return lost === 0 ? 'No delivery was lost.' : `${plural(lost, 'delivery', 'deliveries')} failed or expired.`
}

function describePending({ detail: { pending = 0, held = 0 } }: DescribedNotice): string {
  const late =
    pending === 0
      ? 'No delivery is pending.'
      : `${plural(pending, 'late delivery', 'late deliveries')} will be delivered now.`
  return held === 0 ? late : `${late} ${plural(held, 'delivery', 'deliveries')} on hold.`
}

function isOrAre(hooks: number): string {
  return hooks === 1 ? 'is' : 'are'
}

function later(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs)
}
