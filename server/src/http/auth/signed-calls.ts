/**
 * Verifies the signature of a call. A signature is optional unless the API key or the account requires one, and one that
 * is sent must be valid. It is built like the `X-Signature` of a delivery:
 *   timestamp, nonce, method, complete URL, MD5 of the body → HMAC-SHA-256 with the signing key of the account
 */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Database } from '../../db/database.ts'
import { readSigningKeys } from '../../hooks/signing-key.ts'
import { claimNonce } from '../../identity/accounts/call-nonces.ts'
import { accountSignature } from '../../model/account-signature.ts'
import type { Caller } from '../../model/caller.ts'
import { ApiError } from '../../model/errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import { isSameSecret } from '../../vault/is-same-secret.ts'
import type { Vault } from '../../vault/vault.ts'

export interface SignedCall {
  headers: IncomingMessage['headersDistinct']
  method: string
  /** The URLs that the client may have called: as the proxy reports it, and below the base URL. */
  urls: readonly string[]
  body: Buffer | undefined
}

interface SignatureDeps {
  db: Database
  vault: Vault
  clock: Pick<Clock, 'now'>
}

const maxAgeSeconds = 30
const nonceLength = 32
const nonceFormat = new RegExp(`^[!-~]{${nonceLength}}$`)

export async function verifySignature(
  { db, vault, clock }: SignatureDeps,
  caller: Caller,
  call: SignedCall,
): Promise<void> {
  const signature = single(call, 'x-signature')
  if (signature === undefined) {
    if (caller.isSignatureRequired)
      throw invalid('This call must be signed. Send "X-Signature", "X-Timestamp" and "X-Nonce".')
    return
  }
  const timestamp = single(call, 'x-timestamp') ?? ''
  const nonce = single(call, 'x-nonce') ?? ''
  if (!/^\d{1,12}$/.test(timestamp))
    throw invalid('The header "X-Timestamp" must be the current time in Unix seconds.')
  if (!nonceFormat.test(nonce))
    throw invalid(`The header "X-Nonce" must have ${nonceLength} characters and be new for each call.`)
  const ageSeconds = clock.now() / 1_000 - Number(timestamp)
  if (Math.abs(ageSeconds) > maxAgeSeconds)
    throw invalid(
      `The header "X-Timestamp" differs from the time of the server by more than ${maxAgeSeconds} seconds. Check the clock of your server.`,
    )
  const { current, next } = await readSigningKeys(db, vault, caller.accountId)
  const signed = { timestamp, nonce, method: call.method, bodyMd5: hash('md5', call.body ?? '') }
  const isValid = [current, next]
    .filter((key) => key !== null)
    .flatMap((key) => call.urls.map((url) => accountSignature(key, { ...signed, url })))
    .some((expected) => isSameSecret(signature.toLowerCase(), expected))
  if (!isValid)
    throw invalid(
      'The signature is not valid. Sign timestamp, nonce, method, complete URL and MD5 of the body, one per line, with the signing key of the account.',
    )
  // Only nonces of valid calls are stored, so that a caller without the key cannot use up one.
  if (!(await claimNonce(db, caller.accountId, nonce)))
    throw invalid('The header "X-Nonce" has been used before. Create a new one for each call.')
}

/** Returns the value of a header; undefined if it is missing. Rejects repeated lines. */
function single({ headers }: SignedCall, name: string): string | undefined {
  const [value, ...others] = headers[name] ?? []
  if (others.length > 0) throw invalid(`The header "${name}" was sent more than once.`)
  return value
}

function invalid(message: string): ApiError {
  return new ApiError('invalidSignature', message)
}
