/** Formats audit log entries as sentences. */
import type { AuditEntry } from '../api/account.ts'
import { textFor } from '../lib/text-for.ts'
import { formatActorName } from './actor.ts'
import { webhookFieldText } from './webhook-fields.ts'
import type { AuditSubject } from './audit-subjects.ts'
import { webhookName } from './webhook-name.ts'

type AuditAction = AuditEntry['action']
type Prefix<Action> = Action extends `${infer First}.${string}` ? First : never

const subjectByPrefix: Record<Prefix<AuditAction>, AuditSubject> = {
  session: 'sign-in',
  login: 'sign-in',
  passkey: 'sign-in',
  'second-factor': 'sign-in',
  key: 'keys',
  app: 'apps',
  authorization: 'apps',
  token: 'apps',
  hook: 'webhooks',
  event: 'webhooks',
  channel: 'account',
  consumer: 'webhooks',
  delivery: 'webhooks',
  replay: 'webhooks',
  stop: 'webhooks',
  member: 'members',
  sso: 'account',
  invitation: 'members',
  account: 'account',
  producer: 'account',
  'event-type': 'account',
}

export function auditSubjectOf({ action }: AuditEntry): AuditSubject | undefined {
  const prefix = action.slice(0, action.indexOf('.'))
  return textFor<string, AuditSubject | undefined>(subjectByPrefix, prefix, undefined)
}

type Predicate = (subject: string, detail: Record<string, unknown>, entry: AuditEntry) => string

