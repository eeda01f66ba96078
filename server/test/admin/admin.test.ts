/**
 * The admin CLI, end to end. The tests of the first part run in order on a new database, so that the output can be
 * compared with literals.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createOAuthApp } from '../../src/identity/oauth/apps.ts'
import { type AdminRun, runAdmin } from '../support/admin-tool.ts'
import { call } from '../support/http-call.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestService, type TestService } from '../support/test-service.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const repository = fileURLToPath(new URL('../../..', import.meta.url))

let hookline: TestService
let settings: Record<string, string>
beforeAll(async () => {
  hookline = await startTestService({ LOGIN_ATTEMPTS: '0' })
  settings = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
})
afterAll(() => hookline.close())

const admin = (line: string, input?: string) => runAdmin(settings, splitArgs(line), input)

const secrets = {
  first: `first-${randomBytes(12).toString('hex')}`,
  changed: `changed-${randomBytes(12).toString('hex')}`,
  second: `second-${randomBytes(12).toString('hex')}`,
  key: '',
  readKey: '',
  producerKey: '',
}

const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const apiStatus = async (query: string, key?: string) =>
  (await call(`${hookline.url}/api/hooks${query}`, key === undefined ? {} : { key })).status

describe('commands in sequence', () => {
  test('account create creates an account with a login', async () => {
    const created = await admin(
      `account create --name Demo --alias demo --email demo@example.com --password ${secrets.first} --json`,
    )
    expect(created).toEqual({ code: 0, stdout: '{"account_id":1,"login_id":1}\n', stderr: '' })
    expect(await apiStatus(`?u=demo&p=${secrets.first}`)).toBe(200)
    expect(await apiStatus(`?u=demo@example.com&p=${secrets.first}`)).toBe(200)
  })

  test('account create works without a login', async () => {
    const created = await admin("account create --name 'Keys only' --json")
    expect(created).toEqual({ code: 0, stdout: '{"account_id":2}\n', stderr: '' })
  })

  test('key create creates a working key', async () => {
    const created = await admin('key create --account 1 --name laptop --json')
    expect(created).toMatchObject({ code: 0, stderr: '' })
    expect(created.stdout).toMatch(/^\{"key_id":1,"key":"hlk_[0-9A-Za-z]{36}"\}\n$/)
    secrets.key = JSON.parse(created.stdout).key
    expect(await apiStatus('', secrets.key)).toBe(200)
  })

  test('key create restricts scopes, networks and expiry', async () => {
    const read = await admin('key create --account 1 --name reader --scopes hooks:read --json')
    secrets.readKey = JSON.parse(read.stdout).key
    const form = { target_url: 'https://example.com/a', event_type: 'all' }
    const rejected = await call(`${hookline.url}/api/hooks`, { method: 'POST', key: secrets.readKey, form })
    expect([rejected.status, rejected.json.code]).toEqual([403, 902])
    expect(await apiStatus('', secrets.readKey)).toBe(200)

    const restricted = await admin(
      "key create --account 1 --name office --allow-ips '203.0.113.0/24, 2001:db8::1' --json",
    )
    const otherIp = await call(`${hookline.url}/api/hooks`, { key: JSON.parse(restricted.stdout).key })
    expect([otherIp.status, otherIp.json.code]).toEqual([403, 903])
    const local = await admin('key create --account 1 --name here --allow-ips 127.0.0.1 --json')
    expect(await apiStatus('', JSON.parse(local.stdout).key)).toBe(200)

    const expiring = await admin('key create --account 1 --name old --expires 2096-01-31T00:00:00Z --json')
    await hookline.database.query(
      `UPDATE keys SET expires_at = expires_at - interval '70 years' WHERE name = 'old'`,
    )
    expect(await apiStatus('', JSON.parse(expiring.stdout).key)).toBe(401)
  })

  test('key list shows keys without their secrets', async () => {
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
      signed_calls_required: false,
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

  test('key revoke revokes a key once', async () => {
    expect(await admin('key revoke 1 --json')).toEqual({ code: 0, stdout: '{"success":true}\n', stderr: '' })
    expect(await apiStatus('', secrets.key)).toBe(401)
    const listed = await admin('key list --account 1 --json')
    expect(JSON.parse(listed.stdout)[0]).toMatchObject({ id: 1, revoked_at: time })
    expectCliError(await admin('key revoke 1 --json'), /API key 1 not found or already revoked/)
  })

  test('account suspend and account resume take effect', async () => {
    const fine = { code: 0, stdout: '{"success":true}\n', stderr: '' }
    expect(await admin('account suspend 1 --json')).toEqual(fine)
    expect(await apiStatus('', secrets.readKey)).toBe(403)
    expect(await apiStatus(`?u=demo&p=${secrets.first}`)).toBe(403)
    const listed = await admin('account list --json')
    expect(JSON.parse(listed.stdout)).toEqual([
      { id: 1, name: 'Demo', suspended_at: time, original_statuses: null, country: null, created_at: time },
      {
        id: 2,
        name: 'Keys only',
        suspended_at: null,
        original_statuses: null,
        country: null,
        created_at: time,
      },
    ])
    expectCliError(await admin('account suspend 1'), /Account 1 not found or already suspended/)
    expect(await admin('account resume 1 --json')).toEqual(fine)
    expect(await apiStatus('', secrets.readKey)).toBe(200)
    expectCliError(await admin('account resume 1'), /Account 1 not found or not suspended/)
  })

  test('account country sets and removes the default country', async () => {
    const { stdout } = await admin('account country 1 --use DE')
    expect(stdout).toBe('The default country of account 1 is now DE.\n')
    const [listed] = JSON.parse((await admin('account list --json')).stdout)
    expect(listed).toMatchObject({ country: 'DE' })
    expect((await admin('account country 1 --use XX')).code).not.toBe(0)
    expect((await admin('account country 1 --use none')).code).toBe(0)
  })

  test('account statuses takes effect and is reset by default', async () => {
    const url = `${hookline.url}/api/hooks?u=demo&p=${secrets.first}&id=2147483647`
    const statusOfFailure = async () => (await call(url, { method: 'DELETE' })).status
    expect(await statusOfFailure()).toBe(404)
    const { stdout } = await admin('account statuses 1 --use original')
    expect(stdout).toBe('Account 1 now uses original statuses.\n')
    const [listed] = JSON.parse((await admin('account list --json')).stdout)
    expect(listed).toMatchObject({ original_statuses: true })
    expect(await statusOfFailure()).toBe(200)
    expectCliError(
      await admin('account statuses 1 --use original'),
      /Account 1 already uses original statuses/,
    )
    expect((await admin('account statuses 1 --use default')).code).toBe(0)
    expect(await statusOfFailure()).toBe(404)
  })

  test('login create reads the password from stdin', async () => {
    const line = 'login create --account 2 --alias second --email second@example.com --password-stdin --json'
    const created = await admin(line, `${secrets.second}\n`)
    expect(created).toEqual({ code: 0, stdout: '{"login_id":2}\n', stderr: '' })
    expect(await apiStatus(`?u=second&p=${secrets.second}`)).toBe(200)
  })

  test('login set-password accepts alias or email in any case', async () => {
    const fine = { code: 0, stdout: '{"success":true}\n', stderr: '' }
    expect(await admin(`login set-password DEMO --password ${secrets.changed} --json`)).toEqual(fine)
    expect(await apiStatus(`?u=demo&p=${secrets.first}`)).toBe(401)
    expect(await apiStatus(`?u=demo&p=${secrets.changed}`)).toBe(200)
    const restored = await admin('login set-password Demo@Example.com --password-stdin --json', secrets.first)
    expect(restored).toEqual(fine)
    expect(await apiStatus(`?u=demo&p=${secrets.first}`)).toBe(200)
  })

  test('login set-email sets a verified email', async () => {
    const set = await admin('login set-email SECOND --email moved@example.com --json')
    expect(set).toEqual({ code: 0, stdout: '{"success":true}\n', stderr: '' })
    expect(await apiStatus(`?u=moved%40example.com&p=${secrets.second}`)).toBe(200)
    expect(await apiStatus(`?u=second%40example.com&p=${secrets.second}`)).toBe(401)
    expect(
      await hookline.database.query(
        'SELECT email_verified_at IS NOT NULL AS verified FROM logins WHERE id = 2',
      ),
    ).toEqual([{ verified: true }])
    expectCliError(
      await admin('login set-email second --email demo@example.com'),
      /Another login already has/,
    )
  })

  test('producers are created, listed without their key and revoked once', async () => {
    const created = await admin('producer create --name gateway --json')
    expect(created).toMatchObject({ code: 0, stderr: '' })
    expect(created.stdout).toMatch(/^\{"producer_id":1,"key":"hlp_[0-9A-Za-z]{36}"\}\n$/)
    secrets.producerKey = JSON.parse(created.stdout).key
    const producer = { id: 1, name: 'gateway', prefix: secrets.producerKey.slice(0, 8), created_at: time }
    const listed = await admin('producer list --json')
    expect(JSON.parse(listed.stdout)).toEqual([{ ...producer, revoked_at: null }])
    const revoked = await admin('producer revoke 1 --json')
    expect(revoked).toEqual({ code: 0, stdout: '{"success":true}\n', stderr: '' })
    expect(JSON.parse((await admin('producer list --json')).stdout)).toEqual([
      { ...producer, revoked_at: time },
    ])
    expectCliError(await admin('producer revoke 1'), /Producer 1 not found or already revoked/)
  })

  test('npm run admin runs the CLI', async () => {
    // A minimal environment, without the settings of the test runner.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings }
    const args = ['run', '-s', 'admin', '--', 'account', 'list', '--json']
    const { stdout } = await promisify(execFile)('npm', args, { cwd: repository, env })
    expect(JSON.parse(stdout)).toMatchObject([
      { id: 1, name: 'Demo' },
      { id: 2, name: 'Keys only' },
    ])
    const help = await promisify(execFile)('npm', ['run', '-s', 'admin', '--', '--help'], {
      cwd: repository,
      env,
    })
    expect(help.stdout).toMatch(/^Usage: npm run admin -- /)
  })

  test('output without --json is sentences and tables', async () => {
    expect((await admin('account create --name Third')).stdout).toBe('Created account 3.\n')
    expect((await admin('account list')).stdout).toMatch(
      /^id +name +suspended_at +original_statuses +country +created_at\n1 +Demo +- +- +- +20/,
    )
    expect((await admin('key create --account 3 --name x')).stdout).toMatch(
      /^Created API key 6:\n\n {2}hlk_\w{36}\n\n$/,
    )
    expect((await admin('key revoke 6')).stdout).toBe('Revoked API key 6.\n')
  })

  test('every change is audited without passwords and keys', async () => {
    const rows = await hookline.database.query<{ line: string; text: string }>(
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
      '1 operator account.set-country account:1',
      '1 operator account.set-country account:1',
      '1 operator account.set-statuses account:1',
      '1 operator account.set-statuses account:1',
      '2 operator login.create login:2',
      '1 operator login.set-password login:1',
      '1 operator login.set-password login:1',
      '2 operator login.set-email login:2',
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

test('account signed-calls and key create --signed require signatures', async () => {
  const { accountId, key } = await hookline.account()
  const status = async (apiKey: string) => (await call(`${hookline.url}/api/hooks`, { key: apiKey })).status
  expect(await admin(`account signed-calls ${accountId} --use required`)).toMatchObject({
    code: 0,
    stdout: `Signed calls are now required for account ${accountId}.\n`,
  })
  expect(await status(key)).toBe(401)
  const printed = JSON.parse((await admin(`account signing-key ${accountId} --json`)).stdout)
  expect(printed).toEqual({
    signing_key: expect.stringMatching(/^[0-9a-f]{64}$/),
    next_signing_key: null,
    switches_at: null,
  })
  expectCliError(await admin(`account signed-calls ${accountId} --use required`), /are already required/)
  await admin(`account signed-calls ${accountId} --use optional`)
  expect(await status(key)).toBe(200)
  const created = await admin(`key create --account ${accountId} --name signed --signed --json`)
  expect(await status(JSON.parse(created.stdout).key)).toBe(401)
})

test('app pkce exempts an app with a secret, app list shows it, and the change is audited', async () => {
  const { accountId } = await hookline.account()
  const register = async (isPublic: boolean) => {
    const publisher = { accountId, actor: 'operator' as const }
    const requested = { name: 'Example', isPublic, redirectUris: ['https://app.example/'] }
    return (await createOAuthApp(hookline.db, hookline.vault, publisher, requested, '')).app.id
  }
  const [id, native] = [await register(false), await register(true)]
  expect((await admin(`app pkce ${id} --use optional`)).stdout).toBe(`PKCE is now optional for app ${id}.\n`)
  const listed: object[] = JSON.parse((await admin('app list --json')).stdout)
  expect(listed).toContainEqual(expect.objectContaining({ id, is_public: false, pkce_required: false }))
  expectCliError(
    await admin(`app pkce ${native} --use optional`),
    /not found, without a secret, or PKCE is already/,
  )
  const audited = await hookline.database.query(
    `SELECT actor, subject, detail->'required' AS required FROM audit WHERE action = 'app.set-pkce'`,
  )
  expect(audited).toEqual([{ actor: 'operator', subject: `app:${id}`, required: false }])
})

test('hook enable delivers held events and closes the circuit breaker', async () => {
  const { accountId, key } = await hookline.account()
  const form = { target_url: 'https://example.com/held', event_type: 'all', request_method: 'JSON' }
  const { id } = (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json
  await admin(`hook disable ${id} --account ${accountId}`)
  await hookline.database.query(
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
    await hookline.database.query('SELECT FROM hook_failures WHERE account_id = $1', [accountId]),
  ).toHaveLength(0)
  await expect
    .poll(() => hookline.database.query('SELECT FROM work WHERE account_id = $1 AND held', [accountId]), {
      timeout: 30_000,
    })
    .toHaveLength(0)
  // Repeating the command on an enabled webhook continues with the remaining events.
  const repeated = await admin(`hook enable ${id} --account ${accountId}`)
  expect(repeated.stdout).toBe(`Enabled webhook ${id}.\n`)
})

describe('errors', () => {
  const login = '--alias newbie --email newbie@example.com'
  const password = 'a-long-enough-password'

  test.each([
    ['', /Usage: hookline-server admin/],
    ['acount create', /unknown command 'acount'/],
    ['account', /Usage: hookline-server admin account/],
    ['account create', /--name <name>' not specified/],
    ['account create --name x --nonsense', /unknown option '--nonsense'/],
    ["account create --name ''", /account name is missing/],
    [
      `account create --name x --alias newbie --password ${password}`,
      /needs --alias, --email and a password/,
    ],
    [
      `account create --name x --email newbie@example.com --password ${password}`,
      /needs --alias, --email and a password/,
    ],
    [`account create --name x ${login}`, /--password/],
    [`account create --name x ${login} --password short`, /at least 10 characters/],
    [`account create --name x --alias a@b --email newbie@example.com --password ${password}`, /alias/],
    [`account create --name x --alias newbie --email nonsense --password ${password}`, /email is not valid/],
    [`account create --name x --alias DEMO --email new@example.com --password ${password}`, /already/],
    [`account create --name x --alias new --email Demo@Example.com --password ${password}`, /already/],
    ['account suspend', /missing required argument 'id'/],
    ['account suspend nonsense', /positive integer/],
    ['app pkce hla_x --use plain', /Allowed choices are required, optional/],
    ['account statuses 1', /required option '--use <statuses>' not specified/],
    ['account statuses 1 --use odd', /Allowed choices are original, http, default/],
    ['account statuses 999 --use http', /Account 999 not found/],
    ['account suspend 0', /positive integer/],
    ['account suspend 99999999999', /positive integer/],
    ['account suspend 999', /Account 999 not found/],
    ['account resume nonsense', /positive integer/],
    ['account resume 999', /Account 999 not found or not suspended/],
    ['hook enable 999 --account 1', /Webhook 999 of account 1 not found/],
    ['hook enable 999 --account 1 --held keep', /Allowed choices are deliver, drop/],
    ['stop create --reason x --host example.com:80', /Ports 80 and 443 cannot be stopped/],
    ['stop create --reason x --host example.com:443', /Ports 80 and 443 cannot be stopped/],
    [`login create --account 999 ${login} --password ${password}`, /Account 999 not found/],
    [`login create --account nonsense ${login} --password ${password}`, /positive integer/],
    [`login create --account 1 ${login}`, /--password/],
    [`login create --account 1 --alias demo --email new@example.com --password ${password}`, /already/],
    [`login set-password nobody --password ${password}`, /Login not found/],
    ['login set-password demo --password short', /at least 10 characters/],
    ['login set-password demo', /--password/],
    ['login set-email nobody --email new@example.com', /Login not found/],
    ['login set-email demo --email nonsense', /e-?mail/i],
    ['quarantine retry 7 --hook 1', /Expected an event id/],
    ['quarantine cancel 01a1dccd-6749-7ce9-8ef0-7d66ea19dc22 --hook 1', /No quarantined delivery/],
    ['login set-password demo --password-stdin', /at least 10 characters/],
    ['key create --account 999 --name x', /Account 999 not found/],
    ['key create --account 1', /--name <name>' not specified/],
    ['key create --account 1 --name x --expires 2020-01-01', /Expected a time in the future/],
    ['key list --account 999', /Account 999 not found/],
    ['hook list --account 999', /Account 999 not found/],
    [`account create --name x --password ${password}`, /needs --alias, --email and a password/],
    [
      'key create --account 1 --name x --scopes everything',
      /Unknown scope "everything"\. Use all, hooks, hooks:read/,
    ],
    ['key create --account 1 --name x --expires tomorrow', /Expected a time such as/],
    ['key create --account 1 --name x --allow-ips nonsense', /nonsense/],
    ['key create --account 1 --name x --allow-ips 300.1.2.3', /300\.1\.2\.3/],
    ['key create --account 1 --name x --allow-ips 10.0.0.1/8', /10\.0\.0\.1\/8/],
    // An empty restriction must not create an unrestricted key.
    ["key create --account 1 --name x --allow-ips ''", /address|network/i],
    ['key create --account 1 --name x --allow-ips ,', /address|network/i],
    ['key list', /--account <id>' not specified/],
    ['key revoke 999', /API key 999 not found/],
    ['key revoke nonsense', /positive integer/],
    ['producer create', /--name <name>' not specified/],
    ['producer revoke 999', /Producer 999 not found/],
    ['producer revoke nonsense', /positive integer/],
  ] as Array<[string, RegExp]>)('admin %s fails without changes', async (line, message) => {
    const before = await countRows()
    expectCliError(await admin(line), message)
    expect(await countRows(), 'accounts, logins, keys, producers and audit entries').toEqual(before)
  })

  test('a password accepted by set-password works for sign-in', async () => {
    const longPassword = randomBytes(600).toString('hex')
    const set = await admin('login set-password second --password-stdin', longPassword)
    if (set.code === 0) {
      const response = await call(`${hookline.url}/api/hooks`, {
        method: 'POST',
        form: { u: 'second', p: longPassword, action: 'read' },
      })
      expect(response.status).toBe(200)
    } else expectCliError(set, /longer|at most/)
  })

  const settingsErrors: Array<[string, Record<string, string>, RegExp]> = [
    [
      'DATABASE_URL and MASTER_KEY are missing',
      { DATABASE_URL: '', MASTER_KEY: '' },
      /DATABASE_URL is not set/,
    ],
    ['MASTER_KEY is invalid', { MASTER_KEY: 'nonsense' }, /MASTER_KEY must be 32 bytes/],
    [
      'MASTER_KEY is of another database',
      { MASTER_KEY: randomBytes(32).toString('base64') },
      /MASTER_KEY does not match/,
    ],
    [
      'the server does not respond',
      { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' },
      /PostgreSQL does not respond/,
    ],
    [
      'the host does not exist',
      { DATABASE_URL: 'postgres://u:hidden@nowhere.invalid/x' },
      /PostgreSQL|DATABASE_URL/,
    ],
  ]
  test.each(settingsErrors)('%s', async (_what, env, message) => {
    const run = await runAdmin({ ...settings, ...env }, ['account', 'list', '--json'])
    expectCliError(run, message)
    expect(run.stderr).not.toContain('hidden')
  })

  test('the database or the password is wrong', async () => {
    for (const change of ['pathname', 'password'] as const) {
      const url = new URL(hookline.database.url)
      url[change] = 'wrong-hidden'
      const run = await runAdmin({ ...settings, DATABASE_URL: url.href }, ['account', 'list'])
      expectCliError(run, /PostgreSQL refused the connection/)
      if (change === 'password') expect(run.stderr).not.toContain('hidden')
    }
  })

  test('the database is not migrated', async () => {
    const empty = await createTestDatabase('template0')
    const run = await runAdmin({ ...settings, DATABASE_URL: empty.url.href }, ['account', 'list'])
    await empty.drop()
    expectCliError(run, /hookline-server migrate/)
  })
})

async function countRows(): Promise<unknown> {
  return hookline.database.query(
    `SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM logins) AS logins,
            (SELECT count(*) FROM keys) AS keys, (SELECT count(*) FROM producers) AS producers,
            (SELECT count(*) FROM audit) AS audit`,
  )
}

/** Expects a message on stderr without a stack trace, empty stdout and exit code 1. */
function expectCliError(run: AdminRun, message: RegExp): void {
  expect(run.stderr).toMatch(message)
  expect(run.stderr).not.toMatch(/^ {4}at |\.ts:\d|node:internal|node_modules|Error:/m)
  expect(run.stdout).toBe('')
  expect(run.code).toBe(1)
}

/** Splits a command line into arguments; single quotes group words. */
function splitArgs(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|[^\s]+/g)].map(([word, quoted]) => quoted ?? word)
}
