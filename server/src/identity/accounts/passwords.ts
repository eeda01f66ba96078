/**
 * Hashes passwords with argon2id, through a fair queue (`hash-queue.ts`) and threads of low priority (`hash-threads.ts`).
 *
 * Clients that send the password with every call would need a hash each time. So a process caches for some minutes that
 * a password matched a stored hash, as a digest with a key that exists only in memory. The stored hash still comes from
 * the database for each call: a new password, a suspension or a second factor applies to the next call.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { createHashQueue, type HashShare } from './hash-queue.ts'
import { hashInThread, maxHashThreads, verifyInThread } from './hash-threads.ts'

export interface Passwords {
  hash: (password: string, share?: HashShare) => Promise<string>
  /** Returns false for a wrong password. Without a stored hash, takes the same time and returns false. */
  verify: (storedHash: string | undefined, password: string, share: HashShare) => Promise<boolean>
}

/** Bounds the time to process a password. */
export const maxPasswordBytes = 1_024
const operatorShare: HashShare = { kind: 'device', owner: 'operator' }

export function createPasswords(): Passwords {
  const enqueue = createHashQueue(maxHashThreads)
  const verifiedCache = createVerifiedCache()
  const dummyHash = hashInThread(randomBytes(16).toString('hex'))
  return {
    hash: (password, share = operatorShare) => enqueue(share, () => hashInThread(normalize(password))),
    async verify(storedHash, password, share) {
      const input = normalize(password)
      if (verifiedCache.has(storedHash, input)) return true
      return enqueue(share, async () => {
        // Another call with the same password may have completed in the meantime.
        if (verifiedCache.has(storedHash, input)) return true
        const isRight =
          (await verifyInThread(storedHash ?? (await dummyHash), input)) && storedHash !== undefined
        if (isRight) verifiedCache.add(storedHash, input)
        return isRight
      })
    },
  }
}

/** Normalizes Unicode, because keyboards can compose the same password differently. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}

const cacheMs = 5 * 60_000
const maxCached = 1_000

/** Caches passwords that recently matched a stored hash. */
function createVerifiedCache() {
  const key = createSecretKey(randomBytes(32))
  const expiries = new Map<string, number>()
  const digestOf = (storedHash: string | undefined, password: string): string =>
    createHmac('sha256', key)
      .update(`${storedHash ?? ''}\0${password}`)
      .digest('base64')
  return {
    has(storedHash: string | undefined, password: string): boolean {
      const expiresAt = expiries.get(digestOf(storedHash, password))
      return expiresAt !== undefined && expiresAt > performance.now()
    },
    add(storedHash: string, password: string): void {
      const [oldest] = expiries.keys()
      if (expiries.size >= maxCached && oldest !== undefined) expiries.delete(oldest)
      expiries.set(digestOf(storedHash, password), performance.now() + cacheMs)
    },
  }
}