/** Predicates of sentences that start with the actor. */
const actions: Record<AuditAction, Predicate> = {
  'session.start': () => 'signed in',
  'session.end': () => 'revoked a session',
  // Older entries have the count as `ended`.
  'session.end-others': (_, { revoked, ended }) => {
    const count = text(revoked ?? ended)
    return `revoked all other sessions${count === '' ? '' : ` (${count})`}`
  },
  'session.fail': (subject) => `failed to sign in as ${subject}`,
  'login.create': (subject, { alias }) => `created the user ${text(alias) || subject}`,
  'login.set-password': (subject) => `set a new password for ${subject}`,
  'login.set-email': (subject) => `changed the email of ${subject}`,
  'login.request-reset': (subject) => `requested a password reset for ${subject}`,
  'passkey.add': (subject, { name }) => `added the passkey ${quoted(name) || subject}`,
  'passkey.rename': (subject, { name }) => `renamed a passkey to ${quoted(name) || subject}`,
  'passkey.remove': (subject, { name }) => `removed the passkey ${quoted(name) || subject}`,
  'passkey.reject': (subject, { name }) =>
    `used the passkey ${quoted(name) || subject}, which was rejected: a copy of it may be in use`,
  'second-factor.on': () => 'turned on two-factor authentication with an authenticator app',
  'second-factor.off': () => 'turned off two-factor authentication with an authenticator app',
  'second-factor.use-recovery-code': () => 'used a recovery code',
  'key.create': (subject, { name }) => `created the key ${quoted(name) || subject}`,
  'key.view': (subject) => `revealed the key ${subject}`,
  'key.revoke': (subject) => `revoked the key ${subject}`,
  'app.create': (subject, { name }) => `registered the app ${quoted(name) || subject}`,
  'app.change': (subject) => `updated the app ${subject}`,
  'consumer.create': (subject, { name }) => `created the consumer ${quoted(name) || subject}`,
  'consumer.change': (subject) => `updated the consumer ${subject}`,
  'consumer.delete': (subject) => `deleted the consumer ${subject}`,
  'consumer.seek': (subject) => `moved the position of the consumer ${subject}`,
  'consumer.secret.view': (subject) => `revealed the secret of the consumer ${subject}`,
  'channel.create': (_, { name }) => `added the channel ${quoted(name)}`,
  'channel.change': (subject) => `updated the ${subject}`,
  'channel.confirm': (subject) => `confirmed the ${subject}`,
  'channel.delete': (_, { name }) => `deleted the channel ${quoted(name)}`,
  'app.rotate-secret': (subject) => `rotated the secret of the app ${subject}`,
  'app.delete': (subject, { name }) => `deleted the app ${quoted(name) || subject}`,
  'authorization.grant': (subject) => `authorized the app ${subject}`,
  'app.set-pkce': (subject, { required }) =>
    `made PKCE ${required === true ? 'required' : 'optional'} for the app ${subject}`,
  'authorization.revoke': (subject) => `revoked access for the app ${subject}`,
  'token.replay': (subject) => `reused a token of the app ${subject}; access was revoked`,
  'hook.create': (subject) => `created ${subject}`,
  'hook.change': (subject, { restored_version: version }) =>
    version === undefined ? `edited ${subject}` : `restored an earlier version of ${subject}`,
  'hook.enable': (subject) => `enabled ${subject}`,
  'hook.disable': (subject) => `disabled ${subject}`,
  'hook.delete': (subject) => `deleted ${subject}`,
  'hook.retry': (subject) => `retried pending deliveries of ${subject}`,
  'hook.secret.view': (subject) => `revealed the signing secret of ${subject}`,
  'hook.secret.rotate': (subject) => `rotated the signing secret of ${subject}`,
  'event.export': (_, { revealed }) =>
    revealed === true ? 'exported events with personal data' : 'exported events',
  'event.reveal': (subject) => `revealed personal data of ${subject}`,
  'delivery.retry': (subject) => `retried a quarantined delivery of ${subject}`,
  'delivery.cancel': (subject) => `canceled a quarantined delivery of ${subject}`,
  'replay.start': (subject) => `started ${subject}`,
  'replay.pause': (subject) => `paused ${subject}`,
  'replay.resume': (subject) => `resumed ${subject}`,
  'replay.cancel': (subject) => `canceled ${subject}`,
  'sso.configure': (_, { issuer }) => `set up single sign-on with ${quoted(issuer)}`,
  'sso.settings': (_, detail) => describeSsoSettings(detail),
  'sso.remove': () => 'removed single sign-on',
  'sso.add-domain': (_, { domain }) => `added the domain ${quoted(domain)} for single sign-on`,
  'sso.verify-domain': (_, { domain }) => `verified the domain ${quoted(domain)} for single sign-on`,
  'sso.remove-domain': (_, { domain }) => `removed the domain ${quoted(domain)} from single sign-on`,
  'sso.link': (subject) => `linked ${subject} to single sign-on`,
  'sso.unlink': (subject) => `unlinked ${subject} from single sign-on`,
  'stop.create': (subject) => `stopped deliveries (${subject})`,
  'stop.end': (subject) => `resumed deliveries (${subject})`,
  'account.create': (_, { name }) => `created the account ${quoted(name)}`,
  'account.export': () => 'exported data and secrets of the account',
  'account.import': () => 'imported data of the account',
  'account.rename': (_, { to }) => `renamed the account to ${quoted(to)}`,
  'account.set-country': (_, { country }) => `set the default country to ${text(country) || 'none'}`,
  'account.set-statuses': () => 'changed the HTTP statuses of failed calls',
  'account.set-signed-calls': (_, { required }) =>
    required === true ? 'required signed calls' : 'made signed calls optional',
  'account.signing-key.view': () => 'revealed the signing key of the account',
  'account.signing-key.rotate': () => 'rotated the signing key of the account',
  'account.signing-key.switch': () => 'switched to the next signing key of the account',
  'account.transfer': (subject) => `transferred the ownership to ${subject}`,
  'account.suspend': () => 'suspended the account',
  'account.resume': () => 'resumed the account',
  'invitation.create': (_, { email }) => `invited ${text(email)}`,
  'invitation.resend': (_, { email }) => `resent the invitation of ${text(email)}`,
  'invitation.revoke': (_, { email }) => `revoked the invitation of ${text(email)}`,
  'member.add': (subject, _, entry) => describeJoin(subject, entry),
  'member.change': (subject) => `changed the role or rights of ${subject}`,
  'member.remove': (subject, _, entry) =>
    entry.actor === entry.subject ? 'left the account' : `removed ${subject} from the account`,
  'event-type.add': (subject) => `added the ${subject}`,
  'event-type.remove': (subject) => `removed the ${subject}`,
  'producer.create': (subject, { name }) => `created the producer ${quoted(name) || subject}`,
  'producer.revoke': (subject) => `revoked ${subject}`,
}

