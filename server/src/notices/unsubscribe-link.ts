/**
 * Links that turn off emails: of a login about a group of notices, or of a channel. The token is a keyed digest of what the
 * link does, so no link is stored, and none can be changed into another.
 */
import type { NoticeGroup } from '../model/notice.ts'
import { isSameSecret } from '../vault/is-same-secret.ts'
import type { Vault } from '../vault/vault.ts'

export const unsubscribePath = '/notices/unsubscribe'

export type UnsubscribeGroup = NoticeGroup | 'all'

export type Unsubscription =
  { accountId: number; loginId: number; group: UnsubscribeGroup } | { accountId: number; channelId: number }

export function unsubscribeUrl(vault: Vault, baseUrl: URL, unsubscription: Unsubscription): string {
  const url = new URL(unsubscribePath, baseUrl)
  const { accountId } = unsubscription
  const what =
    'channelId' in unsubscription
      ? { channel: String(unsubscription.channelId) }
      : { login: String(unsubscription.loginId), group: unsubscription.group }
  const token = tokenOf(vault, unsubscription)
  url.search = new URLSearchParams({ account: String(accountId), ...what, token }).toString()
  return url.href
}

/** Returns what the link with this query does; undefined unless Hookline created it. */
export function readUnsubscription(vault: Vault, query: URLSearchParams): Unsubscription | undefined {
  const accountId = Number(query.get('account'))
  const channel = query.get('channel')
  const unsubscription: Unsubscription =
    channel === null
      ? {
          accountId,
          loginId: Number(query.get('login')),
          // Only groups of this version have a valid token.
          group: (query.get('group') ?? '') as UnsubscribeGroup,
        }
      : { accountId, channelId: Number(channel) }
  return isSameSecret(query.get('token') ?? '', tokenOf(vault, unsubscription)) ? unsubscription : undefined
}

function tokenOf(vault: Vault, unsubscription: Unsubscription): string {
  const { accountId } = unsubscription
  const text =
    'channelId' in unsubscription
      ? `channel ${accountId} ${unsubscription.channelId}`
      : `${accountId} ${unsubscription.loginId} ${unsubscription.group}`
  return vault.digest(text, 'notice-unsubscribe').toString('base64url')
}
