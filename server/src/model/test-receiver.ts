/**
 * The built-in test receiver: an endpoint of this service that shows what a webhook sends. Beside the canary's, its path
 * is the only one of the service that deliveries may target, and each account has its own. Pure.
 */
const prefix = '/test-receiver/'
const token = /^[1-9]\d{0,9}-[\w-]{43}$/

export function testReceiverPath(accountId: number, secret: Buffer): string {
  return `${prefix}${accountId}-${secret.toString('base64url')}`
}

/** Returns the account that a normalized path names. Only the secret in the path proves it. */
export function accountOfPath(path: string): number | undefined {
  const isReceiver = path.startsWith(prefix) && token.test(path.slice(prefix.length))
  return isReceiver ? Number.parseInt(path.slice(prefix.length), 10) : undefined
}
