import { expect, test } from 'vitest'
import { freePort } from '../../dev/ports.ts'
import { startWorld } from './service.ts'

test('a canary goes the whole way again and again, and the figures say so', async () => {
  const port = await freePort()
  const env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, ALLOW_PRIVATE_TARGETS: 'true' }
  const world = await startWorld({ ...env, CANARY_SECONDS: '1' })
  try {
    await world.startAnother({ CANARY_SECONDS: '1' }, 'worker')
    const figure = async (name: string): Promise<number> => {
      const text = await (await fetch(`${world.service.internalUrl}/metrics`)).text()
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
    }
    await expect.poll(() => figure('hookline_canary_seconds'), { timeout: 15_000 }).toBeGreaterThan(0)
    expect(await figure('hookline_canary_seconds')).toBeLessThan(5)
    expect(await figure('hookline_canary_age_seconds')).toBeLessThan(10)
    const accounts = await world.database.query("SELECT FROM accounts WHERE name = 'Hookline canary'")
    expect(accounts).toHaveLength(1)
  } finally {
    await world.close()
  }
})
