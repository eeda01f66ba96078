/** Composes and sends notices on every worker: any worker does the next step. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { drain } from '../runtime/drain.ts'
import { startInterval } from '../runtime/every.ts'
import { composeNext } from './compose.ts'
import { recordExpiring, recordLosses } from './detect-losses.ts'
import { recordRecovered } from './detect-recovered.ts'
import { leaseEmails } from './email-queue.ts'
import { sendEmail, type SendDeps } from './send-email.ts'

type NoticeDeps = Omit<SendDeps, 'transport'> & {
  /** Undefined if this installation sends no email. */
  transport: SendDeps['transport'] | undefined
  onError: (error: unknown) => void
}

const second = 1_000
const minute = 60 * second
const maxConcurrentEmails = 5
/** For emails in progress when the process stops. After it, another worker retries them. */
const graceMs = 10_000

export function runNotices({ onError, transport, ...deps }: NoticeDeps): () => Promise<void> {
  const { db } = deps
  let isStopping = false
  const untilStopped = (step: () => Promise<number>) => () =>
    drain(async () => (isStopping ? 0 : await step()))
  const tasks: Array<[intervalMs: number, task: () => Promise<unknown>]> = [
    [1 * second, untilStopped(() => composeNext(db, { sendsEmail: transport !== undefined, onError }))],
    [1 * minute, () => recordRecovered(db)],
    [5 * minute, () => detectLosses(db)],
  ]
  if (transport !== undefined)
    tasks.push([1 * second, untilStopped(() => sendDue({ ...deps, transport }, onError))])
  const stops = tasks.map(([intervalMs, task]) => startInterval(intervalMs, task, onError))
  return async () => {
    isStopping = true
    await Promise.race([Promise.all(stops.map((stop) => stop())), sleep(graceMs, undefined, { ref: false })])
    transport?.close()
  }
}

async function detectLosses(db: Database): Promise<void> {
  await recordLosses(db)
  await recordExpiring(db)
}

/** Sends a few due emails concurrently. Returns their number. */
async function sendDue(deps: SendDeps, onError: (error: unknown) => void): Promise<number> {
  const leased = await leaseEmails(deps.db, maxConcurrentEmails)
  // Without a result, an email is retried after its lease.
  await Promise.all(leased.map((email) => sendEmail(deps, email).catch(onError)))
  return leased.length
}
