/** Notices about webhooks: their kinds, the groups of kinds that users can turn off, and how emails are sent. */
import type { AttemptReason } from './delivery/outcome.ts'

export const noticeGroups = ['failing', 'disabled', 'lost'] as const
export type NoticeGroup = (typeof noticeGroups)[number]

/** Users should act on urgent notices soon, so these are sent at any time. Others are sent at most once per hour. */
export const noticeKinds = {
  failing_1h: { group: 'failing', isUrgent: false },
  failing_24h: { group: 'failing', isUrgent: false },
  failing_3d: { group: 'failing', isUrgent: false },
  recovered: { group: 'failing', isUrgent: false },
  disabled: { group: 'disabled', isUrgent: true },
  gone: { group: 'disabled', isUrgent: true },
  expiring: { group: 'lost', isUrgent: true },
  lost: { group: 'lost', isUrgent: true },
} as const satisfies Record<string, { group: NoticeGroup; isUrgent: boolean }>

export type NoticeKind = keyof typeof noticeKinds

export const noticeKindNames = Object.keys(noticeKinds) as NoticeKind[]

/** How a user gets the notices of a group by email. */
export const noticeModes = ['instant', 'daily', 'off'] as const
export type NoticeMode = (typeof noticeModes)[number]

/** Facts that a notice shows. */
export interface NoticeDetail {
  /** The latest failure of the webhook. */
  reason?: AttemptReason
  status?: number | null
  /** Deliveries that failed or expired. */
  lost?: number
  /** Deliveries that were finished. */
  finished?: number
  /** Deliveries that are still pending. */
  pending?: number
  /** Deliveries on hold that expire soon, and when the first does. */
  held?: number
  ends_at?: string
}

export const emailStates = ['queued', 'sent', 'refused', 'expired', 'dropped'] as const
export type EmailState = (typeof emailStates)[number]

export const noticeStates = ['waiting', 'ready', 'dropped'] as const
export type NoticeState = (typeof noticeStates)[number]
