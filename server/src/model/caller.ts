/** Who is calling, by which credential, and what that credential may do. Made by authentication, taken by routes. */
export const credentialKinds = [
  'basic-key',
  'bearer',
  'header-key',
  'parameter-key',
  'login-password',
] as const

export type CredentialKind = (typeof credentialKinds)[number]

/** Kinds the contract marks as deprecated: they work, with a notice. */
export const deprecatedKinds: ReadonlySet<CallerKind> = new Set(['parameter-key', 'login-password'])

/** How a caller was known: by one of the credentials of the API, or by a sign-in in the browser. */
export type CallerKind = CredentialKind | 'session'

/** What a key may be allowed to do, in words for people. `all` includes what later versions add. */
export const scopes = {
  all: 'Everything the account can do through the API',
  hooks: 'See, register and delete webhooks',
  'hooks:read': 'See webhooks',
  'events:read': 'See events and what became of them, message texts and numbers included',
  'deliveries:replay': 'Send deliveries again',
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
  /** The app that acts for the account. */
  appId?: string
}

/** `all` grants everything; a scope grants its narrower ones (`hooks` grants `hooks:read`). */
export function grants(granted: readonly Scope[], needed: Scope): boolean {
  return granted.some((scope) => scope === 'all' || scope === needed || needed.startsWith(`${scope}:`))
}
