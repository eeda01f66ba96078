import { expect, test } from 'vitest'
import type { AuditEntry } from '../api/account.ts'
import { auditSubjectOf, describeAuditEntry } from './audit.ts'

const webhook = { id: 7, name: 'Orders', endpoint: 'example.com', deleted: false }
const names = new Map([['key:12', 'orders']])

/** An action from a newer server is possible too. */
function entry({ action, ...values }: Partial<Omit<AuditEntry, 'action'>> & { action?: string }): AuditEntry {
  return {
    id: 1,
    at: '2026-11-15T12:00:00.000Z',
    actor: 'login:1',
    actor_name: 'ada',
    action: (action ?? 'session.start') as AuditEntry['action'],
    subject: 'session:1',
    member: null,
    webhook: null,
    detail: {},
    ...values,
  }
}

test.each([
  [{ action: 'key.revoke', subject: 'key:12' }, 'revoked the key “orders”'],
  [{ action: 'key.revoke', subject: 'key:13' }, 'revoked the key 13'],
  [{ action: 'key.create', subject: 'key:14', detail: { name: 'new' } }, 'created the key “new”'],
  [{ action: 'hook.change', subject: 'hook:7', webhook }, 'edited “Orders”'],
  [{ action: 'hook.secret.view', subject: 'hook:7', webhook }, 'revealed the signing secret of “Orders”'],
  [{ action: 'login.set-password', subject: 'login:2' }, 'set a new password for user 2'],
  [{ action: 'replay.start', subject: 'replay:3' }, 'started replay 3'],
  [{ action: 'session.end-others', detail: { revoked: 2 } }, 'revoked all other sessions (2)'],
  [{ action: 'session.end-others', detail: { ended: 2 } }, 'revoked all other sessions (2)'],
  [{ action: 'second-factor.use-recovery-code' }, 'used a recovery code'],
  [{ action: 'member.add', actor: 'operator', subject: 'login:2' }, 'added user 2 to the account'],
  [{ action: 'member.add', subject: 'login:1' }, 'joined the account'],
  [{ action: 'member.add', actor: 'visitor', subject: 'login:2' }, 'joined the account as user 2'],
  [{ action: 'member.remove', subject: 'login:1' }, 'left the account'],
  [{ action: 'member.remove', subject: 'login:2' }, 'removed user 2 from the account'],
  [{ action: 'member.remove', subject: 'login:2', member: 'ben' }, 'removed “ben” from the account'],
  [{ action: 'invitation.create', detail: { email: 'new@example.com' } }, 'invited new@example.com'],
  [{ action: 'account.transfer', subject: 'login:2' }, 'transferred the ownership to user 2'],
  [
    { action: 'member.add', actor: 'service', subject: 'login:2', member: 'ben' },
    'added “ben”, who signed in with single sign-on',
  ],
  [{ action: 'sso.settings', detail: { required: true } }, 'required single sign-on'],
  [{ action: 'sso.settings', detail: { required: false } }, 'made single sign-on optional'],
  [{ action: 'sso.settings', detail: { default_role: null } }, 'ended joining with single sign-on'],
  [
    { action: 'sso.settings', detail: { default_role: 'viewer' } },
    'changed who can join with single sign-on',
  ],
  [{ action: 'future.action', subject: 'thing:1' }, 'performed future.action on thing 1'],
])('the action of %j is %j', (values, action) => {
  expect(describeAuditEntry(entry(values), names).action).toBe(action)
})

test.each([
  [{}, 'ada'],
  [{ actor_name: null }, 'User 1'],
  [{ actor: 'key:12', actor_name: 'orders' }, 'API key “orders”'],
  [{ actor: 'app:hla_1', actor_name: null }, 'App hla_1'],
  [{ actor: 'operator', actor_name: null }, 'The operator'],
  [{ actor: 'visitor', actor_name: null }, 'An anonymous visitor'],
])('the actor of %j is %j', (values, actor) => {
  expect(describeAuditEntry(entry(values), names).actor).toBe(actor)
})

test('details have titles, without those in the action', () => {
  const detail = { name: 'new', ip: '203.0.113.7', scopes: ['hooks', 'events:read'], expires_at: null }
  expect(describeAuditEntry(entry({ detail }), names).details).toBe(
    'from 203.0.113.7 · scopes: hooks, events:read',
  )
})

test.each([
  [
    { action: 'hook.change', detail: { fields: ['event_filter', 'max_per_second'], max_per_second: 5 } },
    'changed: filter, rate limit · rate limit 5',
  ],
  [{ action: 'hook.disable', detail: { reason: 'failing' } }, 'after 5 days of failures'],
  [{ action: 'hook.disable', detail: { reason: 'owner' } }, ''],
  [{ action: 'key.create', detail: { signed_calls_required: false } }, ''],
  [{ action: 'key.create', detail: { signed_calls_required: true } }, 'signed calls required'],
  [
    { action: 'member.change', detail: { role: 'support', can_reveal: true, can_export: false } },
    'role: support · may reveal personal data',
  ],
  [{ action: 'invitation.create', detail: { email: 'new@example.com', role: 'viewer' } }, 'role: viewer'],
  [{ action: 'event.reveal', detail: { because: 'Ticket 4711' } }, 'reason: Ticket 4711'],
  [{ detail: { sso: true, ip: '203.0.113.7' } }, 'by single sign-on · from 203.0.113.7'],
  [{ detail: { by: 'passkey' } }, 'by passkey'],
  [{ action: 'sso.link', detail: { by: 'first-sign-in' } }, 'at the first sign-in'],
  [{ action: 'sso.settings', detail: { required: true } }, ''],
  [
    { action: 'sso.settings', detail: { default_role: 'viewer', can_reveal: true, can_export: false } },
    'role: viewer · may reveal personal data',
  ],
  [{ action: 'hook.delete', detail: { host: 'hooks.example' } }, 'sends to hooks.example'],
])('the details of %j are %j', (values, details) => {
  expect(describeAuditEntry(entry(values), names).details).toBe(details)
})

test('every action prefix has a category', () => {
  expect(auditSubjectOf(entry({ action: 'second-factor.on' }))).toBe('sign-in')
  expect(auditSubjectOf(entry({ action: 'token.replay' }))).toBe('apps')
  expect(auditSubjectOf(entry({ action: 'invitation.resend' }))).toBe('members')
  expect(auditSubjectOf(entry({ action: 'replay.pause' }))).toBe('webhooks')
  expect(auditSubjectOf(entry({ action: 'future.action' }))).toBeUndefined()
})
