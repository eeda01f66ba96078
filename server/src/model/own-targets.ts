/** The exact URLs of this service that deliveries may be sent to: the canary's and the test receiver's. Pure. */
import { accountOfPath } from './test-receiver.ts'

export const canaryPath = '/canary'

/** Returns whether a URL is such a target of an account. A GET adds a query; nothing else may differ. */
export function isOwnTarget(
  { url, accountId }: { url: string; accountId: number },
  { origin, hasCanary }: { origin: string; hasCanary: boolean },
): boolean {
  // URLs of requests are normalized, so this rejects nearly all of them without parsing.
  if (!url.startsWith(origin)) return false
  const target = URL.parse(url)
  if (target === null || target.origin !== origin || target.username !== '' || target.password !== '')
    return false
  return accountOfPath(target.pathname) === accountId || (hasCanary && target.pathname === canaryPath)
}
