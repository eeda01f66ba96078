/** Describes notices for users: what happened, since when, the likely cause, and what happens next. Pure. */
import { instant } from '../model/clock-time.ts'
import { dayMs } from '../model/day.ts'
import { describeFailure, hint } from '../model/delivery/reasons.ts'
import type { NoticeDetail, NoticeKind } from '../model/notice.ts'

export interface DescribedNotice {
  kind: NoticeKind
  /** When the reported period began. */
  streak: Date
  createdAt: Date
  detail: NoticeDetail
}

/** Of failures, until the webhook is disabled. */
const failingDays = 5
const heldDays = 7

/** Says what happened to webhooks: "4 webhooks at shop.example are failing". `subject` is "4 webhooks at shop.example". */
export function headlineOf(kind: NoticeKind, subject: string, hooks: number): string {
  const [is, has, works] = hooks === 1 ? ['is', 'has', 'works'] : ['are', 'have', 'work']
  const headlines: Record<NoticeKind, string> = {
    failing_1h: `${subject} ${is} failing`,
    failing_24h: `${subject} ${is} failing for more than 24 hours`,
    failing_3d: `${subject} ${is} failing for more than 3 days`,
    recovered: `${subject} ${works} again`,
    disabled: `${subject} ${is} disabled after 5 days of failures`,
    gone: `${subject} ${is} disabled: your server responded 410 Gone`,
    expiring: `${subject} will lose events on hold within 24 hours`,
    lost: `${subject} ${has} lost deliveries in the last 24 hours`,
  }
  return headlines[kind]
}

/** Describes one notice in sentences. */
export function describeNotice(notice: DescribedNotice): string {
  const { fact, next, hasCause } = sentencesOf(notice)
  return [fact, hasCause ? causeOf(notice.detail) : null, next].filter((part) => part !== null).join(' ')
}

interface Sentences {
  fact: string
  next: string
  hasCause: boolean
}

function sentencesOf(notice: DescribedNotice): Sentences {
  const { kind, streak, createdAt, detail } = notice
  const onHold = `New events are on hold for up to ${heldDays} days, the first until ${instant(later(createdAt, heldDays))}. Enable the webhook to deliver them.`
  switch (kind) {
    case 'failing_1h':
    case 'failing_24h':
    case 'failing_3d':
      return {
        fact: `All attempts since ${instant(streak)} failed.`,
        next: `Hookline keeps retrying. If no attempt succeeds, the webhook is disabled on ${instant(later(streak, failingDays))} or later.`,
        hasCause: true,
      }
    case 'recovered':
      return {
        fact: `Failing since ${instant(streak)}, working again at ${instant(createdAt)}. ${lossOf(detail)}`,
        next: pendingOf(detail),
        hasCause: false,
      }
    case 'disabled':
      return { fact: `All attempts since ${instant(streak)} failed.`, next: onHold, hasCause: true }
    case 'gone':
      return {
        fact: `Your server responded 410 Gone at ${instant(createdAt)}. Hookline disabled the webhook.`,
        next: onHold,
        hasCause: false,
      }
    case 'expiring':
      return {
        fact: `${plural(detail.held ?? 0, 'event', 'events')} on hold since ${instant(streak)} will be lost within 24 hours${
          detail.ends_at === undefined ? '' : `, the first at ${instant(new Date(detail.ends_at))}`
        }.`,
        next: 'The webhook is disabled. Enable it to deliver them.',
        hasCause: false,
      }
    case 'lost':
      return {
        fact: `${count(detail.lost)} of ${plural(detail.finished ?? 0, 'delivery', 'deliveries')} finished in the last 24 hours failed or expired, the first after ${instant(streak)}.`,
        next: 'They are not retried. Replay them in the dashboard while their events are stored.',
        hasCause: true,
      }
  }
}

/** The latest failure, and what can be done about it. */
function causeOf({ reason, status = null }: NoticeDetail): string | null {
  if (reason === undefined) return null
  const advice = hint(reason, status)
  return `Likely cause: ${describeFailure(reason, status)}${advice === null ? '' : ` ${advice}`}`
}

function lossOf({ lost = 0 }: NoticeDetail): string {
  return lost === 0 ? 'No delivery was lost.' : `${plural(lost, 'delivery', 'deliveries')} failed or expired.`
}

function pendingOf({ pending = 0 }: NoticeDetail): string {
  return pending === 0
    ? 'No delivery is pending.'
    : `${plural(pending, 'late delivery', 'late deliveries')} will be delivered now.`
}

function later(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs)
}

function count(number = 0): string {
  return number.toLocaleString('en')
}

function plural(number: number, one: string, many: string): string {
  return `${count(number)} ${number === 1 ? one : many}`
}
