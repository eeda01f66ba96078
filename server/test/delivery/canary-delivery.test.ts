import { expect, test } from 'vitest'
import { reservedPort } from '../../../dev/ports.ts'
import { createStop, endStop } from '../../src/db/stops.ts'
import { startTestService } from '../support/test-service.ts'

test('canary events are delivered repeatedly, and the metrics show it', async () => {
  // Below the ephemeral port range, so that the port is still free when the service starts.
  const port = await reservedPort()
  const env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, ALLOW_PRIVATE_TARGETS: 'true' }
  const hookline = await startTestService({ ...env, CANARY_SECONDS: '1' })
  try {
    await hookline.startAnother({ CANARY_SECONDS: '1' }, 'worker')
    const metric = async (name: string): Promise<number> => {
      const text = await (await fetch(`${hookline.worker.internalUrl}/metrics`)).text()
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
    }
    await expect
      .poll(() => metric('hookline_canary_duration_seconds'), { timeout: 60_000 })
      .toBeGreaterThan(0)
    const agesInLedger = async (): Promise<number[]> => {
      const rows = await hookline.database.query<{ age: number }>(
        `SELECT extract(epoch FROM now() - accepted_at)::float8 AS age
         FROM deliveries JOIN events ON events.id = event_id WHERE state = 'delivered' ORDER BY age DESC`,
      )
      return rows.map(({ age }) => age)
    }
    await expect
      .poll(async () => (await agesInLedger()).length, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(2)
    // The metric belongs to a later canary than the first.
    const age = await metric('hookline_canary_age_seconds')
    const [oldest] = await agesInLedger()
    expect(age).toBeGreaterThan(0)
    expect(age).toBeLessThan(oldest ?? 0)
    const accounts = await hookline.database.query("SELECT FROM accounts WHERE name = 'Hookline canary'")
    expect(accounts).toHaveLength(1)

    // While all deliveries are stopped, the age grows. Afterwards a new canary is delivered.
    const inTransaction = hookline.db.transaction()
    const all = { target: { scope: 'all' }, reason: 'test' } as const
    const stop = await inTransaction.execute((trx) => createStop(trx, 'operator', all))
    await expect.poll(() => metric('hookline_canary_age_seconds'), { timeout: 60_000 }).toBeGreaterThan(5)
    await inTransaction.execute((trx) => endStop(trx, 'operator', stop ?? 0))
    await expect.poll(() => metric('hookline_canary_age_seconds'), { timeout: 60_000 }).toBeLessThan(5)
  } finally {
    await hookline.close()
  }
}, 150_000)
