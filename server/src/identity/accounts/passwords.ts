/**
 * Hashing passwords with argon2id. One hash takes tens of milliseconds and 19 MiB, so at most two run at once and only
 * a few wait: a flood of logins cannot take the process's memory or its thread pool.
 */
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { Refusal } from '../../model/errors.ts'

export interface Passwords {
  hash: (password: string) => Promise<string>
  /** False for a wrong password; without a stored hash it takes just as long and is always false. */
  verify: (storedHash: string | undefined, password: string) => Promise<boolean>
}

/** OWASP's first choice for argon2id (algorithm 2). */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Longer ones would only cost time to read. */
export const longestPasswordBytes = 1_024
const atOnce = 2
const waitingAtMost = 40

export async function createPasswords(): Promise<Passwords> {
  const inTurn = takingTurns()
  const hashOfNobody = await hash(randomBytes(16).toString('hex'), parameters)
  return {
    hash: (password) => inTurn(() => hash(normalise(password), parameters)),
    async verify(storedHash, password) {
      const isRight = await inTurn(() => verify(storedHash ?? hashOfNobody, normalise(password)))
      return isRight && storedHash !== undefined
    },
  }
}

/** The same password typed on another keyboard may arrive composed otherwise. */
function normalise(password: string): string {
  return password.normalize('NFKC')
}

function takingTurns(): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: Array<() => void> = []
  return async (task) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingAtMost)
        throw new Refusal(
          'unavailable',
          'Too many logins at once. Try again in a moment, or use an API key.',
          {
            retryAfterSeconds: 2,
          },
        )
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await task()
    } finally {
      // The turn is handed on, so the count stays; only with nobody waiting it falls.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
