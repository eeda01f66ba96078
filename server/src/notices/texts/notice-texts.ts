/** What the texts of each kind of notice are made of. */
import type { NoticeDetail, NoticeKind } from '../../model/notice.ts'

export interface DescribedNotice {
  kind: NoticeKind
  /** When the reported period began. Of something that ends, when it ends. */
  streak: Date
  createdAt: Date
  detail: NoticeDetail
  /** Alias of the user who did it; null if it was nobody with a login, or one that is deleted. */
  actorName: string | null
  /** Name of the member, key, app or channel that was changed, if it is known. */
  subjectName: string | null
}

/** The page with the button of the notice. */
export type NoticePage = 'webhook' | 'keys' | 'security' | 'audit' | 'signIns'

export interface NoticeTexts {
  /** Says what happened: "4 webhooks at shop.example are failing". `subject` is "4 webhooks at shop.example". */
  headline: (subject: string, count: number) => string
  /** What happened, and since when. */
  fact: (notice: DescribedNotice) => string
  /** What happens next, and what to do. */
  next: (notice: DescribedNotice) => string
  /** Whether the latest failure of the webhook is the likely cause. */
  hasCause?: true
  /** Whether `next` is the same for all notices, so that it is said once for several. */
  hasCommonNext?: true
  page: NoticePage
}

export function count(number = 0): string {
  return number.toLocaleString('en')
}

export function plural(number: number, one: string, many: string): string {
  return `${count(number)} ${number === 1 ? one : many}`
}
