/**
 * Secrets are never stored in plain text. The tests send 1,000 secrets, each once, through every location of a credential
 * and every kind of failure, then search the output of the processes, all tables, the PostgreSQL log and the error
 * responses. Data stored in plain text on purpose (URLs, filters, names, alias and email of a login) is not secret.
 */
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { setPassword } from '../../src/identity/accounts/logins.ts'
import { createPasswords, type Passwords } from '../../src/identity/accounts/passwords.ts'
import { revokeSessions } from '../../src/identity/sessions/sessions.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { call, type CallOptions } from '../support/http-call.ts'
import {
  type PlantedSecret,
  type SecretKind,
  plantSecret,
  searchFor,
  encodedForms,
} from '../support/planted-secrets.ts'
import { rawRequest } from '../support/raw-socket.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'
import { dumpDatabase, followPostgresLog } from '../support/stored-data.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let hookline: TestService
let throttled: ServiceProcess
let account: TestAccount
let passwords: Passwords
let hooks: string
let readPostgresLog: () => Promise<string>
beforeAll(async () => {
  readPostgresLog = await followPostgresLog()
  hookline = await startTestService({
    LOG_LEVEL: 'debug',
    LOGIN_ATTEMPTS: '0',
    HOOKS_PER_ACCOUNT: '10000',
    HOOK_CHANGES_PER_MINUTE: '1000000',
  })
  throttled = await hookline.startAnother({ LOG_LEVEL: 'debug', LOGIN_ATTEMPTS: '1' })
  account = await hookline.account()
  passwords = createPasswords()
  hooks = `${hookline.url}/api/hooks`
})
afterAll(() => hookline.close())

/** One input path of a secret, and the status that proves that the path was taken. */
interface Path {
  name: string
  kind: SecretKind
  status: number
  send: (secret: string) => Promise<Outcome>
}

interface Outcome {
  status: number
  /** Headers and body of an error; empty for a success, which may contain the secret. */
  errorText: string
}

/** A condition of the service while secrets are sent. */
interface Stage {
  name: string
  secretsPerPath: number
  paths: Path[]
  wrap?: (run: () => Promise<void>) => Promise<void>
}

const path = (name: string, kind: SecretKind, status: number, send: Path['send']): Path => ({
  name,
  kind,
  status,
  send,
})

const form = { target_url: 'https://example.com/a', event_type: 'all' }
const encoded = encodeURIComponent
const verbs = ['GET', 'POST', 'DELETE']

