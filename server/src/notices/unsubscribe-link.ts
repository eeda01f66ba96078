/**
 * Links that turn off emails of a login about a group of notices. The token is a keyed digest of what the link does, so no
 * link is stored, and none can be changed into another.
 */
import type { NoticeGroup } from '../model/notice.ts'
import { isSameSecret } from '../vault/is-same-secret.ts'
import type { Vault } from '../vault/vault.ts'

export const unsubscribePath = '/notices/unsubscribe'

export type UnsubscribeGroup = NoticeGroup | 'all'

export interface Unsubscription {
  accountId: number
  loginId: number
  group: UnsubscribeGroup
}

export function unsubscribeUrl(vault: Vault, baseUrl: URL, unsubscription: Unsubscription): string {
  const { accountId, loginId, group } = unsubscription
  const url = new URL(unsubscribePath, baseUrl)
  url.search = new URLSearchParams({
    account: String(accountId),
    login: String(loginId),
    group,
    token: tokenOf(vault, unsubscription),
  }).toString()
  return url.href
}

/** Returns what the link with this query does; undefined unless Hookline created it. */
export function readUnsubscription(vault: Vault, query: URLSearchParams): Unsubscription | undefined {
  const unsubscription = {
    accountId: Number(query.get('account')),
    loginId: Number(query.get('login')),
    // Only groups of this version have a valid token.
    group: (query.get('group') ?? '') as UnsubscribeGroup,
  }
  return isSameSecret(query.get('token') ?? '', tokenOf(vault, unsubscription)) ? unsubscription : undefined
}

function tokenOf(vault: Vault, { accountId, loginId, group }: Unsubscription): string {
  return vault.digest(`${accountId} ${loginId} ${group}`, 'notice-unsubscribe').toString('base64url')
}
