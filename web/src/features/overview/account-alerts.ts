/** Finds account alerts about keys and sign-in, most urgent first. */
import type { Session } from '../../api/client.ts'
import { type DeprecatedUse, type Key, stateOf } from '../../api/api-keys.ts'
import type { Tone } from '../../lib/tone.ts'
import { plural } from '../../lib/format-number.ts'
import { deprecatedAuthText } from '../../messages/deprecated-auth.ts'
import { formatRelative } from '../../lib/format-time.ts'

export interface AccountAlert {
  id: string
  tone: Tone
  title: string
  text: string
  link: { to: '/keys'; search?: { new: true } } | { to: '/account'; hash: string }
  action: string
}

interface AccountFacts {
  /** Undefined for members who manage no keys. */
  keys: readonly Key[] | undefined
  uses: readonly DeprecatedUse[]
  login: Session['login']
  /** A session of single sign-on cannot change the login. */
  isSso: boolean
  now: number
}

const expiringMs = 14 * 24 * 60 * 60 * 1000
const fewCodes = 3

export function findAccountAlerts({ keys, uses, login, isSso, now }: AccountFacts): AccountAlert[] {
  const own = isSso ? [] : twoFactor(login)
  if (keys === undefined) return own
  return [...expiringKeys(keys, now), ...deprecatedAuth(uses), ...noKey(keys, now), ...own]
}

function expiringKeys(keys: readonly Key[], now: number): AccountAlert[] {
  return keys
    .filter((key) => stateOf(key, now) === 'active' && key.expires_at !== null)
    .filter((key) => Date.parse(key.expires_at ?? '') - now < expiringMs)
    .map((key) => ({
      id: `expires-${key.id}`,
      tone: 'warning',
      title: `Key “${key.name}” expires ${formatRelative(new Date(key.expires_at ?? ''), now)}`,
      text:
        key.last_used_at === null
          ? 'Never used.'
          : `Last used ${formatRelative(new Date(key.last_used_at), now)}. Hookline rejects expired keys.`,
      link: { to: '/keys', search: { new: true } },
      action: 'Create new key',
    }))
}

function deprecatedAuth(uses: readonly DeprecatedUse[]): AccountAlert[] {
  return uses.map(({ kind, uses_30_days: count }) => ({
    id: `deprecated-${kind}`,
    tone: 'warning',
    title: `Deprecated authentication in use: ${deprecatedAuthText[kind].title}`,
    text: `${plural(count, 'request')} in the last 30 days. Send the API key in a header instead.`,
    link: { to: '/keys' },
    action: 'View instructions',
  }))
}

function noKey(keys: readonly Key[], now: number): AccountAlert[] {
  if (keys.some((key) => stateOf(key, now) === 'active')) return []
  return [
    {
      id: 'no-key',
      tone: 'info',
      title: 'No active API key',
      text: 'Clients need an API key to create webhooks.',
      link: { to: '/keys', search: { new: true } },
      action: 'Create key',
    },
  ]
}

function twoFactor(login: Session['login']): AccountAlert[] {
  const link = { to: '/account', hash: 'second-factor' } as const
  if (!login.second_factor)
    return [
      {
        id: 'second-factor',
        tone: 'info',
        title: 'Two-factor authentication is off',
        text: 'A passkey, or a code from an authenticator app, protects your account if your password leaks.',
        link,
        action: 'Turn on two-factor authentication',
      },
    ]
  if (login.recovery_codes_left > fewCodes) return []
  return [
    {
      id: 'recovery-codes',
      tone: 'warning',
      title: `${plural(login.recovery_codes_left, 'recovery code')} left`,
      text:
        login.passkeys === 0
          ? 'To get new codes, turn two-factor authentication off and on again.'
          : 'To get new codes, remove your passkeys and your authenticator app, then add them again.',
      link,
      action: 'View settings',
    },
  ]
}