const credentialPaths: Path[] = [
  ...(['key', 'broken key', 'plain'] as const).flatMap((kind) => [
    path(`X-Api-Key, ${kind}`, kind, 401, (key) => http(hooks, { key })),
    path(`basic, ${kind}`, kind, 401, (key) => http(hooks, { headers: { authorization: `basic ${key}` } })),
    path(`Bearer, ${kind}`, kind, 401, (key) => http(hooks, { headers: { authorization: `Bearer ${key}` } })),
    path(`no scheme, ${kind}`, kind, 401, (key) => http(hooks, { headers: { authorization: key } })),
    path(`other scheme, ${kind}`, kind, 401, (key) =>
      http(hooks, { headers: { authorization: `Token ${key}` } }),
    ),
    ...verbs.map((method) =>
      path(`p in the query of ${method}, ${kind}`, kind, 401, (key) => http(`${hooks}?p=${key}`, { method })),
    ),
    path(`p in a form, ${kind}`, kind, 401, (p) => http(hooks, { method: 'POST', form: { ...form, p } })),
    path(`p in JSON, ${kind}`, kind, 401, (p) => http(hooks, { method: 'DELETE', json: { id: 1, p } })),
  ]),
  path('Bearer', 'token', 401, (token) => http(hooks, { headers: { authorization: `Bearer ${token}` } })),
  path('Base64 basic', 'basic', 401, (pair) => http(hooks, { headers: { authorization: `Basic ${pair}` } })),
  path('Base64 in p', 'basic', 401, (pair) => http(`${hooks}?p=${encoded(pair)}`)),
  path('a cookie', 'token', 401, (token) => http(hooks, { headers: { cookie: `__Host-session=${token}` } })),
  ...verbs.map((method) =>
    path(`wrong password in the query of ${method}`, 'password', 401, (p) =>
      http(`${hooks}?u=${account.alias}&p=${encoded(p)}`, { method }),
    ),
  ),
  path('wrong password in a form', 'password', 401, (p) =>
    http(hooks, { method: 'POST', form: { ...form, u: account.email, p } }),
  ),
  path('wrong password in JSON', 'password', 401, (p) =>
    http(hooks, { method: 'POST', json: { ...form, u: account.alias, p } }),
  ),
  path('unknown login', 'plain', 401, (u) => http(`${hooks}?u=${u}&p=some-password`)),
  path('unknown email', 'plain', 401, (u) => http(`${hooks}?u=${u}@example.com&p=some-password`)),
  path('password as the login', 'password', 401, (u) => http(hooks, { method: 'POST', json: { u, p: u } })),
  path('password without login', 'password', 401, (p) => http(`${hooks}?p=${encoded(p)}`)),
  path('login and no password', 'plain', 401, (u) => http(`${hooks}?u=${u}`)),
  path('two kinds', 'key', 400, (p) => http(`${hooks}?p=${p}`, { key: account.key })),
  path('p twice', 'key', 400, (p) => http(`${hooks}?p=${p}&p=${account.key}`)),
  path('p twice in JSON', 'password', 400, (p) =>
    http(hooks, { method: 'POST', ...jsonText(`{"p":${JSON.stringify(p)},"p":"x"}`) }),
  ),
  path('X-Api-Key twice', 'key', 400, (key) =>
    raw(
      `GET /api/hooks HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nX-Api-Key: x\r\nConnection: close\r\n\r\n`,
    ),
  ),
  path('right password', 'password', 200, async (p) => {
    const { alias } = await hookline.account()
    await setPassword(hookline.db, passwords, 'operator', alias, p, revokeSessions)
    return http(`${hooks}?u=${alias}&p=${encoded(p)}`)
  }),
]

