/** Worker thread that hashes passwords, one task at a time, and posts each result as a message. */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

export interface HashTask {
  password: string
  /** The hash to compare the password with; without one, the password is hashed. */
  storedHash?: string
}

/** First recommendation of OWASP for argon2id (algorithm 2). */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const priority = 10

// On Linux this sets the priority of the thread, on other systems that of the whole process.
if (process.platform === 'linux') setPriority(priority)

parentPort?.on('message', ({ password, storedHash }: HashTask) => {
  const result = storedHash === undefined ? hashSync(password, parameters) : verifySync(storedHash, password)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(result)
})
