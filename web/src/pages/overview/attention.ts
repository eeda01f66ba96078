/** What a person should do something about, most urgent first. */
import type { Session } from '../../api/api.ts'
import { type DeprecatedUse, type Key, stateOf } from '../../api/keys.ts'
import type { Tone } from '../../parts/state-badge.tsx'
import { counted } from '../../words/count.ts'
import { deprecatedWords } from '../../words/deprecated.ts'
import { relativeTime } from '../../words/time.ts'

export interface Attention {
  id: string
  tone: Tone
  title: string
  words: string
  link: { to: '/keys'; search?: { new: true } } | { to: '/account'; hash: string }
  action: string
}

interface Known {
  keys: readonly Key[]
  uses: readonly DeprecatedUse[]
  login: Session['login']
  now: number
}

const soonMs = 14 * 24 * 60 * 60 * 1000
const fewCodes = 3

export function findAttention({ keys, uses, login, now }: Known): Attention[] {
  return [...expiring(keys, now), ...outdated(uses), ...noKey(keys, now), ...weakSignIn(login)]
}

function expiring(keys: readonly Key[], now: number): Attention[] {
  return keys
    .filter((key) => stateOf(key, now) === 'active' && key.expires_at !== null)
    .filter((key) => Date.parse(key.expires_at ?? '') - now < soonMs)
    .map((key) => ({
      id: `expires-${key.id}`,
      tone: 'attention',
      title: `The key “${key.name}” ends ${relativeTime(new Date(key.expires_at ?? ''), now)}.`,
      words:
        key.last_used_at === null
          ? 'It was never used.'
          : `It was last used ${relativeTime(new Date(key.last_used_at), now)}. Programs that use it are refused then.`,
      link: { to: '/keys', search: { new: true } },
      action: 'Create its successor',
    }))
}

function outdated(uses: readonly DeprecatedUse[]): Attention[] {
  return uses.map(({ kind, uses_30_days: count }) => ({
    id: `deprecated-${kind}`,
    tone: 'attention',
    title: `A program sends ${deprecatedWords[kind].title}.`,
    words: `${counted(count, 'call')} in the last 30 days. This way is deprecated; a header is safer.`,
    link: { to: '/keys' },
    action: 'See what to change',
  }))
}

function noKey(keys: readonly Key[], now: number): Attention[] {
  if (keys.some((key) => stateOf(key, now) === 'active')) return []
  return [
    {
      id: 'no-key',
      tone: 'accent',
      title: 'There is no API key in use.',
      words: 'Programs need one to register webhooks.',
      link: { to: '/keys', search: { new: true } },
      action: 'Create a key',
    },
  ]
}

function weakSignIn(login: Session['login']): Attention[] {
  const link = { to: '/account', hash: 'second-factor' } as const
  if (!login.second_factor)
    return [
      {
        id: 'second-factor',
        tone: 'accent',
        title: 'Your sign-in is protected by a password alone.',
        words: 'A code from an authenticator app keeps others out even when they know it.',
        link,
        action: 'Turn on the second factor',
      },
    ]
  if (login.recovery_codes_left > fewCodes) return []
  return [
    {
      id: 'recovery-codes',
      tone: 'attention',
      title: `You have ${counted(login.recovery_codes_left, 'recovery code')} left.`,
      words: 'Turn the second factor off and on again to get new ones.',
      link,
      action: 'Go to the second factor',
    },
  ]
}
