/** Migrations are applied once, by one of several concurrent runs, without blocking other sessions. */
import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { migrationsFolder } from '../../src/db/migrations-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { runProgram as run } from '../support/run-program.ts'

// Longer than any timeout below, because the machine may be slow.
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

/** Copies migrations of the project to the folder. */
async function copyMigrations(names: readonly string[]): Promise<void> {
  for (const name of names) await copyFile(new URL(name, migrationsFolder), join(folder, name))
}

async function apply(): Promise<string[]> {
  return migrate({ databaseUrl: database.url, folder: pathToFileURL(`${folder}/`) })
}

async function appliedNames(): Promise<string[]> {
  const rows = await database.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')
  return rows.map(({ name }) => name)
}

async function tableExists(name: string): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    name,
  ])
  return row?.found ?? false
}

/** False after an aborted build: PostgreSQL keeps and maintains such an index but never uses it. */
async function indexIsValid(): Promise<boolean | undefined> {
  const rows = await database.query<{ valid: boolean }>(
    "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('t_a')",
  )
  return rows[0]?.valid
}

/** Runs statements on a separate connection and keeps their locks until `release`. */
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
  test('two concurrent runs on an empty database succeed and apply each migration once', async () => {
    const runs = await Promise.all([run('migrate', environment()), run('migrate', environment())])
    const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).toSorted()
    expect(names.length).toBeGreaterThan(0)
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ])
    const outputs = runs.map(({ stdout }) => stdout).toSorted()
    expect(outputs).toEqual(
      ['The database is up to date.\n', names.map((name) => `applied ${name}\n`).join('')].toSorted(),
    )
    expect(await appliedNames()).toEqual(names)
  })

  test('a second run applies nothing', async () => {
    await run('migrate', environment())
    const second = await run('migrate', environment())
    expect(second).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' })
  })

  test('invalid settings are all listed without a stack trace', async () => {
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

describe('service start', () => {
  test('a database without migrations prevents the start; the error lists migrations and command', async () => {
    const { code, stdout, stderr } = await run('main', environment())
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Missing migrations: 0001_registry\.sql/)
    expect(stderr).toContain('Run `npm run migrate` first.')
    expect(stderr).not.toMatch(/^ +at /m)
  })

  test('several invalid settings prevent the start and are all listed', async () => {
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

  test('an unreachable PostgreSQL prevents the start with a short error', async () => {
    const { code, stderr } = await run('main', {
      ...environment(),
      DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d',
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^PostgreSQL does not respond at DATABASE_URL\./)
    expect(stderr).not.toContain('hunter2')
  })
})

describe('a folder of migrations', () => {
  test('new migrations are applied in the order of their names', async () => {
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

  test('a changed migration is rejected by name, and nothing new is applied', async () => {
    await writeMigrations({ '0001_a.sql': 'CREATE TABLE t (a int)', '0002_b.sql': 'ALTER TABLE t ADD b int' })
    await apply()
    await writeMigrations({ '0001_a.sql': 'CREATE TABLE t (a  int)', '0003_c.sql': 'CREATE TABLE c ()' })
    await expect(apply()).rejects.toThrow(/0001_a\.sql was changed/)
    expect(await tableExists('c')).toBe(false)
    await writeMigrations({ '0001_a.sql': 'CREATE TABLE t (a int)' })
    expect(await apply()).toEqual(['0003_c.sql'])
  })

  test('a failed migration is rolled back, earlier ones stay, and the run can be repeated', async () => {
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

  test('a failed run releases the lock', async () => {
    await writeMigrations({ '0001_a.sql': 'SELECT 1 / 0' })
    // Other runs wait for the lock without a timeout.
    const runs = await Promise.allSettled([apply(), apply(), apply()])
    expect(runs.map((first) => (first.status === 'rejected' ? String(first.reason) : 'applied'))).toEqual(
      Array.from({ length: 3 }, () => 'error: division by zero'),
    )
  })
})

test('stored reasons and actions get the names of the documentation', async () => {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).toSorted()
  await copyMigrations(names.filter((name) => name < '0021'))
  await apply()
  await database.query('CREATE TABLE attempts_of_all_days PARTITION OF attempts DEFAULT')
  await database.query('CREATE TABLE deliveries_of_all_days PARTITION OF deliveries DEFAULT')
  await database.query(`
    WITH account AS (INSERT INTO accounts (name) VALUES ('a') RETURNING id),
    attempt AS (
      INSERT INTO attempts (account_id, event_id, hook_id, round, attempt, started_at, reason, total_ms, worker)
      SELECT id, uuid_v7_floor(now()), 1, 1, 1, now(), 'invalid_answer', 1, 'w' FROM account
    ),
    delivery AS (
      INSERT INTO deliveries (account_id, event_id, hook_id, round, state, reason, attempts)
      SELECT id, uuid_v7_floor(now()), hook, 1, state, reason, 1 FROM account,
        (VALUES (1, 'failed', 'invalid_answer'), (2, 'cancelled', 'dropped_by_owner'), (3, 'failed', 'timeout'))
        AS old (hook, state, reason)
    ),
    replay AS (
      INSERT INTO replays (account_id, kind, selection, state, max_per_second, created_by, is_counted)
      SELECT id, 'search', '{"kind":"search","search":{"reason":"dropped_by_owner"}}', 'done', 1, 'key:1', true
      FROM account
    )
    INSERT INTO audit (actor, action, subject) VALUES ('visitor', 'login.ask-for-link', 'login:1')`)
  await copyMigrations(names.filter((name) => name >= '0021'))
  await apply()
  const [stored] = await database.query(`
    SELECT (SELECT reason FROM attempts) AS attempt,
      (SELECT array_agg(reason ORDER BY hook_id) FROM deliveries) AS deliveries,
      (SELECT selection -> 'search' FROM replays) AS search, (SELECT action FROM audit) AS action`)
  expect(stored).toEqual({
    attempt: 'invalid_response',
    deliveries: ['invalid_response', 'discarded', 'timeout'],
    search: { reason: 'discarded' },
    action: 'login.request-reset',
  })
})

test('an index of a partitioned table is built in advance, while rows are written, and built again after a failure', async () => {
  await writeMigrations({
    '0001_a.sql': `CREATE TABLE t (a int) PARTITION BY RANGE (a);
      CREATE TABLE t_1 PARTITION OF t FOR VALUES FROM (0) TO (10);
      CREATE TABLE t_2 PARTITION OF t FOR VALUES FROM (10) TO (20);`,
  })
  await apply()
  const steps = '-- in advance: ALTER TABLE t ADD COLUMN IF NOT EXISTS b int\n-- day by day: b ON t (b)\n'
  await writeMigrations({ '0002_b.sql': `${steps}CREATE INDEX t_b ON t (b); SELECT 1 / 0` })
  await expect(apply()).rejects.toThrow('division by zero')
  const writer = await holdLock('INSERT INTO t VALUES (1, 1)')
  await writeMigrations({
    '0002_b.sql': `${steps}-- day by day: c ON t (b, a)\nCREATE INDEX t_c ON t (b, a)`,
  })
  const applying = apply()
  await sleep(2_500)
  await database.query('INSERT INTO t VALUES (2, 2)')
  await writer.release()
  expect(await applying).toEqual(['0002_b.sql'])
  const indexes = await database.query(
    `SELECT inhrelid::regclass::text AS name, indisvalid AS valid FROM pg_inherits
     JOIN pg_index ON indexrelid = inhparent WHERE inhparent = 't_c'::regclass ORDER BY 1`,
  )
  expect(indexes).toEqual([
    { name: 't_1_c', valid: true },
    { name: 't_2_c', valid: true },
  ])
})

describe('CREATE INDEX CONCURRENTLY', () => {
  const table = 'CREATE TABLE t (a int); INSERT INTO t SELECT generate_series(1, 1000)'
  const index = '-- no transaction\nCREATE INDEX CONCURRENTLY t_a ON t (a)'

  // PostgreSQL waits for older snapshots, so a run that waits for the lock in the database would block the build.
  test('the index is built while other runs wait for the lock', async () => {
    await writeMigrations({ '0001_a.sql': `${table}; SELECT pg_sleep(1)`, '0002_b.sql': index })
    const runs = await Promise.all([apply(), apply(), apply()])
    expect(runs.toSorted((first, other) => first.length - other.length)).toEqual([
      [],
      [],
      ['0001_a.sql', '0002_b.sql'],
    ])
    expect(await indexIsValid()).toBe(true)
  })

  test.each([
    ['without IF NOT EXISTS', index],
    ['with IF NOT EXISTS', '-- no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS t_a ON t (a)'],
  ])('the index is valid after a concurrent transaction of 5 s, %s', async (_how, sql) => {
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
  test('a migration of a table in use does not block queries and completes later', async () => {
    await writeMigrations({ '0001_a.sql': 'CREATE TABLE t (a int)' })
    await apply()
    await writeMigrations({ '0002_b.sql': 'ALTER TABLE t ADD b int' })
    const lock = await holdLock('SELECT FROM t')
    const done = new AbortController()
    const migrating = apply().finally(() => done.abort())

    // The migration blocks the query, but its lock timeout lets the query through. This happens twice while the table
    // is still in use. Without the timeout the query would wait forever.
    for (let timeouts = 0; timeouts < 2;) {
      const startedAt = performance.now()
      await database.query('SELECT FROM t')
      if (performance.now() - startedAt > 500) timeouts++
      expect(done.signal.aborted).toBe(false)
      await sleep(20)
    }
    await lock.release()
    expect(await migrating).toEqual(['0002_b.sql'])
  })

  test('a migration that fails on the lock timeout is rolled back and later applied completely', async () => {
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
