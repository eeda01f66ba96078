/** Texts about sign-ins, and changes that could be the work of an attacker. Pure. */
import type { AuditAction } from '../../model/audit-actions.ts'
import { instant } from '../../model/clock-time.ts'
import type { NoticeKind } from '../../model/notice.ts'
import type { DescribedNotice, NoticeTexts } from './notice-texts.ts'

type SecurityKind = Extract<NoticeKind, 'account_changed' | 'login_changed' | 'sign_in'>

export const securityTexts: Record<SecurityKind, NoticeTexts> = {
  sign_in: {
    headline: () => 'New sign-in to Hookline',
    fact: ({ createdAt, detail: { browser, ip } }) =>
      `Your login was used to sign in at ${instant(createdAt)}${browser === undefined ? '' : ` with ${browser}`}${from(ip)}. Hookline had not seen this browser before.`,
    next: () =>
      'If this was not you, set a new password, which signs out all sessions, and turn on two-factor authentication.',
    page: 'signIns',
  },
  login_changed: {
    headline: alert,
    fact: (notice) => `${changeOf(notice)} at ${instant(notice.createdAt)}${from(notice.detail.ip)}.`,
    next: () => 'If this was not you, reset your password now.',
    page: 'security',
  },
  account_changed: {
    headline: alert,
    fact: (notice) => `${changeOf(notice)}${by(notice)} at ${instant(notice.createdAt)}.`,
    next: () => 'If you did not expect this, check the audit log, and revoke anything you do not recognize.',
    hasCommonNext: true,
    page: 'audit',
  },
}

/** `change` is what happened: "an API key was created". */
function alert(change: string, changes: number): string {
  return `Security alert: ${changes === 1 ? change : `${changes} changes`}`
}

/** Sentences without the name of what they are about, which follows the first noun phrase, or a “to” at the end. */
const changes: Readonly<Partial<Record<AuditAction, readonly [subject: string, predicate: string]>>> = {
  'login.set-email': ['your login', 'got a new email'],
  'login.set-password': ['your login', 'got a new password, and all sessions were signed out'],
  'passkey.add': ['the passkey', 'was added to your login'],
  'passkey.reject': ['the passkey', 'was rejected, because a copy of it may be in use'],
  'passkey.remove': ['the passkey', 'was removed from your login'],
  'second-factor.off': ['two-factor authentication with an authenticator app', 'was turned off'],
  'second-factor.on': ['two-factor authentication with an authenticator app', 'was turned on'],
  'second-factor.use-recovery-code': ['a recovery code', 'was used to sign in'],
  'sso.link': ['your login', 'can now be used through single sign-on of an account'],
  'sso.unlink': ['single sign-on', 'was removed from your login'],
  'account.set-signed-calls': ['the requirement to sign calls', 'was changed'],
  'account.signing-key.rotate': ['the signing key', 'was rotated'],
  'account.signing-key.view': ['the signing key', 'was revealed'],
  'account.transfer': ['the ownership', 'was transferred to'],
  'app.create': ['the OAuth app', 'was registered'],
  'app.rotate-secret': ['the secret of an OAuth app', 'was rotated'],
  'authorization.grant': ['an OAuth app', 'was authorized'],
  'channel.create': ['the channel for notices', 'was added'],
  'channel.delete': ['the channel for notices', 'was deleted'],
  'key.create': ['the API key', 'was created'],
  'key.view': ['an API key', 'was revealed'],
  'member.add': ['the member', 'was added'],
  'member.change': ['the role or the rights of the member', 'were changed'],
  'member.remove': ['the member', 'was removed'],
  'sso.configure': ['the identity provider for single sign-on', 'was changed'],
  'sso.remove': ['single sign-on', 'was removed'],
  'sso.remove-domain': ['a domain of single sign-on', 'was removed'],
  'sso.settings': ['the settings of single sign-on', 'were changed'],
  'sso.verify-domain': ['a domain of single sign-on', 'was verified'],
  'token.replay': ['a token of an OAuth app', 'was used twice, and its access was revoked'],
}

/** Predicates of what members do themselves, in place of those above. */
const ownChanges: Readonly<Partial<Record<AuditAction, string>>> = {
  'member.add': 'joined',
  'member.remove': 'left',
}

/** "the API key “Billing” was created" */
export function describeChange(notice: DescribedNotice): string {
  const { action } = notice.detail
  const { subjectName } = notice
  const [subject, change] = (action && changes[action]) ?? ['a security setting', 'was changed']
  const predicate = (action && isBySubject(notice) && ownChanges[action]) || change
  if (subjectName === null) return `${subject} ${predicate.replace(/ to$/, '')}`
  return predicate.endsWith(' to')
    ? `${subject} ${predicate} “${subjectName}”`
    : `${subject} “${subjectName}” ${predicate}`
}

function changeOf(notice: DescribedNotice): string {
  const text = describeChange(notice)
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function by(notice: DescribedNotice): string {
  const { detail, actorName } = notice
  if (isBySubject(notice)) return ''
  if (actorName !== null) return ` by “${actorName}”`
  return detail.actor === 'operator' ? ' by the operator' : ''
}

/** Whether members joined or left themselves. With a new login they join before they are signed in. */
function isBySubject({ detail: { actor, about } }: DescribedNotice): boolean {
  return actor === 'visitor' || (actor !== undefined && actor === about)
}

function from(ip: string | undefined): string {
  return ip === undefined ? '' : ` from ${ip}`
}
