/** Texts about keys and secrets that expire, and deprecated credentials. Pure. */
import type { CallerKind } from '../../model/caller.ts'
import { instant } from '../../model/clock-time.ts'
import type { NoticeKind } from '../../model/notice.ts'
import { type NoticeTexts, plural } from './notice-texts.ts'

type CredentialKind = Extract<NoticeKind, `key_${string}` | 'secret_6h' | 'deprecated'>

export const credentialTexts: Record<CredentialKind, NoticeTexts> = {
  key_7d: keyExpiresIn('7 days'),
  key_1d: keyExpiresIn('24 hours'),
  secret_6h: {
    headline: (subject, hooks) =>
      `The previous ${hooks === 1 ? 'secret' : 'secrets'} of ${subject} ${hooks === 1 ? 'expires' : 'expire'} within 6 hours`,
    fact: ({ streak }) =>
      `The secret was rotated. Until ${instant(streak)}, requests are signed with the previous secret too.`,
    next: () => 'Check that your server verifies signatures with the new secret.',
    page: 'webhook',
  },
  deprecated: {
    headline: () => 'Deprecated authentication is in use',
    fact: ({ detail: { uses = 0, credential } }) =>
      `${plural(uses, 'call', 'calls')} in the last 7 days authenticated with ${deprecatedCredentials[credential ?? ''] ?? 'a deprecated credential'}.`,
    next: () =>
      'URLs and bodies are often logged, and with them the credential. Send an API key in the header `X-Api-Key`.',
    page: 'keys',
  },
}

const deprecatedCredentials: Readonly<Partial<Record<CallerKind | '', string>> & Record<string, string>> = {
  'parameter-key': 'an API key in the parameter `p`',
  'login-password': 'a password in the parameters `u` and `p`',
}

function keyExpiresIn(time: string): NoticeTexts {
  return {
    headline: (subject, keys) => `${subject} ${keys === 1 ? 'expires' : 'expire'} within ${time}`,
    fact: ({ streak, detail: { used_at: usedAt } }) =>
      `The key is valid until ${instant(streak)}. ${usedAt == null ? 'It was never used.' : `It was last used at ${instant(new Date(usedAt))}.`}`,
    next: () => 'After that, calls with it are rejected. Create a new key and replace this one.',
    page: 'keys',
  }
}
