/** Days are days of UTC, wherever the database server stands and whatever its clocks did last week. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../src/db/database.ts'
import { bucketsOf } from '../src/pipeline/ledger/figures.ts'
import { dayMs } from '../src/model/day.ts'
import { readBuckets } from '../src/pipeline/work/hook-stats.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

let database: TestDatabase
let db: Database

/** The day of the year, as the rules of a time zone count it. */
function dayOfYear(at: number): number {
  return Math.floor((at - Date.UTC(new Date(at).getUTCFullYear(), 0, 1)) / dayMs) + 1
}

beforeAll(async () => {
  database = await createTestDatabase()
  // A zone in which the clocks were changed ten days ago, so that one of the last days had 23 hours.
  const [summer, winter] = [-10, 100].map((days) => Math.min(365, dayOfYear(Date.now() + days * dayMs)))
  const name = database.url.pathname.slice(1)
  await database.query(`ALTER DATABASE ${name} SET timezone = 'AAA0BBB,J${summer},J${winter}'`)
  db = openDatabase(database.url, 2, () => {})
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('figures by the day begin at midnight and are complete', async () => {
  for (const daysAgo of [0, 5, 9, 10, 11, 20])
    await database.query(
      `INSERT INTO rollups (account_id, hook_id, hour, delivered)
       VALUES (1, 7, date_trunc('hour', now() - $1 * interval '24 hours', 'UTC'), 1)`,
      [daysAgo],
    )
  const ofAccount = await bucketsOf(db, 1, { step: 'day', count: 30 })
  const ofHook = await readBuckets(db, 1, 7, '30d')
  for (const buckets of [ofAccount, ofHook]) {
    expect(buckets).toHaveLength(30)
    expect(new Set(buckets.map(({ start }) => start.toISOString().slice(11)))).toEqual(
      new Set(['00:00:00.000Z']),
    )
    expect(buckets.map(({ delivered }) => delivered).reduce((sum, some) => sum + some)).toBe(6)
    expect(buckets.at(-1)?.delivered).toBe(1)
  }
})
