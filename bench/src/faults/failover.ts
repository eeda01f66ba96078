import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '../support/wait-for.ts'
import type { Scenario } from './scenario.ts'

/** As long as a cluster manager needs to notice that the primary is dead. */
const noticeMs = 3_000

export const failover: Scenario = {
  name: 'failover',
  description: 'kill -9 of PostgreSQL during a hand-off; its synchronous standby takes over',
  workersAtStart: 3,
  async injectFault({ environment, workers, api }) {
    const standby = await environment.startStandby()
    // Commits wait for the standby from now on.
    await sleep(2_000)
    const from = Date.now()
    let killing: Promise<void> | undefined
    api.nats.intercept(async () => {
      killing ??= environment.killPostgres()
      await killing
      return 'pass' as const
    })
    await waitFor('a hand-off', () => killing !== undefined)
    await killing
    api.nats.intercept(undefined)
    const killedAt = Date.now()
    await sleep(noticeMs)
    await standby.takeOver()
    const until = Date.now()
    return {
      faults: [{ from, until }],
      affected: [...workers, api],
      notes: [`without a primary for ${((until - killedAt) / 1_000).toFixed(1)} s`],
      check: async (client) => {
        const { rows } = await client.query<{ file: string }>(
          'SELECT pg_walfile_name(pg_current_wal_lsn()) AS file',
        )
        const isPromoted = rows[0]?.file.startsWith('00000002') === true
        return isPromoted ? [] : ['proved nothing: the standby was not promoted']
      },
    }
  },
}
