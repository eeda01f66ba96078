/** The exact URLs of this service that deliveries may be sent to: the canary's and the test receiver's. Pure. */
import { isTestReceiverPath } from './test-receiver.ts'

export const canaryPath = '/canary'

/** Returns whether a URL is such a target. A GET adds a query; nothing else may differ. */
export function isOwnTarget(url: string, { origin }: { origin: string }, hasCanary: boolean): boolean {
  const target = URL.parse(url)
  if (target === null || target.origin !== origin || target.username !== '' || target.password !== '')
    return false
  return isTestReceiverPath(target.pathname) || (hasCanary && target.pathname === canaryPath)
}
