/** Groups notices by kind and host, most urgent first, for one email. Pure. */
import type { NoticeKind } from '../model/notice.ts'
import { type DescribedNotice, headlineOf } from './describe-notice.ts'

export interface HookNotice extends DescribedNotice {
  hookId: number
  name: string | null
  callUrl: string
}

export interface Section {
  kind: NoticeKind
  headline: string
  notices: HookNotice[]
}

/** Most urgent first. */
const order: readonly NoticeKind[] = [
  'gone',
  'disabled',
  'expiring',
  'lost',
  'failing_3d',
  'failing_24h',
  'failing_1h',
  'recovered',
]

export function groupNotices(notices: readonly HookNotice[]): Section[] {
  const groups = Map.groupBy(
    withoutEarlierStages(notices),
    ({ kind, callUrl }) => `${kind} ${hostOf(callUrl)}`,
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

/** Keeps only the last notice about the failures of a webhook: one hour is no news after three days. */
function withoutEarlierStages(notices: readonly HookNotice[]): HookNotice[] {
  const latest = new Map<number, HookNotice>()
  const isStage = ({ kind }: HookNotice): boolean => kind.startsWith('failing')
  for (const notice of notices.filter(isStage)) {
    const known = latest.get(notice.hookId)
    if (known === undefined || order.indexOf(notice.kind) < order.indexOf(known.kind))
      latest.set(notice.hookId, notice)
  }
  return notices.filter((notice) => !isStage(notice) || latest.get(notice.hookId) === notice)
}

function subjectOf(notices: readonly HookNotice[]): string {
  const [first] = notices
  if (first === undefined) return ''
  const host = hostOf(first.callUrl)
  return notices.length === 1 ? `${labelOf(first)} at ${host}` : `${notices.length} webhooks at ${host}`
}

/** Names a webhook without its URL, whose path and query may contain secrets. */
export function labelOf({ name, hookId }: HookNotice): string {
  return name === null ? `Webhook ${hookId}` : `Webhook ${hookId} “${name}”`
}

/** Returns host and port only: userinfo, path and query may contain secrets. */
function hostOf(callUrl: string): string {
  return URL.parse(callUrl)?.host ?? 'an unknown host'
}
