/** `once` of the packages for PHP and Python, in processes of their own, with the databases that they support. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { mariaDbClient, type MariaDb, startMariaDb } from './support/mariadb.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-once-'))
const sqliteFile = join(folder, 'ids.sqlite')
let sqlite: DatabaseSync
let postgres: TestDatabase
let mariaDb: MariaDb

/** Of the documentation of both packages. */
const table =
  'CREATE TABLE webhook_ids (id varchar(64) PRIMARY KEY, running_until bigint NOT NULL, received_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP)'
const tables = [table, 'CREATE TABLE handled (name varchar(64))']

beforeAll(async () => {
  sqlite = new DatabaseSync(sqliteFile)
  postgres = await createTestDatabase()
  mariaDb = await startMariaDb(folder, 'receiver')
  for (const run of Object.values(databases)) for (const sql of tables) await run(sql)
})
afterAll(async () => {
  sqlite.close()
  await postgres.drop()
  await mariaDb.stop()
  rmSync(folder, { recursive: true })
})

const databases: Record<string, (sql: string) => unknown> = {
  SQLite: (sql) => sqlite.exec(sql),
  PostgreSQL: (sql) => postgres.query(sql),
  MariaDB: (sql) => mariaDbClient(mariaDb.socket, 'receiver', sql),
}

function pdoOfPostgres({ hostname, port, pathname, username, password }: URL): string {
  return `pgsql:host=${hostname};port=${port};dbname=${pathname.slice(1)};user=${username};password=${password}`
}

const ages: Record<string, string> = {
  SQLite: "datetime('now', '-8 days')",
  PostgreSQL: "now() - interval '8 days'",
  MariaDB: 'NOW() - INTERVAL 8 DAY',
}

/** Each with the database in the way that its driver is told. */
const clients: Array<[language: string, database: string, address: () => string]> = [
  ['PHP', 'SQLite', () => `sqlite:${sqliteFile}`],
  ['PHP', 'PostgreSQL', () => pdoOfPostgres(postgres.url)],
  ['PHP', 'MariaDB', () => `mysql:unix_socket=${mariaDb.socket};dbname=receiver`],
  ['Python', 'SQLite', () => `sqlite ${sqliteFile}`],
  ['Python', 'PostgreSQL', () => `psycopg ${postgres.url.href}`],
  [
    'Python',
    'MariaDB',
    () => `pymysql ${JSON.stringify({ unix_socket: mariaDb.socket, user: 'root', database: 'receiver' })}`,
  ],
]

function inProgress(id: string): string {
  return `Another attempt is handling the event ${id}.`
}

let count = 0

function newId(): string {
  return `id-${++count}`
}

describe.each(clients)('%s with %s', (language, database, address) => {
  // The drivers of Python are those of the system.
  const [program, file] = language === 'PHP' ? ['php', 'once.php'] : ['/usr/bin/python3', 'once.py']
  const script = fileURLToPath(new URL(`once/${file}`, import.meta.url))

  /** Runs the program and returns what it printed. A killed program prints nothing. */
  const run = (id: string, mode: string): Promise<string> =>
    new Promise((resolve) => {
      const args = [...(program === 'php' ? [] : ['-B']), script, address(), id, mode]
      execFile(program, args, { encoding: 'utf8' }, (_error, stdout) => resolve(stdout))
    })
  test('of five concurrent processes one handles the event', async () => {
    const id = newId()
    const printed = await Promise.all(Array.from({ length: 5 }, () => run(id, 'success')))
    const others = printed.filter((text) => text !== 'handled')
    expect(others).toHaveLength(4)
    // Those that come while the handler runs must not succeed.
    for (const text of others) expect(['duplicate', inProgress(id)]).toContain(text)
  })

  test.each([
    ['exception', 'failed'],
    ['SQL error', 'SQL error'],
    ['SQL error, in a transaction', 'SQL error'],
    ['kill, in a transaction', ''],
  ])('the next attempt handles the event after: %s', async (mode, printed) => {
    const id = newId()
    expect(await run(id, mode)).toBe(printed)
    expect(await run(id, 'success, in a transaction')).toBe('handled')
    expect(await run(id, 'success')).toBe('duplicate')
  })

  test('a killed process leaves the event to an attempt after its claim has ended', async () => {
    const id = newId()
    expect(await run(id, 'kill')).toBe('')
    expect(await run(id, 'success')).toBe(inProgress(id))
    await databases[database]?.(`UPDATE webhook_ids SET running_until = 1 WHERE id = '${id}'`)
    expect(await run(id, 'success')).toBe('handled')
    expect(await run(id, 'success')).toBe('duplicate')
  })

  test('ids of the last seven days stay', async () => {
    const [id, oldId] = [newId(), newId()]
    await run(id, 'success')
    await databases[database]?.(
      `INSERT INTO webhook_ids (id, running_until, received_at) VALUES ('${oldId}', 0, ${ages[database]})`,
    )
    expect(await run('', 'prune')).toBe('1')
    expect(await run(oldId, 'success')).toBe('handled')
    expect(await run(id, 'success')).toBe('duplicate')
  })
})

describe('PHP', () => {
  const script = fileURLToPath(new URL('once/once.php', import.meta.url))
  const run = (id: string, mode: string): Promise<string> =>
    new Promise((resolve) =>
      execFile('php', [script, `sqlite:${sqliteFile}`, id, mode], (_error, stdout) => resolve(stdout)),
    )

  test('a script that exceeds its time limit leaves the event to the next attempt', async () => {
    expect(await run('slow', 'time limit')).toBe('')
    expect(await run('slow', 'success')).toBe('handled')
  })

  test('a handler that calls exit has handled the event', async () => {
    expect(await run('exit', 'exit')).toBe('handled')
    expect(await run('exit', 'success')).toBe('duplicate')
  })

  test('without exceptions, an error of the database is not a duplicate', async () => {
    expect(await run('x', 'silent errors')).toBe('The ids cannot be stored')
  })
})
