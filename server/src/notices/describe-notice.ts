/** Describes notices for users: what happened, since when, the likely cause, and what happens next. Pure. */
import { describeFailure, hint } from '../model/delivery/reasons.ts'
import type { NoticeDetail, NoticeKind } from '../model/notice.ts'
import { credentialTexts } from './texts/credential-texts.ts'
import { failureTexts } from './texts/failure-texts.ts'
import type { DescribedNotice, NoticePage, NoticeTexts } from './texts/notice-texts.ts'
import { receiverTexts } from './texts/receiver-texts.ts'
import { securityTexts } from './texts/security-texts.ts'

const texts: Record<NoticeKind, NoticeTexts> = {
  ...failureTexts,
  ...receiverTexts,
  ...credentialTexts,
  ...securityTexts,
}

/** Says what happened: "4 webhooks at shop.example are failing". `subject` is "4 webhooks at shop.example". */
export function headlineOf(kind: NoticeKind, subject: string, count: number): string {
  return texts[kind].headline(subject, count)
}

/** Describes one notice in sentences. */
export function describeNotice(notice: DescribedNotice): string {
  return `${describeFact(notice)} ${texts[notice.kind].next(notice)}`
}

/** Says what happened and why, but not what happens next. */
export function describeFact(notice: DescribedNotice): string {
  const { fact, hasCause } = texts[notice.kind]
  const cause = hasCause ? causeOf(notice.detail) : null
  return cause === null ? fact(notice) : `${fact(notice)} ${cause}`
}

/** What to do about several notices of a kind, if that is the same for all. */
export function commonNextOf([first, ...others]: readonly DescribedNotice[]): string | null {
  if (first === undefined || others.length === 0) return null
  const { next, hasCommonNext } = texts[first.kind]
  return hasCommonNext ? next(first) : null
}

export function pageOf(kind: NoticeKind): NoticePage {
  return texts[kind].page
}

/** The latest failure, and what can be done about it. */
function causeOf({ reason, status = null }: NoticeDetail): string | null {
  if (reason === undefined) return null
  const advice = hint(reason, status)
  return `Likely cause: ${describeFailure(reason, status)}${advice === null ? '' : ` ${advice}`}`
}