const failurePaths: Path[] = [
  path('malformed JSON', 'password', 400, (p) =>
    http(hooks, { method: 'POST', ...jsonText(`{"p":${JSON.stringify(p)},`) }),
  ),
  path('JSON that is not an object', 'password', 400, (p) => http(hooks, { method: 'POST', json: [p] })),
  path('a list as p', 'password', 400, (p) => http(hooks, { method: 'POST', json: { p: [p] } })),
  path('another content type', 'plain', 415, (p) =>
    http(hooks, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: `p=${p}` }),
  ),
  path('a content type that contains the secret', 'plain', 415, (p) =>
    http(hooks, { method: 'POST', headers: { 'content-type': `text/${p}` }, body: 'p=x' }),
  ),
  path('the secret as content type', 'plain', 415, (p) =>
    http(hooks, { method: 'POST', headers: { 'content-type': p }, body: 'p=x' }),
  ),
  path('the secret as character set', 'plain', 415, (p) =>
    http(hooks, {
      method: 'POST',
      headers: { 'content-type': `application/json; charset=${p}` },
      body: '{}',
    }),
  ),
  path('a body that is too large', 'password', 413, (p) =>
    http(hooks, { method: 'POST', form: { p, filler: 'x'.repeat(140_000) } }),
  ),
  path('broken percent-encoding', 'plain', 400, (p) => http(`${hooks}?p=${p}%zz`)),
  path('broken percent-encoding in a form', 'plain', 400, (p) =>
    http(hooks, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `p=${p}%zz`,
    }),
  ),
  path('invalid UTF-8', 'plain', 400, (p) =>
    raw(
      Buffer.from(
        `POST /api/hooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${p.length + 1}\r\nConnection: close\r\n\r\n${p}ÿ`,
        'latin1',
      ),
    ),
  ),
  path('a NUL', 'plain', 400, (p) => http(`${hooks}?p=${p}%00`)),
  path('an unknown path', 'key', 401, (p) => http(`${hookline.url}/api/${p}`)),
  path('an unknown path, with a key', 'key', 404, (p) =>
    http(`${hookline.url}/api/${p}`, { key: account.key }),
  ),
  path('a path below hooks', 'key', 404, (p) => http(`${hooks}/${p}?p=${account.key}`)),
  path('a path outside', 'key', 404, (p) => http(`${hookline.url}/${p}`)),
  path('a path below the docs', 'plain', 404, (p) => http(`${hookline.url}/docs/js/${p}`)),
  path('a query of another page', 'key', 404, (p) => http(`${hookline.url}/nothing?p=${p}`)),
  path('a path that cannot be decoded', 'key', 400, (p) => http(`${hookline.url}/api/${p}%zz`)),
  path('another method', 'key', 401, (p) => http(`${hooks}?p=${p}`, { method: 'PUT' })),
  path('another method, with a key', 'key', 405, (p) =>
    http(`${hooks}?x=${p}`, { method: 'PATCH', key: account.key }),
  ),
  ...['event_type', 'request_method', 'id', 'action'].map((name) =>
    path(`a misplaced ${name}`, 'key', name === 'action' ? 200 : 400, (p) =>
      http(hooks, {
        method: name === 'id' ? 'DELETE' : 'POST',
        key: account.key,
        form: { ...form, [name]: p },
      }),
    ),
  ),
  path('user info of a URL', 'plain', 400, (p) => register({ target_url: `https://me:${p}@example.com/` })),
  path('user info alone', 'key', 400, (p) => register({ target_url: `https://${p}@example.com/` })),
  path('an invalid URL', 'key', 400, (p) => register({ target_url: p })),
  path('headers of a webhook', 'plain', 200, (p) => register({ headers: `Authorization: Bearer ${p}` })),
  path('headers of a webhook, Base64', 'basic', 200, (p) =>
    register({ headers: `X-A: b\nAuthorization: Basic ${p}` }),
  ),
  path('headers in JSON', 'token', 200, (p) =>
    http(hooks, { method: 'POST', key: account.key, json: { ...form, headers: `X-Token: ${p}` } }),
  ),
  path('headers listed and deleted', 'plain', 200, async (p) => {
    const ownAccount = await hookline.account()
    const headers = `X-Token: ${p}`
    await call(hooks, { method: 'POST', key: ownAccount.key, form: { ...form, headers } })
    const listed = await call(hooks, { key: ownAccount.key })
    expect(listed.json.hooks[0].headers).toBe(headers)
    return http(hooks, { method: 'DELETE', key: ownAccount.key, form: { ...form, headers } })
  }),
  path('headers of a delete without a match', 'plain', 404, (p) =>
    http(hooks, { method: 'DELETE', key: account.key, form: { ...form, headers: `X-Token: ${p}` } }),
  ),
  path('a reserved header', 'plain', 400, (p) => register({ headers: `Host: ${p}` })),
  path('a header value with a control character', 'plain', 400, (p) =>
    register({ headers: `X-A: ${p}\u0001` }),
  ),
  path('a header without a name', 'plain', 400, (p) => register({ headers: p })),
  path('a folded header', 'plain', 400, (p) => register({ headers: `X-A: b\n ${p}` })),
  path('a header that is too long', 'plain', 400, (p) =>
    register({ headers: `X-A: ${p}${'x'.repeat(5_000)}` }),
  ),
  path('the internal listener', 'token', 404, (p) =>
    http(`${hookline.service.internalUrl}/health/${p}?p=${p}`, {
      key: p,
      headers: { authorization: `Bearer ${p}` },
    }),
  ),
]

