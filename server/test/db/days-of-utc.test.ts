/** Days are UTC days, independent of the time zone and DST changes of the database server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { bucketsOf } from '../../src/stats/account-stats.ts'
import { dayMs } from '../../src/model/day.ts'
import { readBuckets } from '../../src/stats/hook-stats.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let db: Database

/** Returns the day of the year as POSIX time zone rules count it. */
function dayOfYear(at: number): number {
  return Math.floor((at - Date.UTC(new Date(at).getUTCFullYear(), 0, 1)) / dayMs) + 1
}

beforeAll(async () => {
  database = await createTestDatabase()
  // A time zone with a DST change ten days ago, so that one recent day had 23 hours.
  const [summer, winter] = [-10, 100].map((days) => Math.min(365, dayOfYear(Date.now() + days * dayMs)))
  const name = database.url.pathname.slice(1)
  await database.query(`ALTER DATABASE ${name} SET timezone = 'AAA0BBB,J${summer},J${winter}'`)
  db = openDatabase(database.url, 2, () => {})
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('daily stats start at midnight UTC and are complete', async () => {
  for (const daysAgo of [0, 5, 9, 10, 11, 20])
    await database.query(
      `INSERT INTO rollups (account_id, hook_id, hour, delivered)
       VALUES (1, 7, date_trunc('hour', now() - $1 * interval '24 hours', 'UTC'), 1)`,
      [daysAgo],
    )
  const accountBuckets = await bucketsOf(db, 1, { step: 'day', count: 30 })
  const hookBuckets = await readBuckets(db, 1, 7, '30d')
  for (const buckets of [accountBuckets, hookBuckets]) {
    expect(buckets).toHaveLength(30)
    expect(new Set(buckets.map(({ start }) => start.toISOString().slice(11)))).toEqual(
      new Set(['00:00:00.000Z']),
    )
    expect(buckets.map(({ delivered }) => delivered).reduce((sum, count) => sum + count)).toBe(6)
    expect(buckets.at(-1)?.delivered).toBe(1)
  }
})
