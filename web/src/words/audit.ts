/** Entries of the audit log as sentences. */
import type { AuditEntry } from '../api/account.ts'

export const auditSubjects = ['sign-in', 'keys', 'apps', 'webhooks', 'account'] as const
export type AuditSubject = (typeof auditSubjects)[number]

const subjectOfAction: Record<string, AuditSubject> = {
  session: 'sign-in',
  login: 'sign-in',
  'second-factor': 'sign-in',
  key: 'keys',
  app: 'apps',
  authorization: 'apps',
  token: 'apps',
  hook: 'webhooks',
  event: 'webhooks',
  replay: 'webhooks',
  account: 'account',
}

export function auditSubjectOf({ action }: AuditEntry): AuditSubject | undefined {
  return subjectOfAction[action.split('.', 1)[0] ?? '']
}

/** What was done, as the end of a sentence that begins with who did it. */
const deeds: Record<string, (subject: string, detail: Record<string, unknown>) => string> = {
  'session.start': () => 'signed in',
  'session.end': () => 'ended a session',
  'session.end-others': (_, { ended }) =>
    `ended all other sessions${ended === undefined ? '' : ` (${text(ended)})`}`,
  'session.fail': (subject) => `failed to sign in as ${subject}`,
  'login.create': (subject, { alias }) => `made the login ${text(alias) || subject}`,
  'login.set-password': (subject) => `set a new password for ${subject}`,
  'login.set-email': (subject) => `changed the e-mail address of ${subject}`,
  'login.ask-for-link': (subject) => `asked for a link to set the password of ${subject}`,
  'second-factor.on': () => 'turned the second factor on',
  'second-factor.off': () => 'turned the second factor off',
  'key.create': (subject, { name }) => `created the key ${quoted(name) || subject}`,
  'key.view': (subject) => `looked at the key ${subject} again`,
  'key.revoke': (subject) => `revoked the key ${subject}`,
  'app.create': (subject, { name }) => `registered the app ${quoted(name) || subject}`,
  'app.change': (subject) => `changed the app ${subject}`,
  'app.rotate-secret': (subject) => `made a new secret for the app ${subject}`,
  'app.delete': (subject, { name }) => `deleted the app ${quoted(name) || subject}`,
  'authorization.grant': (subject) => `let the app ${subject} in`,
  'authorization.revoke': (subject) => `took the access of the app ${subject} back`,
  'token.replay': (subject) => `used a token of the app ${subject} a second time; its access was ended`,
  'hook.rate': (subject) => `set the rate of ${subject}`,
  'hook.secret.view': (subject) => `looked at the signing secret of ${subject}`,
  'hook.secret.rotate': (subject) => `made a new signing secret for ${subject}`,
  'event.reveal': (subject) => `looked at the numbers and texts of ${subject}`,
  'replay.start': (subject) => `started ${subject}`,
  'account.create': (_, { name }) => `made the account ${quoted(name)}`,
  'account.rename': (_, { to }) => `renamed the account to ${quoted(to)}`,
  'account.suspend': () => 'suspended the account',
  'account.resume': () => 'let the account work again',
}

export interface AuditWords {
  who: string
  deed: string
  /** What else is known, such as the IP address. */
  rest: string
}

/** `names`: of keys, apps and logins by their subject, such as `key:12`. */
export function auditWords(entry: AuditEntry, names: ReadonlyMap<string, string>): AuditWords {
  const detail = entry.detail
  const name = names.get(entry.subject)
  const subject = name === undefined ? entry.subject.replace(':', ' ') : `“${name}”`
  const deed = deeds[entry.action]?.(subject, detail) ?? `did ${entry.action} to ${subject}`
  const rest = Object.entries(detail).flatMap(([field, value]) => detailWords(field, text(value)))
  return { who: whoActed(entry), deed, rest: rest.join(' · ') }
}

/** What is said of a detail; what the sentence already holds or says nothing is left out. */
const detailTitles: Record<string, string | undefined> = {
  ip: 'from',
  scopes: 'may',
  expires_at: 'ends',
  allowed_ips: 'only from',
  redirect_uris: 'returning to',
}

const saidAlready = new Set(['name', 'alias', 'ended', 'is_public'])

function detailWords(field: string, value: string): string[] {
  return value === '' || saidAlready.has(field) ? [] : [`${detailTitles[field] ?? field} ${value}`]
}

const knownActors: Record<string, string> = {
  operator: 'The operator',
  service: 'Hookline',
  visitor: 'Somebody who was not signed in',
}

const actorKinds: Record<string, string> = { key: 'The key', app: 'The app', login: '' }

function whoActed({ actor, actor_name: name }: AuditEntry): string {
  const known = knownActors[actor]
  if (known !== undefined) return known
  const [kind = '', id = ''] = actor.split(':')
  if (kind === 'login') return name ?? `Login ${id}`
  return `${actorKinds[kind] ?? kind} ${name === null ? id : `“${name}”`}`.trim()
}

function quoted(value: unknown): string {
  return typeof value === 'string' && value !== '' ? `“${value}”` : ''
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(text).join(', ')
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
