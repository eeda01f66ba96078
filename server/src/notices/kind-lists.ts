/** The kinds of notices as lists for statements. */
import { sql } from 'kysely'
import { wordArray } from '../db/arrays.ts'
import { noticeKindNames, noticeKinds } from '../model/notice.ts'

const urgentNames = noticeKindNames.filter((kind) => noticeKinds[kind].isUrgent)

export const urgentKinds = sql`${wordArray(urgentNames)}::text[]`

/** The table `kinds` with each kind and its group. */
export const kindsWithGroup = sql`unnest(
  ${wordArray(noticeKindNames)}::text[],
  ${wordArray(noticeKindNames.map((kind) => noticeKinds[kind].group))}::text[]) AS kinds (kind, kind_group)`
