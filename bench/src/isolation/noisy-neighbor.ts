/** The noisy neighbor. Its receivers and hooks exist in every run. Its load runs only after `start`. */
import { type NoisyStats, noisyStats } from './latency-stats.ts'
import { watchHanging } from './hanging.ts'
import { type Intake, startLoad } from '../support/event-load.ts'
import type { NoisySpec } from './scenarios.ts'
import { addAccounts, type Environment } from './environment.ts'

export interface NoisyResult extends NoisyStats {
  accepted: number
  rejected: number
  /** Maximum number of connections that hung at the same time. */
  maxHanging: number
}

interface NoisyNeighbor {
  start: (intake: Intake) => { stop: () => Promise<NoisyResult> }
}

export async function addNoisyNeighbor(environment: Environment, noisy: NoisySpec): Promise<NoisyNeighbor> {
  const { behavior, hosts, accounts, ratePerSecond } = noisy
  const receivers = environment.startReceivers()
  const isBlackHole = behavior === 'black-hole'
  const urls = isBlackHole
    ? await receivers.listenBlackHole('127.0.20.1')
    : await receivers.listen('127.0.20.1', hosts)
  if (!isBlackHole) await receivers.behave(behavior)
  const noisyAccounts = await addAccounts(environment, urls, accounts)
  return {
    start(intake) {
      const load = startLoad(intake, noisyAccounts, ratePerSecond)
      const hanging = isBlackHole ? watchHanging(Number(new URL(urls[0] ?? '').port)) : undefined
      return {
        async stop() {
          await load.stop()
          const stats = noisyStats(await receivers.report())
          const maxHanging = hanging?.stop() ?? 0
          return { ...stats, accepted: load.accepted.length, rejected: load.rejected(), maxHanging }
        },
      }
    },
  }
}
