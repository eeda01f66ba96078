/** Groups notices by kind and host, most urgent first, for one message. Pure. */
import { type NoticeKind, noticeKinds } from '../model/notice.ts'
import { headlineOf } from './describe-notice.ts'
import { describeChange } from './texts/security-texts.ts'
import type { DescribedNotice } from './texts/notice-texts.ts'

export interface SentNotice extends DescribedNotice {
  id: number
  /** Null: the notice is about something else than a webhook. */
  hookId: number | null
  /** Name and URL of the webhook, if it still exists. */
  name: string | null
  callUrl: string | null
}

export interface Section {
  kind: NoticeKind
  headline: string
  notices: SentNotice[]
}

/** Most urgent first. */
const order: readonly NoticeKind[] = [
  'sign_in',
  'login_changed',
  'account_changed',
  'gone',
  'disabled',
  'expiring',
  'lost',
  'failing_3d',
  'failing_24h',
  'failing_1h',
  'backing_off',
  'certificate_1d',
  'key_1d',
  'certificate_7d',
  'key_7d',
  'secret_6h',
  'slow',
  'certificate_21d',
  'deprecated',
  'recovered',
]

export function groupNotices(notices: readonly SentNotice[]): Section[] {
  const groups = Map.groupBy(
    withoutEarlierStages(notices),
    (notice) => `${notice.kind} ${hostOf(notice) ?? ''}`,
  )
  return [...groups.values()]
    .flatMap((members) => {
      const [first] = members
      if (first === undefined) return []
      const { kind } = first
      return [{ kind, headline: headlineOf(kind, subjectOf(members), members.length), notices: members }]
    })
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.notices.length - a.notices.length)
}

/** Stages of one problem: only the last is told. One hour is no news after three days. */
const stages = [/^(failing_|backing_off)/, /^certificate_/, /^key_/]

function withoutEarlierStages(notices: readonly SentNotice[]): SentNotice[] {
  const latest = new Map<string, SentNotice>()
  for (const notice of notices) {
    const name = problemOf(notice)
    const known = latest.get(name)
    if (known === undefined || order.indexOf(notice.kind) < order.indexOf(known.kind))
      latest.set(name, notice)
  }
  return notices.filter((notice) => latest.get(problemOf(notice)) === notice)
}

/** Names the problem that the notice is a stage of. Others are problems of their own. */
function problemOf({ id, kind, hookId, detail }: SentNotice): string {
  const problem = stages.findIndex((pattern) => pattern.test(kind))
  return problem === -1 ? String(id) : `${problem} ${hookId ?? detail.name}`
}

function subjectOf(notices: readonly SentNotice[]): string {
  const [first] = notices
  if (first === undefined) return ''
  const host = hostOf(first)
  if (noticeKinds[first.kind].group === 'security') return describeChange(first)
  if (host !== null)
    return notices.length === 1
      ? `${labelOf(shortened(first))} at ${host}`
      : `${notices.length} webhooks at ${host}`
  return notices.length === 1 ? labelOf(first) : `${notices.length} API keys`
}

/** In subjects of emails, a name of 200 characters would hide the rest. */
const maxNameInHeadline = 60

function shortened(notice: SentNotice): SentNotice {
  const { name } = notice
  if (name === null || name.length <= maxNameInHeadline) return notice
  return { ...notice, name: `${name.slice(0, maxNameInHeadline).toWellFormed().trimEnd()}…` }
}

/** Names a webhook without its URL, whose path and query may contain secrets. Others are named by their group. */
export function labelOf({ kind, name, hookId, detail }: SentNotice): string {
  if (hookId !== null) return name === null ? `Webhook ${hookId}` : `Webhook ${hookId} “${name}”`
  return noticeKinds[kind].group === 'credentials' && detail.name !== undefined
    ? `API key “${detail.name}”`
    : ''
}

/** Returns host and port only: userinfo, path and query may contain secrets. Null without a webhook. */
export function hostOf({ hookId, callUrl }: Pick<SentNotice, 'hookId' | 'callUrl'>): string | null {
  if (hookId === null) return null
  return (callUrl === null ? undefined : URL.parse(callUrl)?.host) ?? 'an unknown host'
}
