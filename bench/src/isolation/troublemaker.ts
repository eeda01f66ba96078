/** The troublemaker: its receivers and hooks are there in every turn, its load only where it is started. */
import { type TroubleSeen, troubleSeen } from './figures.ts'
import { watchHanging } from './hanging.ts'
import { type Intake, startLoad } from './load.ts'
import type { Trouble } from './scenarios.ts'
import { addSpread, type World } from './world.ts'

export interface TroubleResult extends TroubleSeen {
  accepted: number
  refused: number
  /** Most connections that hung at once. */
  mostHanging: number
}

interface Troublemaker {
  start: (intake: Intake) => { stop: () => Promise<TroubleResult> }
}

export async function addTroublemaker(world: World, trouble: Trouble): Promise<Troublemaker> {
  const { behaviour, hosts, accounts, ratePerSecond } = trouble
  const receivers = world.startReceivers()
  const isDeaf = behaviour === 'deaf'
  const urls = isDeaf ? await receivers.listenDeaf('127.0.20.1') : await receivers.listen('127.0.20.1', hosts)
  if (!isDeaf) await receivers.behave(behaviour)
  const own = await addSpread(world, urls, accounts)
  return {
    start(intake) {
      const load = startLoad(intake, own, ratePerSecond)
      const hanging = isDeaf ? watchHanging(Number(new URL(urls[0] ?? '').port)) : undefined
      return {
        async stop() {
          await load.stop()
          const seen = troubleSeen(await receivers.report())
          const mostHanging = hanging?.stop() ?? 0
          return { ...seen, accepted: load.accepted.length, refused: load.refused(), mostHanging }
        },
      }
    },
  }
}
