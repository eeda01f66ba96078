/** The caller: its account, credential and scopes. Created by authentication, used by routes. */
import { includesRole, type Member, type Role } from './role.ts'

export const credentialKinds = [
  'basic-key',
  'bearer',
  'header-key',
  'parameter-key',
  'login-password',
] as const

export type CredentialKind = (typeof credentialKinds)[number]

/** Kinds that the contract deprecates: they work, with a notice. */
export const deprecatedKinds: ReadonlySet<CallerKind> = new Set(['parameter-key', 'login-password'])

/** How a caller authenticated: with an API credential, or with a session. */
export type CallerKind = CredentialKind | 'session'

/** Scopes of keys with their descriptions. `all` includes scopes of later versions. */
export const scopes = {
  all: 'Full access to the API',
  hooks: 'View and manage webhooks and consumers, including their signing secrets',
  'hooks:read': 'View webhooks and consumers',
  'events:read': 'View events and deliveries, including message texts and numbers',
  'deliveries:replay': 'Replay deliveries',
} as const

export type Scope = keyof typeof scopes

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text)
}

export interface Caller {
  accountId: number
  kind: CallerKind
  scopes: readonly Scope[]
  keyId?: number
  loginId?: number
  /** Role and rights of the user that the call acts for. API keys belong to the account and have only scopes. */
  member?: Member
  /** The OAuth app that acts for the account. */
  appId?: string
  /** Whether its calls must be signed. */
  isSignatureRequired?: boolean
  /** Overrides the setting of the installation. */
  originalStatuses?: boolean | null
}

/** `all` includes every scope. A scope includes its narrower ones (`hooks` includes `hooks:read`). */
export function hasScope(granted: readonly Scope[], needed: Scope): boolean {
  return granted.some((scope) => scope === 'all' || scope === needed || needed.startsWith(`${scope}:`))
}

/** Whether the caller has the scope and, if it acts for a user, the role: for parts of a response. */
export function isAllowed({ scopes: granted, member }: Caller, scope: Scope, role: Role): boolean {
  return hasScope(granted, scope) && (member === undefined || includesRole(member.role, role))
}

/** Largest scopes that API keys, apps and passwords of a member can have. Scopes to read events are not masked. */
export function memberScopes({ role, canReveal, canExport }: Member): Scope[] {
  if (includesRole(role, 'admin') && canReveal && canExport) return ['all']
  const events: Scope[] = canReveal && canExport ? ['events:read'] : []
  if (includesRole(role, 'developer')) return ['hooks', ...events, 'deliveries:replay']
  return ['hooks:read', ...events]
}