const socketPaths: Path[] = [
  path('no HTTP', 'plain', 400, (p) => raw(`${p}\r\n\r\n`)),
  path('an unknown method', 'plain', 400, (p) => raw(`${p} /api/hooks HTTP/1.1\r\nHost: x\r\n\r\n`)),
  path('an unknown version', 'key', 400, (p) => raw(`GET /api/hooks?p=${p} HTTP/9.9\r\nHost: x\r\n\r\n`)),
  path('a space before the colon', 'key', 400, (p) =>
    raw(`GET /api/hooks HTTP/1.1\r\nX-Api-Key : ${p}\r\n\r\n`),
  ),
  path('a control character in a header', 'key', 400, (p) =>
    raw(`GET /api/hooks HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${p}\u0001\r\n\r\n`),
  ),
  path('two lengths', 'key', 400, (p) =>
    raw(
      `POST /api/hooks HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\nX-Api-Key: ${p}\r\n\r\np=${p}`,
    ),
  ),
  path('broken chunks', 'key', 400, (p) =>
    raw(
      `POST /api/hooks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${p}\r\np=${p}\r\n0\r\n\r\n`,
    ),
  ),
  path('HTTP/2', 'key', 400, (p) => raw(`PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${p}`)),
  path('no host', 'key', 400, (p) =>
    raw(`GET /api/hooks HTTP/1.1\r\nX-Api-Key: ${p}\r\nConnection: close\r\n\r\n`),
  ),
]

const slowPaths: Path[] = [
  path('endless headers', 'key', 408, (p) =>
    raw(`GET /api/hooks HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${p}\r\n`),
  ),
  path('an incomplete body', 'password', 408, (p) =>
    raw(
      `POST /api/hooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\nu=x&p=${encoded(p)}`,
    ),
  ),
]

const signInPaths = (status: number): Path[] => [
  path('X-Api-Key', 'key', status, (key) => http(hooks, { key })),
  path('basic', 'key', status, (key) => http(hooks, { headers: { authorization: `basic ${key}` } })),
  path('p', 'key', status, (p) => http(`${hooks}?p=${p}`)),
  path('a password', 'password', status, (p) => http(`${hooks}?u=${account.alias}&p=${encoded(p)}`)),
  path('a login', 'plain', status, (u) => http(hooks, { method: 'POST', json: { u, p: 'some-password' } })),
]

const login = (name: string) => ['--alias', name, '--email', `${name}@example.com`]

const newHeaders = (status: number): Path =>
  path('headers of a new webhook', 'plain', status, (p) => register({ headers: `X-Token: ${p}` }))

const constraint = `canary_${randomBytes(6).toString('hex')}`

