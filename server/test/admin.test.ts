/**
 * The operator's tool, end to end. The tests of the first part tell one story in order, on a database of their own, so
 * that what is printed can be compared with literals.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AdminRun, runAdmin } from './admin-tool.ts'
import { call } from './call.ts'
import { createTestDatabase } from './database.ts'
import { startWorld, type TestWorld } from './service.ts'

// Processes are started in these tests, and the machine decides how long that takes.
vi.setConfig({ testTimeout: 120_000 })

const repository = fileURLToPath(new URL('../..', import.meta.url))

let world: TestWorld
let settings: Record<string, string>
beforeAll(async () => {
  world = await startWorld({ LOGIN_ATTEMPTS: '0' })
  settings = { DATABASE_URL: world.database.url.href, MASTER_KEY: world.masterKey }
})
afterAll(() => world.close())

const admin = (line: string, input?: string) => runAdmin(settings, words(line), input)

const secrets = {
  first: `first-${randomBytes(12).toString('hex')}`,
  changed: `changed-${randomBytes(12).toString('hex')}`,
  second: `second-${randomBytes(12).toString('hex')}`,
  key: '',
  readKey: '',
  producerKey: '',
}

const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const statusOf = async (query: string, key?: string) =>
  (await call(`${world.url}/api/hooks${query}`, key === undefined ? {} : { key })).status

describe('a story', () => {
  test('an account is made with its first login, as the design shows it', async () => {
    const made = await admin(
      `account create --name Demo --alias demo --email demo@example.com --password ${secrets.first} --json`,
    )
    expect(made).toEqual({ code: 0, stdout: '{"account_id":1,"login_id":1}\n', stderr: '' })
    expect(await statusOf(`?u=demo&p=${secrets.first}`)).toBe(200)
    expect(await statusOf(`?u=demo@example.com&p=${secrets.first}`)).toBe(200)
  })

  test('an account needs no login', async () => {
    const made = await admin("account create --name 'Keys only' --json")
    expect(made).toEqual({ code: 0, stdout: '{"account_id":2}\n', stderr: '' })
  })

  test('a key is made, as the design shows it, and works', async () => {
    const made = await admin('key create --account 1 --name laptop --json')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/^\{"key_id":1,"key":"hlk_[0-9A-Za-z]{36}"\}\n$/)
    secrets.key = JSON.parse(made.stdout).key
    expect(await statusOf('', secrets.key)).toBe(200)
  })

  test('a key can be narrow: scopes, networks and an end', async () => {
    const read = await admin('key create --account 1 --name reader --scopes hooks:read --json')
    secrets.readKey = JSON.parse(read.stdout).key
    const form = { target_url: 'https://example.com/a', event_type: 'all' }
    const refused = await call(`${world.url}/api/hooks`, { method: 'POST', key: secrets.readKey, form })
    expect([refused.status, refused.json.code]).toEqual([403, 902])
    expect(await statusOf('', secrets.readKey)).toBe(200)

    const bound = await admin(
      "key create --account 1 --name office --allow-ips '203.0.113.0/24, 2001:db8::1' --json",
    )
    const elsewhere = await call(`${world.url}/api/hooks`, { key: JSON.parse(bound.stdout).key })
    expect([elsewhere.status, elsewhere.json.code]).toEqual([403, 903])
    const local = await admin('key create --account 1 --name here --allow-ips 127.0.0.1 --json')
    expect(await statusOf('', JSON.parse(local.stdout).key)).toBe(200)

    const ended = await admin('key create --account 1 --name old --expires 2026-01-31T00:00:00Z --json')
    expect(await statusOf('', JSON.parse(ended.stdout).key)).toBe(401)
  })

  test('keys are listed without themselves', async () => {
    const methods = async () =>
      JSON.parse((await admin('key list --account 1 --json')).stdout).map(
        (listedKey: { last_used_method: string | null }) => listedKey.last_used_method,
      )
    const byHeader = 'header-key'
    await expect.poll(methods, { timeout: 30_000 }).toEqual([byHeader, byHeader, null, byHeader, null])
    const listed = await admin('key list --account 1 --json')
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    const key = {
      scopes: ['all'],
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      last_used_method: null,
      created_at: time,
    }
    const used = { last_used_at: time, last_used_method: 'header-key' }
    const prefix = expect.stringMatching(/^hlk_\w{4}$/)
    expect(JSON.parse(listed.stdout)).toEqual([
      { ...key, ...used, id: 1, name: 'laptop', prefix: secrets.key.slice(0, 8) },
      { ...key, ...used, id: 2, name: 'reader', prefix: secrets.readKey.slice(0, 8), scopes: ['hooks:read'] },
      { ...key, id: 3, name: 'office', prefix },
      { ...key, ...used, id: 4, name: 'here', prefix },
      { ...key, id: 5, name: 'old', prefix, expires_at: '2026-01-31T00:00:00.000Z' },
    ])
    expect(JSON.parse((await admin('key list --account 2 --json')).stdout)).toEqual([])
  })

  test('a key is revoked, once', async () => {
    expect(await admin('key revoke 1 --json')).toEqual({ code: 0, stdout: '{"success":true}\n', stderr: '' })
    expect(await statusOf('', secrets.key)).toBe(401)
    const listed = await admin('key list --account 1 --json')
    expect(JSON.parse(listed.stdout)[0]).toMatchObject({ id: 1, revoked_at: time })
    expectMistake(await admin('key revoke 1 --json'), /no API key 1 that is not revoked/)
  })

  test('an account is suspended and works again', async () => {
    const fine = { code: 0, stdout: '{"success":true}\n', stderr: '' }
    expect(await admin('account suspend 1 --json')).toEqual(fine)
    expect(await statusOf('', secrets.readKey)).toBe(403)
    expect(await statusOf(`?u=demo&p=${secrets.first}`)).toBe(403)
    const listed = await admin('account list --json')
    expect(JSON.parse(listed.stdout)).toEqual([
      { id: 1, name: 'Demo', suspended_at: time, created_at: time },
      { id: 2, name: 'Keys only', suspended_at: null, created_at: time },
    ])
    expectMistake(await admin('account suspend 1'), /no account 1 that is not suspended/)
    expect(await admin('account resume 1 --json')).toEqual(fine)
    expect(await statusOf('', secrets.readKey)).toBe(200)
    expectMistake(await admin('account resume 1'), /no suspended account 1/)
  })

  test('a login is added, its password read from standard input', async () => {
    const line = 'login create --account 2 --alias second --email second@example.com --password-stdin --json'
    const made = await admin(line, `${secrets.second}\n`)
    expect(made).toEqual({ code: 0, stdout: '{"login_id":2}\n', stderr: '' })
    expect(await statusOf(`?u=second&p=${secrets.second}`)).toBe(200)
  })

  test('a password is changed, by alias or e-mail address in any case', async () => {
    const fine = { code: 0, stdout: '{"success":true}\n', stderr: '' }
    expect(await admin(`login set-password DEMO --password ${secrets.changed} --json`)).toEqual(fine)
    expect(await statusOf(`?u=demo&p=${secrets.first}`)).toBe(401)
    expect(await statusOf(`?u=demo&p=${secrets.changed}`)).toBe(200)
    const back = await admin('login set-password Demo@Example.com --password-stdin --json', secrets.first)
    expect(back).toEqual(fine)
    expect(await statusOf(`?u=demo&p=${secrets.first}`)).toBe(200)
  })

  test('a producer is made as the design shows it, listed without its key, and revoked once', async () => {
    const made = await admin('producer create --name gateway --json')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/^\{"producer_id":1,"key":"hlp_[0-9A-Za-z]{36}"\}\n$/)
    secrets.producerKey = JSON.parse(made.stdout).key
    const producer = { id: 1, name: 'gateway', prefix: secrets.producerKey.slice(0, 8), created_at: time }
    const listed = await admin('producer list --json')
    expect(JSON.parse(listed.stdout)).toEqual([{ ...producer, revoked_at: null }])
    const revoked = await admin('producer revoke 1 --json')
    expect(revoked).toEqual({ code: 0, stdout: '{"success":true}\n', stderr: '' })
    expect(JSON.parse((await admin('producer list --json')).stdout)).toEqual([
      { ...producer, revoked_at: time },
    ])
    expectMistake(await admin('producer revoke 1'), /no producer 1 that is not revoked/)
  })

  test('the command is the one in the design', async () => {
    // Not all of our own environment: the test runner has settings of its own in it.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings }
    const args = ['run', '-s', 'admin', '--', 'account', 'list', '--json']
    const { stdout } = await promisify(execFile)('npm', args, { cwd: repository, env })
    expect(JSON.parse(stdout)).toMatchObject([
      { id: 1, name: 'Demo' },
      { id: 2, name: 'Keys only' },
    ])
  })

  test('people get sentences and tables', async () => {
    expect((await admin('account create --name Third')).stdout).toBe('Account 3 is made.\n')
    expect((await admin('account list')).stdout).toMatch(
      /^id +name +suspended_at +created_at\n1 +Demo +- +20/,
    )
    expect((await admin('key create --account 3 --name x')).stdout).toMatch(
      /^API key 6 is made:\n\n {2}hlk_\w{36}\n\n$/,
    )
    expect((await admin('key revoke 6')).stdout).toBe('API key 6 is revoked.\n')
  })

  test('every change is in the audit log, with neither a password nor a key in it', async () => {
    const rows = await world.database.query<{ line: string; text: string }>(
      `SELECT concat_ws(' ', account_id, actor, action, subject) AS line, audit::text AS text
       FROM audit WHERE actor = 'operator' ORDER BY id`,
    )
    expect(rows.map(({ line }) => line)).toEqual([
      '1 operator account.create account:1',
      '1 operator login.create login:1',
      '2 operator account.create account:2',
      '1 operator key.create key:1',
      '1 operator key.create key:2',
      '1 operator key.create key:3',
      '1 operator key.create key:4',
      '1 operator key.create key:5',
      '1 operator key.revoke key:1',
      '1 operator account.suspend account:1',
      '1 operator account.resume account:1',
      '2 operator login.create login:2',
      '1 operator login.set-password login:1',
      '1 operator login.set-password login:1',
      'operator producer.create producer:1',
      'operator producer.revoke producer:1',
      '3 operator account.create account:3',
      '3 operator key.create key:6',
      '3 operator key.revoke key:6',
    ])
    const text = rows.map((row) => row.text).join('\n')
    expect(text).toContain('laptop')
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length, name).toBeGreaterThan(20)
      expect(text, name).not.toContain(secret)
      expect(text, name).not.toContain(secret.slice(-10))
      expect(text, name).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })
})

test('enabling a webhook delivers what was held for it, as its owner would, and closes its breaker', async () => {
  const { accountId, key } = await world.account()
  const form = { target_url: 'https://example.com/held', event_type: 'all', request_method: 'JSON' }
  const { id } = (await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json
  await admin(`hook disable ${id} --account ${accountId}`)
  await world.database.query(
    `WITH held AS (
       INSERT INTO work (account_id, hook_id, event_id, type, accepted_at, due_at, held)
       VALUES ($1, $2, uuid_v7(now()), 'sms_mo', now(), now(), true) RETURNING account_id, hook_id
     )
     INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts, failures, successes)
     SELECT account_id, hook_id, now(), 20, 20, 0 FROM held`,
    [accountId, id],
  )
  const enabled = JSON.parse((await admin(`hook enable ${id} --account ${accountId} --json`)).stdout)
  expect(enabled).toEqual({ success: true, held: 1, replay_id: expect.any(Number) })
  expect(
    await world.database.query('SELECT FROM hook_failures WHERE account_id = $1', [accountId]),
  ).toHaveLength(0)
  await expect
    .poll(() => world.database.query('SELECT FROM work WHERE account_id = $1 AND held', [accountId]), {
      timeout: 30_000,
    })
    .toHaveLength(0)
  // Of a webhook that is enabled already it goes on with what is left.
  const again = await admin(`hook enable ${id} --account ${accountId}`)
  expect(again.stdout).toBe(`Webhook ${id} is enabled.\n`)
})

describe('mistakes', () => {
  const login = '--alias newbie --email newbie@example.com'
  const password = 'a-long-enough-password'

  test.each([
    ['', /Usage: admin/],
    ['acount create', /unknown command 'acount'/],
    ['account', /Usage: admin account/],
    ['account create', /--name <name>' not specified/],
    ['account create --name x --nonsense', /unknown option '--nonsense'/],
    ["account create --name ''", /needs a name/],
    [`account create --name x --alias newbie --password ${password}`, /both --alias and --email/],
    [`account create --name x --email newbie@example.com --password ${password}`, /both --alias and --email/],
    [`account create --name x ${login}`, /--password/],
    [`account create --name x ${login} --password short`, /at least 10 characters/],
    [`account create --name x --alias a@b --email newbie@example.com --password ${password}`, /alias/],
    [`account create --name x --alias newbie --email nonsense --password ${password}`, /e-mail/],
    [`account create --name x --alias DEMO --email new@example.com --password ${password}`, /already/],
    [`account create --name x --alias new --email Demo@Example.com --password ${password}`, /already/],
    ['account suspend', /missing required argument 'id'/],
    ['account suspend nonsense', /whole number/],
    ['account suspend 0', /whole number/],
    ['account suspend 99999999999', /whole number/],
    ['account suspend 999', /no account 999/],
    ['account resume nonsense', /whole number/],
    ['account resume 999', /no suspended account 999/],
    ['hook enable 999 --account 1', /Account 1 has no webhook 999/],
    ['hook enable 999 --account 1 --held keep', /Allowed choices are deliver, drop/],
    ['stop create --reason x --host example.com:80', /Ports 80 and 443 cannot be stopped/],
    ['stop create --reason x --host example.com:443', /Ports 80 and 443 cannot be stopped/],
    [`login create --account 999 ${login} --password ${password}`, /no account 999/],
    [`login create --account nonsense ${login} --password ${password}`, /whole number/],
    [`login create --account 1 ${login}`, /--password/],
    [`login create --account 1 --alias demo --email new@example.com --password ${password}`, /already/],
    [`login set-password nobody --password ${password}`, /Nobody/],
    ['login set-password demo --password short', /at least 10 characters/],
    ['login set-password demo', /--password/],
    ['login set-password demo --password-stdin', /at least 10 characters/],
    ['key create --account 999 --name x', /no account 999/],
    ['key create --account 1', /--name <name>' not specified/],
    ['key create --account 1 --name x --scopes everything', /"everything" is none of all, hooks, hooks:read/],
    ['key create --account 1 --name x --expires tomorrow', /must be a time/],
    ['key create --account 1 --name x --allow-ips nonsense', /nonsense/],
    ['key create --account 1 --name x --allow-ips 300.1.2.3', /300\.1\.2\.3/],
    ['key create --account 1 --name x --allow-ips 10.0.0.1/8', /10\.0\.0\.1\/8/],
    // Nobody who asks for a restriction may get a key without one.
    ["key create --account 1 --name x --allow-ips ''", /address|network/i],
    ['key create --account 1 --name x --allow-ips ,', /address|network/i],
    ['key list', /--account <id>' not specified/],
    ['key revoke 999', /no API key 999/],
    ['key revoke nonsense', /whole number/],
    ['producer create', /--name <name>' not specified/],
    ['producer revoke 999', /no producer 999/],
    ['producer revoke nonsense', /whole number/],
  ] as Array<[string, RegExp]>)('admin %s', async (line, sentence) => {
    const before = await changes()
    expectMistake(await admin(line), sentence)
    expect(await changes(), 'accounts, logins, keys, producers and audit entries').toEqual(before)
  })

  test('a password that can be set can also be used', async () => {
    const long = randomBytes(600).toString('hex')
    const set = await admin('login set-password second --password-stdin', long)
    if (set.code === 0) {
      const answer = await call(`${world.url}/api/hooks`, {
        method: 'POST',
        form: { u: 'second', p: long, action: 'read' },
      })
      expect(answer.status).toBe(200)
    } else expectMistake(set, /longer|at most/)
  })

  const settingsMistakes: Array<[string, Record<string, string>, RegExp]> = [
    [
      'DATABASE_URL and MASTER_KEY are missing',
      { DATABASE_URL: '', MASTER_KEY: '' },
      /DATABASE_URL is not set/,
    ],
    ['MASTER_KEY is no key', { MASTER_KEY: 'nonsense' }, /MASTER_KEY must be 32 bytes/],
    [
      'MASTER_KEY is another one',
      { MASTER_KEY: randomBytes(32).toString('base64') },
      /MASTER_KEY does not fit/,
    ],
    [
      'no server is there',
      { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' },
      /PostgreSQL does not answer/,
    ],
    [
      'no host is there',
      { DATABASE_URL: 'postgres://u:hidden@nowhere.invalid/x' },
      /PostgreSQL|DATABASE_URL/,
    ],
  ]
  test.each(settingsMistakes)('%s', async (_what, env, sentence) => {
    const ran = await runAdmin({ ...settings, ...env }, ['account', 'list', '--json'])
    expectMistake(ran, sentence)
    expect(ran.stderr).not.toContain('hidden')
  })

  test('the database, its user or the password is wrong', async () => {
    for (const change of ['pathname', 'password'] as const) {
      const url = new URL(world.database.url)
      url[change] = 'wrong-hidden'
      const ran = await runAdmin({ ...settings, DATABASE_URL: url.href }, ['account', 'list'])
      expectMistake(ran, /PostgreSQL refused the connection/)
      if (change === 'password') expect(ran.stderr).not.toContain('hidden')
    }
  })

  test('the database was not migrated', async () => {
    const empty = await createTestDatabase('template0')
    const ran = await runAdmin({ ...settings, DATABASE_URL: empty.url.href }, ['account', 'list'])
    await empty.drop()
    expectMistake(ran, /npm run migrate/)
  })
})

async function changes(): Promise<unknown> {
  return world.database.query(
    `SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM logins) AS logins,
            (SELECT count(*) FROM keys) AS keys, (SELECT count(*) FROM producers) AS producers,
            (SELECT count(*) FROM audit) AS audit`,
  )
}

/** A sentence for people on standard error, nothing on standard output, exit code 1, no trace of the program. */
function expectMistake(ran: AdminRun, sentence: RegExp): void {
  expect(ran.stderr).toMatch(sentence)
  expect(ran.stderr).not.toMatch(/^ {4}at |\.ts:\d|node:internal|node_modules|Error:/m)
  expect(ran.stdout).toBe('')
  expect(ran.code).toBe(1)
}

/** Words of a command line; single quotes hold one together. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|[^\s]+/g)].map(([word, quoted]) => quoted ?? word)
}
