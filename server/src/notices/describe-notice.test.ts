import { expect, test } from 'vitest'
import { type NoticeKind, noticeKindNames } from '../model/notice.ts'
import { describeNotice, headlineOf } from './describe-notice.ts'

const notice = {
  streak: new Date('2026-11-15T08:12:00Z'),
  createdAt: new Date('2026-11-15T09:12:00Z'),
  detail: {},
  actorName: null,
  subjectName: null,
}

test.each(noticeKindNames)(
  '%s says what happened, when, and what to do, in sentences',
  (kind: NoticeKind) => {
    const text = describeNotice({ ...notice, kind })
    expect(text).toMatch(/^[A-Z0-9].*\.$/)
    expect(text).not.toMatch(/undefined|null|NaN|\.\.|  /)
    expect(text.split('. ').length).toBeGreaterThan(1)
    expect(headlineOf(kind, 'Webhook 7 at shop.example', 1)).toMatch(/^[A-Z].*[^.]$/)
  },
)

test('a failure names its likely cause, and what can be done about it', () => {
  const text = describeNotice({ ...notice, kind: 'failing_1h', detail: { reason: 'connection_refused' } })
  expect(text).toBe(
    'All attempts since 2026-11-15 08:12:00 UTC failed. Likely cause: Connection refused. Check that your server is running and listens on this port. Hookline keeps retrying. If no attempt succeeds, the webhook is disabled on 2026-11-20 08:12:00 UTC or later.',
  )
})

test('a recovery says what was lost, late and on hold', () => {
  const detail = { lost: 2, pending: 1_200, held: 1 }
  expect(describeNotice({ ...notice, kind: 'recovered', detail })).toBe(
    'Failing since 2026-11-15 08:12:00 UTC, working again at 2026-11-15 09:12:00 UTC. 2 deliveries failed or expired. 1,200 late deliveries will be delivered now. 1 delivery on hold.',
  )
})

test('a change says who did it', () => {
  const detail = { action: 'key.create', actor: 'login:3' } as const
  const names = { actorName: 'ada', subjectName: 'Billing' }
  expect(describeNotice({ ...notice, kind: 'account_changed', detail, ...names })).toMatch(
    /^The API key “Billing” was created by “ada” at 2026-11-15 09:12:00 UTC\./,
  )
  expect(
    describeNotice({ ...notice, kind: 'account_changed', detail: { ...detail, actor: 'operator' } }),
  ).toContain('by the operator')
})

test.each([
  ['member.add', 'login:4', 'The member “bob” joined at'],
  ['member.add', 'visitor', 'The member “bob” joined at'],
  ['member.add', 'operator', 'The member “bob” was added by the operator at'],
  ['account.transfer', 'login:3', 'The ownership was transferred to “bob” by “ada” at'],
  ['member.remove', 'login:4', 'The member “bob” left at'],
  ['member.remove', 'login:3', 'The member “bob” was removed by “ada” at'],
] as const)('%s by %s names the actor unless members did it themselves', (action, actor, expected) => {
  const detail = { action, actor, about: 'login:4' }
  const actorName = { 'login:3': 'ada', 'login:4': 'bob', operator: null, visitor: null }[actor]
  const names = { actorName, subjectName: 'bob' }
  expect(describeNotice({ ...notice, kind: 'account_changed', detail, ...names })).toContain(expected)
})
