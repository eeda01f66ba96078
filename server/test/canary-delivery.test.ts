import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { startWorld } from './service.ts'

test('a canary goes the whole way again and again, and the figures say so', async () => {
  // Below the ports that outgoing connections use, so that it is still free when the service starts.
  const port = await freePort(randomInt(20_000, 32_000))
  const env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, ALLOW_PRIVATE_TARGETS: 'true' }
  const world = await startWorld({ ...env, CANARY_SECONDS: '1' })
  try {
    await world.startAnother({ CANARY_SECONDS: '1' }, 'worker')
    const figure = async (name: string): Promise<number> => {
      const text = await (await fetch(`${world.service.internalUrl}/metrics`)).text()
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
    }
    await expect.poll(() => figure('hookline_canary_seconds'), { timeout: 60_000 }).toBeGreaterThan(0)
    const agesInLedger = async (): Promise<number[]> => {
      const rows = await world.database.query<{ age: number }>(
        `SELECT extract(epoch FROM now() - accepted_at)::float8 AS age
         FROM deliveries JOIN events ON events.id = event_id WHERE state = 'delivered' ORDER BY age DESC`,
      )
      return rows.map(({ age }) => age)
    }
    await expect
      .poll(async () => (await agesInLedger()).length, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(2)
    // The figure is that of a later one than the first.
    const age = await figure('hookline_canary_age_seconds')
    const [oldest] = await agesInLedger()
    expect(age).toBeGreaterThan(0)
    expect(age).toBeLessThan(oldest ?? 0)
    const accounts = await world.database.query("SELECT FROM accounts WHERE name = 'Hookline canary'")
    expect(accounts).toHaveLength(1)
  } finally {
    await world.close()
  }
}, 150_000)
