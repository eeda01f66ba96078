/** PgBouncer in transaction mode: deliveries survive faults, and the service neither uses nor leaves session state. */
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { createPgBouncer, type PgBouncer } from '../../../dev/pgbouncer.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { openTail } from '../../../dev/tail-reader.ts'
import { sessionSettings } from '../../src/db/session.ts'
import { dayMs } from '../../src/model/day.ts'
import { createPartitions } from '../../src/ledger/partitions.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { call } from '../support/http-call.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { signIn } from '../support/browser-session.ts'
import { runProgram } from '../support/run-program.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

// Longer than any timeout below, because the machine may be slow.
vi.setConfig({ testTimeout: 120_000 })

/** Fewer than the connections of one process. */
const serverConnections = 5

async function startPgBouncer(): Promise<PgBouncer> {
  const pgbouncer = await createPgBouncer(new URL(inject('serverUrl')), serverConnections)
  await pgbouncer.start()
  return pgbouncer
}

/** Settings for a service behind PgBouncer 1.18. */
function pooledSettings(pgbouncer: PgBouncer, database: TestDatabase) {
  return {
    DATABASE_URL: pgbouncer.through(database.url).href,
    MIGRATE_DATABASE_URL: database.url.href,
    DATABASE_PREPARED_STATEMENTS: 'false',
  }
}

describe('setup', () => {
  let pgbouncer: PgBouncer
  let database: TestDatabase
  let settings: ReturnType<typeof pooledSettings> & { MASTER_KEY: string }

  beforeAll(async () => {
    pgbouncer = await startPgBouncer()
  })
  afterAll(() => pgbouncer.close())
  beforeEach(async () => {
    database = await createTestDatabase()
    settings = { ...pooledSettings(pgbouncer, database), MASTER_KEY: randomBytes(32).toString('base64') }
  })
  afterEach(() => database.drop())

  test('migrations through the pooler are rejected and leave no lock', async () => {
    const { MIGRATE_DATABASE_URL: _direct, ...withoutDirect } = settings
    const { code, stdout, stderr } = await runProgram('migrate', withoutDirect)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Migrations need a direct connection.* Set MIGRATE_DATABASE_URL/)
    expect(await advisoryLocks(database)).toEqual([])
  })

  test('a start without the session settings is rejected with the required statements', async () => {
    const { code, stderr } = await runProgram('main', settings)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The pooler at DATABASE_URL hands out connections without the settings/)
    expect(stderr).toContain('statement_timeout is 0')
    expect(stderr).toContain('Run `npm run migrate` with MIGRATE_DATABASE_URL')
    const name = database.url.pathname.slice(1)
    expect(stderr).toContain(`ALTER ROLE hookline IN DATABASE ${name} SET statement_timeout = '5s';`)
    expect(stderr).not.toMatch(/^ +at /m)
    // The printed statements are complete: after a reconnect, the service can use the database.
    const statements = stderr.split('\n').filter((line) => line.startsWith('  ALTER'))
    for (const statement of statements) await database.query(statement)
    expect((await runProgram('main', settings)).stderr).toContain('RECONNECT')
    await pgbouncer.console('RECONNECT')
    expect(await runAdmin(settings, ['account', 'list'])).toMatchObject({ code: 0 })
  })

  test('migrate stores the settings for the role in this database only', async () => {
    const { code, stdout } = await runProgram('migrate', settings)
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout:
        'The database is up to date.\nStored the database session settings for the role of DATABASE_URL.\n',
    })
    const stored = await database.query<{ role: string; settings: string[] }>(
      `SELECT setrole::regrole::text AS role, setconfig AS settings FROM pg_db_role_setting
       WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))`,
    )
    const expected = Object.entries(sessionSettings).map(([name, value]) => `${name}=${value}`)
    expect(stored).toEqual([{ role: 'hookline', settings: expected }])
  })

  test('a role without the privilege gets the statements for an administrator', async () => {
    // A login that acts as another role cannot alter itself.
    const login = `login_${randomBytes(6).toString('hex')}`
    await database.query(
      `CREATE ROLE ${login}_app; CREATE ROLE ${login} LOGIN PASSWORD 'secret' IN ROLE ${login}_app`,
    )
    await database.query(
      `GRANT ALL ON SCHEMA public TO ${login}_app; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${login}_app`,
    )
    await database.query(`ALTER ROLE ${login} SET role = '${login}_app'`)
    const url = new URL(database.url)
    url.username = login
    url.password = 'secret'
    const ownPooler = await createPgBouncer(url, 2)
    try {
      await ownPooler.start()
      const { code, stderr } = await runProgram('migrate', {
        ...settings,
        DATABASE_URL: ownPooler.through(url).href,
        MIGRATE_DATABASE_URL: url.href,
      })
      expect(code).toBe(1)
      expect(stderr).toMatch(/have an administrator run:\n {2}ALTER ROLE login_\w+ IN DATABASE/)
      expect(stderr).not.toContain('secret')
    } finally {
      await ownPooler.close()
      await database.query(`DROP OWNED BY ${login}_app; DROP ROLE ${login}; DROP ROLE ${login}_app`)
    }
  })

  test('prepared statements are rejected with a pooler that does not support them', async () => {
    await runProgram('migrate', settings)
    for (let start = 0; start < 2; start++) {
      const { code, stderr } = await runProgram('main', { ...settings, DATABASE_PREPARED_STATEMENTS: 'true' })
      expect(code).toBe(1)
      expect(stderr).toMatch(
        /^The pooler at DATABASE_URL does not manage prepared statements\. Set DATABASE_/,
      )
    }
  })
})

