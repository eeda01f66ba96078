/** Composes and sends notices on every worker: any worker does the next step. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { IsOverQuota } from '../delivery/intake/backlog-quota.ts'
import { drain } from '../runtime/drain.ts'
import { startInterval } from '../runtime/every.ts'
import { composeNext } from './compose.ts'
import { recordDeprecated, recordExpiringKeys, recordExpiringSecrets } from './detect-credentials.ts'
import { recordExpiring, recordLosses } from './detect-losses.ts'
import { recordBackingOff, recordCertificates, recordSlow } from './detect-receivers.ts'
import { recordRecovered } from './detect-recovered.ts'
import { createChatSender, createEmailSender } from './message-sender.ts'
import { publishNext } from './publish-events.ts'
import type { SendDeps } from './send-message.ts'

export type NoticeDeps = SendDeps & { isOverQuota: IsOverQuota; onError: (error: unknown) => void }

const second = 1_000
const minute = 60 * second
/** For messages in progress when the process stops. After it, another worker retries them. */
const graceMs = 10_000

export function runNotices({ onError, isOverQuota, ...deps }: NoticeDeps): () => Promise<void> {
  const { db, transport } = deps
  const senders = [createEmailSender(deps, onError), createChatSender(deps, onError)]
  let isStopping = false
  const untilStopped = (step: () => Promise<number>) => () =>
    drain(async () => (isStopping ? 0 : await step()))
  const tasks: ReadonlyArray<readonly [intervalMs: number, task: () => Promise<unknown>]> = [
    [1 * second, untilStopped(() => composeNext(db, { sendsEmail: transport !== undefined, onError }))],
    ...senders.map(({ start }) => [1 * second, start] as const),
    [1 * second, untilStopped(() => publishNext(db, isOverQuota))],
    ...[recordRecovered, recordBackingOff].map((detect) => [1 * minute, () => detect(db)] as const),
    ...[
      recordLosses,
      recordExpiring,
      recordSlow,
      recordCertificates,
      recordExpiringKeys,
      recordExpiringSecrets,
      recordDeprecated,
    ].map((detect) => [5 * minute, () => detect(db)] as const),
  ]
  const stops = tasks.map(([intervalMs, task]) => startInterval(intervalMs, task, onError))
  return async () => {
    isStopping = true
    const areStopped = Promise.all([...stops.map((stop) => stop()), ...senders.map(({ stop }) => stop())])
    await Promise.race([areStopped, sleep(graceMs, undefined, { ref: false })])
    transport?.close()
  }
}
