/**
 * Thread pool for password hashes. A hash uses a core for tens of milliseconds, and anyone who can reach the sign-in page
 * can trigger one. These threads have a lower priority than the main thread and use at most half of the cores.
 */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { entryPoint } from '../../model/package-files.ts'
import type { HashTask } from './hash-thread.ts'

export const maxHashThreads = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)))

const idle: Worker[] = []

export async function hashInThread(password: string): Promise<string> {
  return String(await run({ password }))
}

export async function verifyInThread(storedHash: string, password: string): Promise<boolean> {
  return (await run({ password, storedHash })) === true
}

/** Starts a thread if none is idle. The hash queue limits the number of concurrent tasks. */
async function run(task: HashTask): Promise<unknown> {
  const thread = idle.pop() ?? new Worker(entryPoint('identity/accounts/hash-thread'))
  thread.ref()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage(task)
  // Rejects if the thread fails. A failed thread has ended and is not reused.
  const [result] = await once(thread, 'message')
  // An idle thread does not keep the process alive.
  thread.unref()
  idle.push(thread)
  return result
}
