/** One turn of a scenario: the healthy load in an installation of its own, with the troublemaker or without. */
import type { Services } from '../../../dev/services.ts'
import { createHealthy, type SteadyResult } from './healthy.ts'
import { fillParked } from './parked.ts'
import type { Scenario } from './scenarios.ts'
import { addTroublemaker, type TroubleResult } from './troublemaker.ts'
import type { Undo } from '../undo.ts'
import { addSpread, type Complaints, createWorld, type World } from './world.ts'

export type Kind = 'baseline' | 'with'

export interface TurnOptions {
  services: Services
  workers: number
  withNats: boolean
  env: Record<string, string>
  seconds: number
  warmUpSeconds: number
  /** How long the last healthy events may take before they are counted as missing. */
  graceSeconds: number
  undo: Undo
}

export interface TurnResult extends SteadyResult {
  kind: Kind
  /** Events in a second, of each burst; 0: it did not arrive in time. */
  bursts: number[]
  trouble?: TroubleResult
  complaints: Complaints
}

/** Plays turns one after the other in one installation; a baseline comes first, or what the others left would be in it. */
export async function runTurns(
  scenario: Scenario,
  kinds: readonly Kind[],
  options: TurnOptions,
): Promise<TurnResult[]> {
  try {
    const world = await createWorld(options)
    const turn = await prepare(world, scenario, options)
    const results: TurnResult[] = []
    for (const kind of kinds) results.push(await turn(kind))
    return results
  } finally {
    await options.undo.all()
  }
}

async function prepare(
  world: World,
  { healthy, trouble, parked, burst }: Scenario,
  { seconds, warmUpSeconds, graceSeconds }: TurnOptions,
): Promise<(kind: Kind) => Promise<TurnResult>> {
  const receivers = world.startReceivers()
  const hosts = await receivers.listen('127.0.10.1', healthy.hosts)
  const accounts = await addSpread(world, hosts, healthy.accounts)
  const troublemaker = trouble && (await addTroublemaker(world, trouble))
  const intake = await world.start()
  const own = createHealthy(receivers, accounts, intake, graceSeconds * 1_000)
  await own.steady(healthy.ratePerSecond, warmUpSeconds)

  return async (kind) => {
    const isWith = kind === 'with'
    if (isWith && parked !== undefined) await fillParked(world.client, parked)
    // What filling has left to be written is written now, not in the middle of the measurement.
    await world.client.query('CHECKPOINT')
    const making = isWith ? troublemaker?.start(intake) : undefined
    const steady = await own.steady(healthy.ratePerSecond, seconds)
    const seen = await making?.stop()
    const bursts: number[] = []
    for (let time = 0; time < (burst?.times ?? 0); time++) bursts.push(await own.burst(burst?.events ?? 0))
    return { kind, ...steady, bursts, ...(seen && { trouble: seen }), complaints: world.complaints() }
  }
}
