/**
 * Hashing passwords with argon2id, in turns (`hash-queue.ts`) and in threads of low priority (`hash-threads.ts`).
 *
 * A client that sends its password with every call would need a hash each time. So a process remembers for some minutes
 * that a password fitted a stored hash, as a digest under a key that only this process has and never writes. Whether
 * a password is right is still decided by the stored hash that the database has now: a new password, a suspended account or
 * a second factor counts with the next call.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { createHashQueue, type HashShare } from './hash-queue.ts'
import { hashInThread, maxHashThreads, verifyInThread } from './hash-threads.ts'

export interface Passwords {
  hash: (password: string, share?: HashShare) => Promise<string>
  /** False for a wrong password; without a stored hash it takes just as long and is always false. */
  verify: (storedHash: string | undefined, password: string, share: HashShare) => Promise<boolean>
}

/** Longer ones would only cost time to read. */
export const longestPasswordBytes = 1_024
const operatorShare: HashShare = { kind: 'device', owner: 'operator' }

export async function createPasswords(): Promise<Passwords> {
  const inTurn = createHashQueue(maxHashThreads)
  const verified = createVerified()
  const hashOfNobody = await hashInThread(randomBytes(16).toString('hex'))
  return {
    hash: (password, share = operatorShare) => inTurn(share, () => hashInThread(normalise(password))),
    async verify(storedHash, password, share) {
      const given = normalise(password)
      if (verified.has(storedHash, given)) return true
      return inTurn(share, async () => {
        // Another call with the same password may have been hashed while this one waited.
        if (verified.has(storedHash, given)) return true
        const isRight = (await verifyInThread(storedHash ?? hashOfNobody, given)) && storedHash !== undefined
        if (isRight) verified.add(storedHash, given)
        return isRight
      })
    },
  }
}

/** The same password typed on another keyboard may arrive composed otherwise. */
function normalise(password: string): string {
  return password.normalize('NFKC')
}

const rememberedMs = 5 * 60_000
const maxRemembered = 1_000

/** Passwords that fitted a stored hash lately. */
function createVerified() {
  const key = createSecretKey(randomBytes(32))
  const until = new Map<string, number>()
  const digestOf = (storedHash: string | undefined, password: string): string =>
    createHmac('sha256', key)
      .update(`${storedHash ?? ''}\0${password}`)
      .digest('base64')
  return {
    has(storedHash: string | undefined, password: string): boolean {
      const remembered = until.get(digestOf(storedHash, password))
      return remembered !== undefined && remembered > performance.now()
    },
    add(storedHash: string, password: string): void {
      const [oldest] = until.keys()
      if (until.size >= maxRemembered && oldest !== undefined) until.delete(oldest)
      until.set(digestOf(storedHash, password), performance.now() + rememberedMs)
    },
  }
}
