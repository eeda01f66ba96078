/** Migrations: applied once, by whoever comes first, without stopping those who work meanwhile. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { migrate } from '../src/db/migrate.ts'
import { migrationsFolder } from '../src/db/migrations-folder.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { runProgram as run } from './run-program.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 90_000 })

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createTestDatabase('template0')
  folder = await mkdtemp(join(tmpdir(), 'hookline-migrations-'))
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

function environment(): Record<string, string> {
  return { DATABASE_URL: database.url.href, MASTER_KEY: randomBytes(32).toString('base64') }
}

async function writeMigrations(files: Record<string, string>): Promise<void> {
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql)
}

async function apply(): Promise<string[]> {
  return migrate({ databaseUrl: database.url, folder: pathToFileURL(`${folder}/`) })
}

async function appliedNames(): Promise<string[]> {
  const rows = await database.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')
  return rows.map(({ name }) => name)
}

async function tableExists(name: string): Promise<boolean> {
  const [row] = await database.query<{ known: boolean }>('SELECT to_regclass($1) IS NOT NULL AS known', [
    name,
  ])
  return row?.known ?? false
}

/** False when building was broken off: PostgreSQL keeps such an index, pays for it and never uses it. */
async function indexIsValid(): Promise<boolean | undefined> {
  const rows = await database.query<{ valid: boolean }>(
    "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('t_a')",
  )
  return rows[0]?.valid
}

/** Runs statements on a connection of its own, which holds what they lock until `release`. */
async function holdLock(...statements: string[]): Promise<{ release: () => Promise<void> }> {
  const client = new Client({ connectionString: database.url.href })
  await client.connect()
  await client.query('BEGIN')
  for (const sql of statements) await client.query(sql)
  return {
    async release() {
      await client.query('COMMIT')
      await client.end()
    },
  }
}

describe('npm run migrate', () => {
  test('twice at once on an empty database: both succeed, each migration is applied once', async () => {
    const runs = await Promise.all([run('migrate', environment()), run('migrate', environment())])
    const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).toSorted()
    expect(names.length).toBeGreaterThan(0)
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ])
    const said = runs.map(({ stdout }) => stdout).toSorted()
    expect(said).toEqual(
      ['The database is up to date.\n', names.map((name) => `applied ${name}\n`).join('')].toSorted(),
    )
    expect(await appliedNames()).toEqual(names)
  })

  test('again finds nothing to do', async () => {
    await run('migrate', environment())
    const again = await run('migrate', environment())
    expect(again).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' })
  })

  test('names every broken setting, and no stack trace', async () => {
    const { code, stdout, stderr } = await run('migrate', {
      DATABASE_URL: 'x',
      MASTER_KEY: 'x',
      LOG_LEVEL: 'x',
    })
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/DATABASE_URL[^]*MASTER_KEY[^]*LOG_LEVEL/)
    expect(stderr).not.toMatch(/^ +at /m)
  })
})

describe('starting the service', () => {
  test('is refused on a database without migrations, naming them and the command to run', async () => {
    const { code, stdout, stderr } = await run('main', environment())
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^The database lacks 0001_registry\.sql/)
    expect(stderr).toContain('Run `npm run migrate` first.')
    expect(stderr).not.toMatch(/^ +at /m)
  })

  test('is refused with several broken settings, naming all', async () => {
    const broken = {
      ...environment(),
      MASTER_KEY: 'short',
      PORT: '70000',
      TIME_ZONE: 'Mars',
      CALLS_PER_MINUTE: '0',
    }
    const { code, stdout, stderr } = await run('main', broken)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    for (const name of ['MASTER_KEY', 'PORT', 'TIME_ZONE', 'CALLS_PER_MINUTE'])
      expect(stderr).toMatch(new RegExp(`^  - ${name} `, 'm'))
    expect(stderr).not.toMatch(/^ +at /m)
  })

  test('is refused in one sentence when no PostgreSQL answers', async () => {
    const { code, stderr } = await run('main', {
      ...environment(),
      DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d',
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^PostgreSQL does not answer at DATABASE_URL\./)
    expect(stderr).not.toContain('hunter2')
  })
})

