/** Runs a scenario: the healthy load in a dedicated installation, with or without the noisy neighbor. */
import type { Services } from '../../../dev/services.ts'
import { createHealthy, type SteadyResult } from './healthy.ts'
import { seedRetries } from './seed-retries.ts'
import type { Scenario } from './scenarios.ts'
import { addNoisyNeighbor, type NoisyResult } from './noisy-neighbor.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { addAccounts, type LoggedProblems, createEnvironment, type Environment } from './environment.ts'

export type Kind = 'baseline' | 'with'

export interface RunOptions {
  services: Services
  workers: number
  withNats: boolean
  env: Record<string, string>
  seconds: number
  warmUpSeconds: number
  /** Time after which healthy events that have not arrived count as missing. */
  graceSeconds: number
  cleanup: Cleanup
}

export interface RunResult extends SteadyResult {
  kind: Kind
  /** Events per second of each burst, 0 if the burst did not arrive in time. */
  bursts: number[]
  noisy?: NoisyResult
  loggedProblems: LoggedProblems
}

/** Runs the kinds one after another in one installation. The baseline comes first: other runs leave data behind. */
export async function runKinds(
  scenario: Scenario,
  kinds: readonly Kind[],
  options: RunOptions,
): Promise<RunResult[]> {
  try {
    const environment = await createEnvironment(options)
    const runKind = await prepare(environment, scenario, options)
    const results: RunResult[] = []
    for (const kind of kinds) results.push(await runKind(kind))
    return results
  } finally {
    await options.cleanup.run()
  }
}

async function prepare(
  environment: Environment,
  { healthy, noisy, retries, burst }: Scenario,
  { seconds, warmUpSeconds, graceSeconds }: RunOptions,
): Promise<(kind: Kind) => Promise<RunResult>> {
  const receivers = environment.startReceivers()
  const hosts = await receivers.listen('127.0.10.1', healthy.hosts)
  const accounts = await addAccounts(environment, hosts, healthy.accounts)
  const noisyNeighbor = noisy && (await addNoisyNeighbor(environment, noisy))
  const intake = await environment.start()
  const healthyLoad = createHealthy(receivers, accounts, intake, graceSeconds * 1_000)
  await healthyLoad.steady(healthy.ratePerSecond, warmUpSeconds)

  return async (kind) => {
    const isWith = kind === 'with'
    if (isWith && retries !== undefined) await seedRetries(environment.client, retries)
    // Flushes the seeded data now, not during the measurement.
    await environment.client.query('CHECKPOINT')
    const noisyLoad = isWith ? noisyNeighbor?.start(intake) : undefined
    const steady = await healthyLoad.steady(healthy.ratePerSecond, seconds)
    const noisyResult = await noisyLoad?.stop()
    const bursts: number[] = []
    for (let time = 0; time < (burst?.times ?? 0); time++)
      bursts.push(await healthyLoad.burst(burst?.events ?? 0))
    return {
      kind,
      ...steady,
      bursts,
      ...(noisyResult && { noisy: noisyResult }),
      loggedProblems: environment.loggedProblems(),
    }
  }
}