/** Users who create their login with an invitation are not signed in yet. */
function describeJoin(subject: string, { actor, subject: member }: AuditEntry): string {
  if (actor === 'operator') return `added ${subject} to the account`
  if (actor === 'service') return `added ${subject}, who signed in with single sign-on`
  return actor === member ? 'joined the account' : `joined the account as ${subject}`
}

function describeSsoSettings({ required, default_role: role }: Record<string, unknown>): string {
  if (required === true) return 'required single sign-on'
  if (required === false) return 'made single sign-on optional'
  return role === null ? 'ended joining with single sign-on' : 'changed who can join with single sign-on'
}

export interface AuditText {
  actor: string
  action: string
  /** Further details, such as the IP address. */
  details: string
}

/** `names`: names of keys, apps and users by subject, such as `key:12`. */
export function describeAuditEntry(entry: AuditEntry, names: ReadonlyMap<string, string>): AuditText {
  const detail = entry.detail
  const name =
    entry.webhook === null ? (entry.member ?? names.get(entry.subject)) : webhookName(entry.webhook)
  const subject = formatSubject(entry.subject, name)
  const predicate = textFor(actions, entry.action, () => `performed ${entry.action} on ${subject}`)
  const label = predicate(subject, detail, entry)
  const rest = Object.entries(detail).flatMap(([field, value]) => formatDetail(field, value))
  return { actor: formatActorName(entry.actor, entry.actor_name), action: label, details: rest.join(' · ') }
}

/** Actions already name the kind of keys and apps. */
const subjectPrefixes: Record<string, string | undefined> = {
  key: '',
  app: '',
  consumer: '',
  hook: 'webhook ',
  login: 'user ',
}

function formatSubject(subject: string, name: string | undefined): string {
  if (name !== undefined) return `“${name}”`
  const colon = subject.indexOf(':')
  if (colon < 0) return subject
  const kind = subject.slice(0, colon)
  return `${subjectPrefixes[kind] ?? `${kind} `}${subject.slice(colon + 1)}`
}

const detailTitles: Record<string, string | undefined> = {
  ip: 'from',
  scopes: 'scopes:',
  expires_at: 'expires',
  allowed_ips: 'only from',
  redirect_uris: 'redirects to',
  host: 'sends to',
  fields: 'changed:',
  role: 'role:',
  because: 'reason:',
  browser: 'with',
  kind: 'type:',
  client_id: 'client',
  default_role: 'role:',
}

/** Already part of the action, or not informative. */
const hiddenDetails = new Set([
  'name',
  'to',
  'alias',
  'email',
  'revoked',
  'ended',
  'is_public',
  'restored_version',
  'passkey',
  'domain',
  'required',
])

const flagTexts = {
  sso: 'by single sign-on',
  new_browser: 'new browser',
  signed_calls_required: 'signed calls required',
  can_reveal: 'may reveal personal data',
  can_export: 'may export data',
}

/** How a user was linked. */
const linkTexts: Record<string, string | undefined> = {
  user: 'by the user',
  email: 'by verified email',
  'first-sign-in': 'at the first sign-in',
}

function formatDetail(field: string, value: unknown): string[] {
  if (field === 'reason') return describeReason(value)
  const linked = field === 'by' ? textFor(linkTexts, text(value), undefined) : undefined
  if (linked !== undefined) return [linked]
  const flag = textFor<string, string | undefined>(flagTexts, field, undefined)
  if (flag !== undefined) return value === true ? [flag] : []
  const words = field === 'fields' && Array.isArray(value) ? formatFields(value) : text(value)
  if (words === '' || hiddenDetails.has(field)) return []
  return [`${detailTitles[field] ?? textFor(webhookFieldText, field, field)} ${words}`]
}

function formatFields(fields: readonly unknown[]): string {
  return fields.map((field) => textFor(webhookFieldText, text(field), text(field))).join(', ')
}

/** The actor already tells whether the account or the operator disabled a webhook. */
function describeReason(reason: unknown): string[] {
  const texts: Record<string, string> = {
    failing: 'after 5 days of failures',
    gone: 'server responded 410 Gone',
  }
  const words = texts[text(reason)]
  return words === undefined ? [] : [words]
}

function quoted(value: unknown): string {
  return typeof value === 'string' && value !== '' ? `“${value}”` : ''
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(text).join(', ')
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