const stages: Stage[] = [
  { name: 'credentials', secretsPerPath: 10, paths: credentialPaths },
  { name: 'failures', secretsPerPath: 8, paths: failurePaths },
  { name: 'bytes on a socket', secretsPerPath: 6, paths: socketPaths },
  { name: 'too slow', secretsPerPath: 10, paths: slowPaths },
  {
    name: 'throttled',
    secretsPerPath: 20,
    paths: [
      path('a password', 'password', 429, (p) =>
        http(`${throttled.url}/api/hooks?u=${account.alias}&p=${encoded(p)}`),
      ),
      path('a login', 'plain', 429, (u) => http(`${throttled.url}/api/hooks?u=${u}&p=some-password`)),
    ],
    // An address may fail five times; after that, every login from it is rejected.
    wrap: async (run) => {
      for (let attempt = 0; attempt < 6; attempt++)
        await call(`${throttled.url}/api/hooks?u=nobody-${attempt}&p=wrong`)
      await run()
    },
  },
  {
    name: 'missing tables',
    secretsPerPath: 10,
    paths: signInPaths(500),
    wrap: (run) =>
      withSql(
        'ALTER TABLE keys RENAME TO keys_away; ALTER TABLE logins RENAME TO logins_away',
        run,
        'ALTER TABLE keys_away RENAME TO keys; ALTER TABLE logins_away RENAME TO logins',
      ),
  },
  {
    name: 'missing table of webhooks',
    secretsPerPath: 10,
    paths: [newHeaders(500)],
    wrap: (run) =>
      withSql('ALTER TABLE hooks RENAME TO hooks_away', run, 'ALTER TABLE hooks_away RENAME TO hooks'),
  },
  {
    // PostgreSQL logs the whole row that violates a constraint.
    name: 'rejected rows',
    secretsPerPath: 10,
    paths: [newHeaders(500)],
    wrap: (run) =>
      withSql(
        `ALTER TABLE hooks ADD CONSTRAINT ${constraint} CHECK (enabled IS NULL) NOT VALID`,
        run,
        `ALTER TABLE hooks DROP CONSTRAINT ${constraint}`,
      ),
  },
  {
    name: 'a locked database',
    secretsPerPath: 4,
    paths: [...signInPaths(503), newHeaders(503)],
    wrap: whileLocked,
  },
]

const sent: PlantedSecret[] = []
let wrongStatuses: string[] = []
let errorResponses = ''

const recordSecret = (kind: SecretKind): string => {
  const planted = plantSecret(kind)
  sent.push(planted)
  return planted.text
}