describe('a folder of migrations', () => {
  test('is applied in the order of names, and only what is new', async () => {
    await writeMigrations({
      '0002_b.sql': 'ALTER TABLE t ADD b int',
      '0001_a.sql': 'CREATE TABLE t (a int)',
      'notes.md': 'x',
    })
    expect(await apply()).toEqual(['0001_a.sql', '0002_b.sql'])
    await writeMigrations({ '0003_c.sql': 'ALTER TABLE t ADD c int' })
    expect(await apply()).toEqual(['0003_c.sql'])
    expect(await apply()).toEqual([])
  })

  test('with a file that was changed after it was applied is refused by name, and nothing new is applied', async () => {
    await writeMigrations({ '0001_a.sql': 'CREATE TABLE t (a int)', '0002_b.sql': 'ALTER TABLE t ADD b int' })
    await apply()
    await writeMigrations({ '0001_a.sql': 'CREATE TABLE t (a  int)', '0003_c.sql': 'CREATE TABLE c ()' })
    await expect(apply()).rejects.toThrow(/0001_a\.sql was changed/)
    expect(await tableExists('c')).toBe(false)
    await writeMigrations({ '0001_a.sql': 'CREATE TABLE t (a int)' })
    expect(await apply()).toEqual(['0003_c.sql'])
  })

  test('of which one fails leaves nothing of it behind, keeps those before, and can be repeated', async () => {
    await writeMigrations({
      '0001_a.sql': 'CREATE TABLE a ()',
      '0002_b.sql': 'CREATE TABLE b (); INSERT INTO b DEFAULT VALUES; SELECT 1 / 0; CREATE TABLE later ()',
      '0003_c.sql': 'CREATE TABLE c ()',
    })
    await expect(apply()).rejects.toThrow('division by zero')
    expect(await appliedNames()).toEqual(['0001_a.sql'])
    expect([await tableExists('b'), await tableExists('later'), await tableExists('c')]).toEqual([
      false,
      false,
      false,
    ])
    await expect(apply()).rejects.toThrow('division by zero')

    await writeMigrations({ '0002_b.sql': 'CREATE TABLE b ()' })
    expect(await apply()).toEqual(['0002_b.sql', '0003_c.sql'])
  })

  test('that fails lets go of the lock: another run is not held up', async () => {
    await writeMigrations({ '0001_a.sql': 'SELECT 1 / 0' })
    // Whoever does not get the lock waits for it without end.
    const runs = await Promise.allSettled([apply(), apply(), apply()])
    expect(runs.map((one) => (one.status === 'rejected' ? String(one.reason) : 'applied'))).toEqual(
      Array.from({ length: 3 }, () => 'error: division by zero'),
    )
  })
})

describe('an index that is built while others work', () => {
  const table = 'CREATE TABLE t (a int); INSERT INTO t SELECT generate_series(1, 1000)'
  const index = '-- no transaction\nCREATE INDEX CONCURRENTLY t_a ON t (a)'

  // PostgreSQL waits for every older snapshot: one that waited for the lock inside the database would hold such a one.
  test('is built although another run waits for its turn', async () => {
    await writeMigrations({ '0001_a.sql': `${table}; SELECT pg_sleep(1)`, '0002_b.sql': index })
    const runs = await Promise.all([apply(), apply(), apply()])
    expect(runs.toSorted((one, other) => one.length - other.length)).toEqual([
      [],
      [],
      ['0001_a.sql', '0002_b.sql'],
    ])
    expect(await indexIsValid()).toBe(true)
  })

  test.each([
    ['plainly', index],
    ['repeatably', '-- no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS t_a ON t (a)'],
  ])('is built whole once a transaction of 5 s is over, written %s', async (_how, sql) => {
    await writeMigrations({ '0001_a.sql': table })
    await apply()
    const lock = await holdLock('INSERT INTO t VALUES (0)')
    await writeMigrations({ '0002_b.sql': sql })
    const migrating = Promise.allSettled([apply()])
    await sleep(5_000)
    await lock.release()
    expect(await migrating).toEqual([{ status: 'fulfilled', value: ['0002_b.sql'] }])
    expect(await indexIsValid()).toBe(true)
  })
})

describe('under load', () => {
  test('a change of a table in use waits without holding others up, and gets through afterwards', async () => {
    await writeMigrations({ '0001_a.sql': 'CREATE TABLE t (a int)' })
    await apply()
    await writeMigrations({ '0002_b.sql': 'ALTER TABLE t ADD b int' })
    const lock = await holdLock('SELECT FROM t')
    const over = new AbortController()
    const migrating = apply().finally(() => over.abort())

    // It does stand in the way, else this would prove nothing, but gives way twice while the table is still in use:
    // without that, the query would wait as long as the lock is held, for ever.
    for (let gaveWay = 0; gaveWay < 2;) {
      const asked = performance.now()
      await database.query('SELECT FROM t')
      if (performance.now() - asked > 500) gaveWay++
      expect(over.signal.aborted).toBe(false)
      await sleep(20)
    }
    await lock.release()
    expect(await migrating).toEqual(['0002_b.sql'])
  })

  test('a change that failed for want of a lock is whole when it is applied', async () => {
    await writeMigrations({ '0001_a.sql': 'CREATE TABLE t (a int)' })
    await apply()
    await writeMigrations({
      '0002_b.sql': 'CREATE TABLE first (); ALTER TABLE t ADD b int; CREATE TABLE last ()',
    })
    const lock = await holdLock('SELECT FROM t')
    const migrating = apply()
    await sleep(2_500)
    expect(await tableExists('first')).toBe(false)
    await lock.release()
    expect(await migrating).toEqual(['0002_b.sql'])
    expect([await tableExists('first'), await tableExists('last')]).toEqual([true, true])
  })
})