async function advisoryLocks({ query }: TestDatabase): Promise<object[]> {
  return query(
    `SELECT objid FROM pg_locks WHERE locktype = 'advisory'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )
}

describe('an api and two workers', () => {
  let pgbouncer: PgBouncer
  let hookline: TestService
  let gateway: Gateway
  let receiver: Receiver
  let workers: ServiceProcess[]
  const failOnce = new Set<string>()

  beforeAll(async () => {
    pgbouncer = await startPgBouncer()
    hookline = await startTestService(async (database) => {
      const settings = pooledSettings(pgbouncer, database)
      const migrated = await runProgram('migrate', {
        ...settings,
        MASTER_KEY: randomBytes(32).toString('base64'),
      })
      expect(migrated).toMatchObject({ code: 0, stderr: '' })
      return { ...settings, ALLOW_PRIVATE_TARGETS: 'true' }
    }, 'api')
    // Creates old partitions, so that the workers take the lock to drop them.
    await createPartitions(hookline.db, Date.now() - 40 * dayMs)
    workers = await Promise.all([1, 2].map(() => hookline.startAnother({}, 'worker')))
    gateway = await createGateway(hookline)
    receiver = await startReceiver((request, response) => {
      response.statusCode = failOnce.delete(request.url) ? 500 : 204
      response.end()
    })
  })
  afterAll(async () => {
    await hookline.close()
    await receiver.close()
    await pgbouncer.close()
  })

  async function register(key: string, path: string): Promise<number> {
    const json = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON' }
    const { status, json: hook } = await call(`${hookline.url}/api/hooks`, { method: 'POST', key, json })
    expect(status).toBe(200)
    return hook.id
  }

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: pgbouncer.through(hookline.database.url).href })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  const countStates = (accountId: number): Promise<Array<{ state: string; count: number }>> =>
    hookline.database.query(
      `SELECT state, count(*)::integer AS count FROM (
         SELECT state FROM deliveries WHERE account_id = $1 UNION ALL
         SELECT 'pending' FROM work WHERE account_id = $1 UNION ALL
         SELECT 'pending' FROM inbox WHERE account_id = $1) AS all_states
       GROUP BY state ORDER BY state`,
      [accountId],
    )

  // Runs first, because workers do this at start and hourly, and a worker is killed below.
  test('old partitions are dropped through the pooler', async () => {
    const oldestDay = new Date(Date.now() - 41 * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
    const oldest = () =>
      hookline.database.query('SELECT FROM pg_class WHERE relname = $1', [`events_${oldestDay}`])
    await expect.poll(oldest, { timeout: 25_000 }).toEqual([])
  })

  test.concurrent('registration, delivery, retry, replay, tail and sign-in work', async () => {
    const account = await hookline.account()
    const { key, accountId } = account
    const hookId = await register(key, '/retry')
    failOnce.add('/retry')
    const tail = await openTail(`${hookline.url}/api/events/stream`, { headers: { 'x-api-key': key } })
    const eventId = await gateway.event(accountId)
    await expect.poll(() => tail.messages.map(({ data }) => data.id), { timeout: 30_000 }).toContain(eventId)
    await expect
      .poll(() => countStates(accountId), { timeout: 60_000 })
      .toEqual([{ state: 'delivered', count: 1 }])
    expect(receiver.at('/retry')).toHaveLength(2)
    tail.cut()

    const selection = { deliveries: [{ event_id: eventId, hook_id: hookId }] }
    const replay = { selection, max_per_second: 100 }
    expect((await call(`${hookline.url}/api/replays`, { method: 'POST', key, json: replay })).status).toBe(
      200,
    )
    await receiver.until(() => receiver.at('/retry').length === 3, 30_000)

    const user = await signIn(hookline.url, account, { origin: 'http://localhost:8080' })
    expect(user.csrfToken).not.toBe('')
  })

  test.concurrent('slow statements and idle transactions time out', async () => {
    const [slow, idle] = await Promise.all([connect(), connect()])
    await idle.query('BEGIN')
    const { rows } = await idle.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await expect(slow.query('SELECT pg_sleep(60)')).rejects.toMatchObject({ code: '57014' })
    await expect
      .poll(() => hookline.database.query('SELECT FROM pg_stat_activity WHERE pid = $1', [rows[0]?.pid]), {
        timeout: 30_000,
        interval: 200,
      })
      .toEqual([])
    await Promise.allSettled([slow.end(), idle.end()])
  })

  test('a killed PgBouncer and a killed worker lose nothing', async () => {
    const { key, accountId } = await hookline.account()
    await register(key, '/faults')
    const accepted = new Set<string>()
    const stop = new AbortController()
    const produce = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const events = Array.from({ length: 20 }, () => inboundSms(accountId))
        const submitted = await gateway.submitEvents(...events).catch(() => undefined)
        for (const id of submitted?.accepted ?? []) accepted.add(id)
      }
    }
    const producing = Promise.all([produce(), produce()])
    const waitForAccepted = (count: number) =>
      expect.poll(() => accepted.size, { timeout: 60_000, interval: 20 }).toBeGreaterThan(count)
    await waitForAccepted(100)
    workers[0]?.child.kill('SIGKILL')
    for (let round = 0; round < 2; round++) {
      await waitForAccepted(accepted.size + 100)
      await pgbouncer.end('SIGKILL')
      await pgbouncer.start()
    }
    await waitForAccepted(accepted.size + 100)
    stop.abort()
    await producing

    // A call cut off by the kill may have been committed without a response, so there may be more than accepted.
    await expect
      .poll(() => countStates(accountId), { timeout: 90_000, interval: 200 })
      .toEqual([{ state: 'delivered', count: expect.toSatisfy((count) => count >= accepted.size) }])
    const received = new Set(receiver.at('/faults').map(({ headers }) => headers['webhook-id']))
    expect([...accepted].filter((id) => !received.has(id))).toEqual([])
    for (const { child } of [hookline.service, ...workers.slice(1)]) expect(child.exitCode).toBeNull()
  })

  test('server connections have the settings, no lock and no prepared statement', async () => {
    const clients = await Promise.all(Array.from({ length: serverConnections }, () => connect()))
    // Each query occupies its server connection for a moment, so that all connections are inspected.
    const inspectAll = () =>
      Promise.all(
        clients.map((client) =>
          client.query<{ pid: number; settings: string[]; prepared: number }>(
            `SELECT pg_backend_pid() AS pid, array_agg(current_setting(name) ORDER BY place) AS settings,
                    (SELECT count(*)::integer FROM pg_prepared_statements) AS prepared
             FROM unnest($1::text[]) WITH ORDINALITY AS needed (name, place), pg_sleep(0.3) GROUP BY 1`,
            [Object.keys(sessionSettings)],
          ),
        ),
      )
    let inspected = await inspectAll()
    await expect
      .poll(
        async () => {
          inspected = await inspectAll()
          return new Set(inspected.map(({ rows }) => rows[0]?.pid)).size
        },
        { timeout: 60_000, interval: 100 },
      )
      .toBe(serverConnections)
    await Promise.all(clients.map((client) => client.end()))
    for (const { rows } of inspected)
      expect(rows).toMatchObject([{ settings: Object.values(sessionSettings), prepared: 0 }])
    await expect.poll(() => advisoryLocks(hookline.database), { timeout: 30_000 }).toEqual([])
  })
})
