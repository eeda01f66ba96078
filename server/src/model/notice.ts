/** Notices: their kinds, the groups of kinds that users choose, and how they are sent. */
import type { AuditAction } from './audit-actions.ts'
import type { AttemptReason } from './delivery/outcome.ts'

export const noticeGroups = [
  'failing',
  'disabled',
  'lost',
  'slow',
  'certificates',
  'credentials',
  'security',
] as const
export type NoticeGroup = (typeof noticeGroups)[number]

/** Users should act on urgent notices soon, so these are sent at any time. Others are sent at most once per hour. */
export const noticeKinds = {
  failing_1h: { group: 'failing', isUrgent: false },
  failing_24h: { group: 'failing', isUrgent: false },
  failing_3d: { group: 'failing', isUrgent: false },
  backing_off: { group: 'failing', isUrgent: false },
  recovered: { group: 'failing', isUrgent: false },
  disabled: { group: 'disabled', isUrgent: true },
  gone: { group: 'disabled', isUrgent: true },
  expiring: { group: 'lost', isUrgent: true },
  lost: { group: 'lost', isUrgent: true },
  slow: { group: 'slow', isUrgent: false },
  certificate_21d: { group: 'certificates', isUrgent: false },
  certificate_7d: { group: 'certificates', isUrgent: false },
  certificate_1d: { group: 'certificates', isUrgent: false },
  key_7d: { group: 'credentials', isUrgent: false },
  key_1d: { group: 'credentials', isUrgent: false },
  secret_6h: { group: 'credentials', isUrgent: false },
  deprecated: { group: 'credentials', isUrgent: false },
  account_changed: { group: 'security', isUrgent: false },
  // Only for the user that they are about, who cannot turn them off.
  login_changed: { group: 'security', isUrgent: true },
  sign_in: { group: 'security', isUrgent: true },
} as const satisfies Record<string, { group: NoticeGroup; isUrgent: boolean }>

export type NoticeKind = keyof typeof noticeKinds

export const noticeKindNames = Object.keys(noticeKinds) as NoticeKind[]

/** When the notices of a group are sent. */
export const sendingModes = ['instant', 'daily', 'weekly'] as const
export type SendingMode = (typeof sendingModes)[number]

/** How a user gets the notices of a group by email. */
export const noticeModes = [...sendingModes, 'off'] as const
export type NoticeMode = (typeof noticeModes)[number]

export const channelKinds = ['email', 'slack', 'teams', 'json'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** Facts of a notice, stored with it. No content of messages. */
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
  /** Deliveries on hold: all of a webhook that recovered, or those that expire soon. */
  held?: number
  /** When the first delivery on hold expires, or when a certificate, key or secret does. */
  ends_at?: string
  /** Responses that took most of the timeout, of all attempts. */
  slow?: number
  attempts?: number
  /** Name of an API key, or of what a security notice is about. */
  name?: string
  /** When a key was last used; null if never. */
  used_at?: string | null
  /** Uses of a deprecated credential in the last 7 days. */
  uses?: number
  credential?: string
  /** The recorded action of a security notice, and who did it. */
  action?: AuditAction
  actor?: string
  /** Subject of the audit entry, such as `key:3`. */
  about?: string
  ip?: string
  browser?: string
  /** The previous email of a login, which is told that it is no longer used. */
  address?: string
}

export const messageStates = ['queued', 'sent', 'refused', 'expired', 'dropped', 'bounced'] as const
export type MessageState = (typeof messageStates)[number]

export const noticeStates = ['waiting', 'ready', 'dropped'] as const
export type NoticeState = (typeof noticeStates)[number]