describe('1,000 secrets are sent', () => {
  test.each(stages)('$name', { timeout: 120_000 }, async ({ name, secretsPerPath, paths, wrap }) => {
    const queue = paths.flatMap((item) => Array.from({ length: secretsPerPath }, () => item))
    wrongStatuses = []
    const isSlow = name === 'too slow' || name === 'a locked database'
    const sendAll = () => inParallel(isSlow ? queue.length : 6, queue, sendOne)
    await (wrap === undefined ? sendAll() : wrap(sendAll))
    expect(wrongStatuses).toEqual([])
  })

  test('admin CLI', { timeout: 120_000 }, async () => {
    const settings = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
    const admin = async (expectedCode: number, args: string[], input?: string) => {
      const result = await runAdmin(settings, args, input)
      expect(result.code, result.stderr).toBe(expectedCode)
      errorResponses += result.stderr
      return result.stdout
    }
    const create = (name: string) => ['account', 'create', '--name', name, ...login(name), '--json']
    const id = String(account.accountId)

    // The CLI prints new keys on purpose, so its stdout is not searched.
    const key = JSON.parse(await admin(0, ['key', 'create', '--account', id, '--name', 'a', '--json'])).key
    const producer = JSON.parse(await admin(0, ['producer', 'create', '--name', 'a', '--json'])).key
    for (const text of [key, producer]) sent.push({ text, secrets: [text] })

    const firstPassword = recordSecret('password')
    const secondPassword = recordSecret('password')
    expect(await admin(0, [...create('canary-1'), '--password', firstPassword])).toMatch(
      /^\{"account_id":\d+,"login_id":\d+\}\n$/,
    )
    expect(await admin(0, [...create('canary-2'), '--password-stdin'], secondPassword)).toMatch(
      /^\{"account_id"/,
    )
    await admin(0, ['login', 'set-password', 'canary-1', '--password', recordSecret('password')])
    await admin(0, [
      'login',
      'create',
      '--account',
      id,
      ...login('canary-3'),
      '--password',
      recordSecret('password'),
    ])
    await admin(1, [...create('canary-1'), '--password', recordSecret('password')])
    await admin(1, ['login', 'set-password', 'nobody', '--password', recordSecret('password')])
    await admin(1, [
      'login',
      'create',
      '--account',
      '999999',
      ...login('x-9'),
      '--password',
      recordSecret('password'),
    ])
    await admin(1, ['account', 'crate', '--password', recordSecret('password')])
    await withSql(
      `ALTER TABLE logins ADD CONSTRAINT ${constraint} CHECK (alias IS NULL) NOT VALID;
       ALTER TABLE keys ADD CONSTRAINT ${constraint}_keys CHECK (name IS NULL) NOT VALID`,
      async () => {
        await admin(1, [...create('canary-4'), '--password', recordSecret('password')])
        await admin(1, ['login', 'set-password', 'canary-1', '--password-stdin'], recordSecret('password'))
        await admin(1, ['key', 'create', '--account', id, '--name', 'a'])
      },
      `ALTER TABLE logins DROP CONSTRAINT ${constraint}; ALTER TABLE keys DROP CONSTRAINT ${constraint}_keys`,
    )
  })

  test('at least 1,000 distinct secrets were sent', () => {
    expect(sent.length).toBeGreaterThanOrEqual(1_000)
    expect(new Set(sent.flatMap(({ secrets }) => secrets)).size).toBe(
      sent.flatMap(({ secrets }) => secrets).length,
    )
  })
})

describe('no secret is found', () => {
  let search: (text: string) => string[]
  beforeAll(async () => {
    await Promise.all([hookline.service.stop(), throttled.stop()])
    search = searchFor(sent.flatMap(({ secrets }) => secrets))
  })

  test('in the output of the processes', () => {
    const printed = hookline.service.output() + throttled.output()
    expect(printed.match(/"msg":"request"/g)?.length, 'lines searched').toBeGreaterThan(900)
    expect(printed).toMatch(/"msg":"malformed request"/)
    expect(printed).toMatch(/"status":500/)
    expect(printed).toMatch(/"status":503/)
    expect(search(printed)).toEqual([])
  })

  test('in any table', async () => {
    const dump = await dumpDatabase(hookline.database)
    for (const table of [
      'keys',
      'logins',
      'hooks',
      'hook_versions',
      'login_attempts',
      'audit',
      'deprecated_uses',
    ])
      expect(dump.match(new RegExp(`^${table}: `, 'gm'))?.length, table).toBeGreaterThan(0)
    expect(search(dump)).toEqual([])
  })

  test("in PostgreSQL's log", async () => {
    const log = await readPostgresLog()
    // Proves that this log contains the failures provoked above.
    expect(log).toContain(`violates check constraint "${constraint}"`)
    expect(log).toContain('Failing row contains')
    expect(log).toContain('relation "logins" does not exist')
    expect(log).toContain('canceling statement due to statement timeout')
    expect(search(log)).toEqual([])
  })

  test('in error responses', () => {
    expect(errorResponses.match(/"success":false/g)?.length, 'failures searched').toBeGreaterThan(800)
    expect(search(errorResponses)).toEqual([])
  })
})

describe('the search detects leaks', () => {
  const planted = plantSecret('password').text
  const search = searchFor([planted, ...Array.from({ length: 100 }, () => plantSecret('key').text)])

  test.each(encodedForms(planted).map((encodedForm, number) => ({ encodedForm, number })))(
    'encoded form $number is found',
    ({ encodedForm }) => {
      expect(search(`2026-11-15 00:00:00 UTC [1] LOG:  something "${encodedForm}" something`)).toEqual([
        planted,
      ])
    },
  )

  test('common encodings of other programs are found', () => {
    const bytes = Buffer.from(planted)
    const texts = [
      bytes.toString('hex'),
      bytes.toString('base64'),
      Buffer.from(`x${planted}`).toString('base64'),
      Buffer.from(`xx${planted}yyyy`).toString('base64url'),
      encodeURIComponent(planted),
      new URLSearchParams({ p: planted }).toString(),
      JSON.stringify({ p: planted }),
      planted.slice(9, 21),
    ]
    for (const text of texts) expect(search(`… ${text} …`), text).toEqual([planted])
  })

  test('a text without secrets has no match', () => {
    expect(search(plantSecret('password').text + randomBytes(20_000).toString('base64'))).toEqual([])
  })

  test('a secret in a table is found as text and as bytes', async () => {
    await hookline.database.query('CREATE TABLE scratch (note text, bytes bytea)')
    for (const column of ['note', 'bytes']) {
      await hookline.database.query(
        `INSERT INTO scratch (${column}) VALUES (${column === 'note' ? '$1' : "convert_to($1, 'UTF8')"})`,
        [planted],
      )
      expect(search(await dumpDatabase(hookline.database)), column).toEqual([planted])
      await hookline.database.query('DELETE FROM scratch')
      expect(search(await dumpDatabase(hookline.database)), column).toEqual([])
    }
    await hookline.database.query('DROP TABLE scratch')
  })

  test("a secret in PostgreSQL's log is found", async () => {
    // PostgreSQL logs literals of failed statements, so the service must never use a secret as a literal.
    await expect(
      hookline.database.query(`SELECT '${planted.replaceAll("'", "''")}'::integer`),
    ).rejects.toThrow()
    expect(search(await readPostgresLog())).toEqual([planted])
  })
})

test('X-Forwarded-For is neither logged nor sent to PostgreSQL unvalidated', async () => {
  const proxied = await hookline.startAnother({ TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'debug' })
  const { key } = await hookline.account()
  const secrets = Array.from({ length: 20 }, () => plantSecret('plain').text)
  for (const [index, secret] of secrets.entries()) {
    const forwarded = index % 2 === 0 ? secret : `fe80::1%${secret}`
    await call(`${proxied.url}/api/hooks`, { key, headers: { 'x-forwarded-for': forwarded } })
  }
  await proxied.stop()
  const search = searchFor(secrets)
  expect(proxied.output().match(/"msg":"request"/g)).toHaveLength(20)
  expect({ printed: search(proxied.output()), postgres: search(await readPostgresLog()) }).toEqual({
    printed: [],
    postgres: [],
  })
})

async function sendOne({ name, kind, status, send }: Path): Promise<void> {
  let received = await send(recordSecret(kind))
  errorResponses += `${received.errorText}\n`
  // A stalled machine can turn any call into a 503, so retries once.
  if (received.status === 503 && status !== 503) {
    received = await send(recordSecret(kind))
    errorResponses += `${received.errorText}\n`
  }
  if (received.status !== status) wrongStatuses.push(`${name}: ${received.status} instead of ${status}`)
}

async function http(url: string, options: CallOptions = {}): Promise<Outcome> {
  const { status, headers, text, json } = await call(url, options)
  const isError = status >= 400 || json?.success === false
  return { status, errorText: isError ? `${JSON.stringify([...headers])}${text}` : '' }
}

async function raw(bytes: string | Buffer): Promise<Outcome> {
  const response = await rawRequest(hookline.url, bytes, { firstByteMs: 20_000 })
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1]), errorText: response }
}

function register(params: Record<string, string>): Promise<Outcome> {
  return http(hooks, { method: 'POST', key: account.key, form: { ...form, ...params } })
}

function jsonText(body: string): CallOptions {
  return { headers: { 'content-type': 'application/json' }, body }
}

async function withSql(before: string, run: () => Promise<void>, after: string): Promise<void> {
  await hookline.database.query(before)
  try {
    await run()
  } finally {
    await hookline.database.query(after)
  }
}

/** Locks the tables for longer than the statement timeout. */
async function whileLocked(run: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: hookline.database.url.href })
  await client.connect()
  try {
    await client.query('BEGIN; LOCK TABLE keys, logins, hooks IN ACCESS EXCLUSIVE MODE')
    await run()
  } finally {
    await client.end()
  }
}

async function inParallel<T>(
  concurrency: number,
  items: readonly T[],
  task: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await task(item)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
