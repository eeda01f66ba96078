/** Hourly counts in tests. Workers add them up every second. */
import { expect, vi } from 'vitest'
import { addCounts } from '../../src/stats/add-counts.ts'
import type { TestService } from './test-service.ts'

/** Adds all counts to the rollups, or waits until workers have done so. Hooks of tests may call it too. */
export async function waitForCounts({ db, database }: Pick<TestService, 'db' | 'database'>): Promise<void> {
  const addRemaining = async () => {
    await addCounts(db)
    expect(await database.query('SELECT FROM rollup_deltas')).toEqual([])
  }
  await vi.waitFor(addRemaining, { timeout: 30_000, interval: 50 })
}
