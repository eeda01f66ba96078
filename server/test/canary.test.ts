/**
 * No secret is written anywhere in clear. A thousand secrets, each used once, go through every place a credential can
 * stand in and through every kind of failure; afterwards none of them may be found in what the processes printed, in any
 * table, in PostgreSQL's own log or in the text of a failure. What an account keeps in clear on purpose (addresses,
 * filters, names, alias and e-mail of a login) is no secret.
 */
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ServiceProcess } from '../../dev/service-process.ts'
import { setPassword } from '../src/identity/accounts/logins.ts'
import { createPasswords, type Passwords } from '../src/identity/accounts/passwords.ts'
import { endSessions } from '../src/identity/sessions/sessions.ts'
import { runAdmin } from './admin-tool.ts'
import { call, type CallOptions } from './call.ts'
import { type Canary, type CanaryKind, makeCanary, searchFor, shapes } from './canaries.ts'
import { rawRequest } from './raw-socket.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'
import { dumpDatabase, followPostgresLog } from './written-down.ts'

// Processes are started in these tests, and the machine decides how long that takes.
vi.setConfig({ testTimeout: 120_000 })

let world: TestWorld
let throttled: ServiceProcess
let account: TestAccount
let passwords: Passwords
let hooks: string
let readPostgresLog: () => Promise<string>
beforeAll(async () => {
  readPostgresLog = await followPostgresLog()
  world = await startWorld({
    LOG_LEVEL: 'debug',
    LOGIN_ATTEMPTS: '0',
    HOOKS_PER_ACCOUNT: '10000',
    HOOK_CHANGES_PER_MINUTE: '1000000',
  })
  throttled = await world.startAnother({ LOG_LEVEL: 'debug', LOGIN_ATTEMPTS: '1' })
  account = await world.account()
  passwords = await createPasswords()
  hooks = `${world.url}/api/hooks`
})
afterAll(() => world.close())

/** One way of a secret into the service, and the status that shows that it went that way. */
interface Path {
  name: string
  kind: CanaryKind
  status: number
  send: (secret: string) => Promise<Received>
}

interface Received {
  status: number
  /** Headers and body of a failure; of a success nothing, as it may show the owner what is his. */
  failure: string
}

/** A circumstance under which some of the secrets are sent. */
interface Stage {
  name: string
  each: number
  paths: Path[]
  around?: (during: () => Promise<void>) => Promise<void>
}

const path = (name: string, kind: CanaryKind, status: number, send: Path['send']): Path => ({
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
  path('unknown e-mail address', 'plain', 401, (u) => http(`${hooks}?u=${u}@example.com&p=some-password`)),
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
    const { alias } = await world.account()
    await setPassword(world.db, passwords, 'operator', alias, p, endSessions)
    return http(`${hooks}?u=${alias}&p=${encoded(p)}`)
  }),
]

const failurePaths: Path[] = [
  path('malformed JSON', 'password', 400, (p) =>
    http(hooks, { method: 'POST', ...jsonText(`{"p":${JSON.stringify(p)},`) }),
  ),
  path('JSON that is no object', 'password', 400, (p) => http(hooks, { method: 'POST', json: [p] })),
  path('a list as p', 'password', 400, (p) => http(hooks, { method: 'POST', json: { p: [p] } })),
  path('another content type', 'plain', 415, (p) =>
    http(hooks, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: `p=${p}` }),
  ),
  path('a content type that holds it', 'plain', 415, (p) =>
    http(hooks, { method: 'POST', headers: { 'content-type': `text/${p}` }, body: 'p=x' }),
  ),
  path('a content type that is it', 'plain', 415, (p) =>
    http(hooks, { method: 'POST', headers: { 'content-type': p }, body: 'p=x' }),
  ),
  path('a character set that is it', 'plain', 415, (p) =>
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
  path('no UTF-8', 'plain', 400, (p) =>
    raw(
      Buffer.from(
        `POST /api/hooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${p.length + 1}\r\nConnection: close\r\n\r\n${p}ÿ`,
        'latin1',
      ),
    ),
  ),
  path('a NUL', 'plain', 400, (p) => http(`${hooks}?p=${p}%00`)),
  path('an unknown path', 'key', 401, (p) => http(`${world.url}/api/${p}`)),
  path('an unknown path, with a key', 'key', 404, (p) => http(`${world.url}/api/${p}`, { key: account.key })),
  path('a path below hooks', 'key', 404, (p) => http(`${hooks}/${p}?p=${account.key}`)),
  path('a path outside', 'key', 404, (p) => http(`${world.url}/${p}`)),
  path('a path below the docs', 'plain', 404, (p) => http(`${world.url}/docs/js/${p}`)),
  path('a query of another page', 'key', 404, (p) => http(`${world.url}/nothing?p=${p}`)),
  path('a path that cannot be decoded', 'key', 400, (p) => http(`${world.url}/api/${p}%zz`)),
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
  path('user info of an address', 'plain', 400, (p) =>
    register({ target_url: `https://me:${p}@example.com/` }),
  ),
  path('user info alone', 'key', 400, (p) => register({ target_url: `https://${p}@example.com/` })),
  path('an address that is none', 'key', 400, (p) => register({ target_url: p })),
  path('headers of a webhook', 'plain', 200, (p) => register({ headers: `Authorization: Bearer ${p}` })),
  path('headers of a webhook, Base64', 'basic', 200, (p) =>
    register({ headers: `X-A: b\nAuthorization: Basic ${p}` }),
  ),
  path('headers in JSON', 'token', 200, (p) =>
    http(hooks, { method: 'POST', key: account.key, json: { ...form, headers: `X-Token: ${p}` } }),
  ),
  path('headers listed and deleted', 'plain', 200, async (p) => {
    const owner = await world.account()
    const headers = `X-Token: ${p}`
    await call(hooks, { method: 'POST', key: owner.key, form: { ...form, headers } })
    const listed = await call(hooks, { key: owner.key })
    expect(listed.json.hooks[0].headers).toBe(headers)
    return http(hooks, { method: 'DELETE', key: owner.key, form: { ...form, headers } })
  }),
  path('headers to delete that no webhook has', 'plain', 404, (p) =>
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
    http(`${world.service.internalUrl}/health/${p}?p=${p}`, {
      key: p,
      headers: { authorization: `Bearer ${p}` },
    }),
  ),
]

const socketPaths: Path[] = [
  path('no HTTP at all', 'plain', 400, (p) => raw(`${p}\r\n\r\n`)),
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
  path('headers that do not end', 'key', 408, (p) =>
    raw(`GET /api/hooks HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${p}\r\n`),
  ),
  path('a body that does not end', 'password', 408, (p) =>
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
  { name: 'credentials', each: 10, paths: credentialPaths },
  { name: 'failures', each: 8, paths: failurePaths },
  { name: 'bytes on a socket', each: 6, paths: socketPaths },
  { name: 'too slow', each: 10, paths: slowPaths },
  {
    name: 'throttled',
    each: 20,
    paths: [
      path('a password', 'password', 429, (p) =>
        http(`${throttled.url}/api/hooks?u=${account.alias}&p=${encoded(p)}`),
      ),
      path('a login', 'plain', 429, (u) => http(`${throttled.url}/api/hooks?u=${u}&p=some-password`)),
    ],
    // One address may fail five times; after that, every login from it is refused.
    around: async (during) => {
      for (let tries = 0; tries < 6; tries++)
        await call(`${throttled.url}/api/hooks?u=nobody-${tries}&p=wrong`)
      await during()
    },
  },
  {
    name: 'tables that are gone',
    each: 10,
    paths: signInPaths(500),
    around: (during) =>
      between(
        'ALTER TABLE keys RENAME TO keys_away; ALTER TABLE logins RENAME TO logins_away',
        during,
        'ALTER TABLE keys_away RENAME TO keys; ALTER TABLE logins_away RENAME TO logins',
      ),
  },
  {
    name: 'the table of webhooks is gone',
    each: 10,
    paths: [newHeaders(500)],
    around: (during) =>
      between('ALTER TABLE hooks RENAME TO hooks_away', during, 'ALTER TABLE hooks_away RENAME TO hooks'),
  },
  {
    // PostgreSQL logs the whole row that it refuses.
    name: 'rows that are refused',
    each: 10,
    paths: [newHeaders(500)],
    around: (during) =>
      between(
        `ALTER TABLE hooks ADD CONSTRAINT ${constraint} CHECK (enabled IS NULL) NOT VALID`,
        during,
        `ALTER TABLE hooks DROP CONSTRAINT ${constraint}`,
      ),
  },
  {
    name: 'a database that is stuck',
    each: 4,
    paths: [...signInPaths(503), newHeaders(503)],
    around: whileLocked,
  },
]

const sent: Canary[] = []
let wrongStatuses: string[] = []
let failures = ''

const remember = (kind: CanaryKind): string => {
  const canary = makeCanary(kind)
  sent.push(canary)
  return canary.text
}

describe('a thousand secrets are sent', () => {
  test.each(stages)('$name', { timeout: 120_000 }, async ({ name, each, paths, around }) => {
    const queue = paths.flatMap((one) => Array.from({ length: each }, () => one))
    wrongStatuses = []
    const isWaiting = name === 'too slow' || name === 'a database that is stuck'
    const sendAll = () => inParallel(isWaiting ? queue.length : 6, queue, sendOne)
    await (around === undefined ? sendAll() : around(sendAll))
    expect(wrongStatuses).toEqual([])
  })

  test("the operator's tool", { timeout: 120_000 }, async () => {
    const settings = { DATABASE_URL: world.database.url.href, MASTER_KEY: world.masterKey }
    const admin = async (expectedCode: number, args: string[], input?: string) => {
      const ran = await runAdmin(settings, args, input)
      expect(ran.code, ran.stderr).toBe(expectedCode)
      failures += ran.stderr
      return ran.stdout
    }
    const create = (name: string) => ['account', 'create', '--name', name, ...login(name), '--json']
    const id = String(account.accountId)

    // What it prints is the new key: that is its purpose, so only what else it does is searched.
    const key = JSON.parse(await admin(0, ['key', 'create', '--account', id, '--name', 'a', '--json'])).key
    const producer = JSON.parse(await admin(0, ['producer', 'create', '--name', 'a', '--json'])).key
    for (const text of [key, producer]) sent.push({ text, secrets: [text] })

    const one = remember('password')
    const two = remember('password')
    expect(await admin(0, [...create('canary-1'), '--password', one])).toMatch(
      /^\{"account_id":\d+,"login_id":\d+\}\n$/,
    )
    expect(await admin(0, [...create('canary-2'), '--password-stdin'], two)).toMatch(/^\{"account_id"/)
    await admin(0, ['login', 'set-password', 'canary-1', '--password', remember('password')])
    await admin(0, [
      'login',
      'create',
      '--account',
      id,
      ...login('canary-3'),
      '--password',
      remember('password'),
    ])
    await admin(1, [...create('canary-1'), '--password', remember('password')])
    await admin(1, ['login', 'set-password', 'nobody', '--password', remember('password')])
    await admin(1, [
      'login',
      'create',
      '--account',
      '999999',
      ...login('x-9'),
      '--password',
      remember('password'),
    ])
    await admin(1, ['account', 'crate', '--password', remember('password')])
    await between(
      `ALTER TABLE logins ADD CONSTRAINT ${constraint} CHECK (alias IS NULL) NOT VALID;
       ALTER TABLE keys ADD CONSTRAINT ${constraint}_keys CHECK (name IS NULL) NOT VALID`,
      async () => {
        await admin(1, [...create('canary-4'), '--password', remember('password')])
        await admin(1, ['login', 'set-password', 'canary-1', '--password-stdin'], remember('password'))
        await admin(1, ['key', 'create', '--account', id, '--name', 'a'])
      },
      `ALTER TABLE logins DROP CONSTRAINT ${constraint}; ALTER TABLE keys DROP CONSTRAINT ${constraint}_keys`,
    )
  })

  test('there were a thousand, all different', () => {
    expect(sent.length).toBeGreaterThanOrEqual(1_000)
    expect(new Set(sent.flatMap(({ secrets }) => secrets)).size).toBe(
      sent.flatMap(({ secrets }) => secrets).length,
    )
  })
})

describe('and none is found', () => {
  let search: (text: string) => string[]
  beforeAll(async () => {
    await Promise.all([world.service.stop(), throttled.stop()])
    search = searchFor(sent.flatMap(({ secrets }) => secrets))
  })

  test('in what the processes printed', () => {
    const printed = world.service.output() + throttled.output()
    expect(printed.match(/"msg":"request"/g)?.length, 'lines searched').toBeGreaterThan(900)
    expect(printed).toMatch(/"msg":"unreadable request"/)
    expect(printed).toMatch(/"status":500/)
    expect(printed).toMatch(/"status":503/)
    expect(search(printed)).toEqual([])
  })

  test('in any table', async () => {
    const dump = await dumpDatabase(world.database)
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
    // That it is the right log and saw the failures: each of these was provoked above.
    expect(log).toContain(`violates check constraint "${constraint}"`)
    expect(log).toContain('Failing row contains')
    expect(log).toContain('relation "logins" does not exist')
    expect(log).toContain('canceling statement due to statement timeout')
    expect(search(log)).toEqual([])
  })

  test('in the text of a failure', () => {
    expect(failures.match(/"success":false/g)?.length, 'failures searched').toBeGreaterThan(800)
    expect(search(failures)).toEqual([])
  })
})

describe('the search can fail', () => {
  const planted = makeCanary('password').text
  const search = searchFor([planted, ...Array.from({ length: 100 }, () => makeCanary('key').text)])

  test.each(shapes(planted).map((shape, number) => ({ shape, number })))(
    'shape $number is found',
    ({ shape }) => {
      expect(search(`2026-11-15 00:00:00 UTC [1] LOG:  something "${shape}" something`)).toEqual([planted])
    },
  )

  test('the shapes are those of other programs', () => {
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

  test('text that holds none is clean', () => {
    expect(search(makeCanary('password').text + randomBytes(20_000).toString('base64'))).toEqual([])
  })

  test('a secret in a table is found, as text and as bytes', async () => {
    await world.database.query('CREATE TABLE scratch (note text, bytes bytea)')
    for (const column of ['note', 'bytes']) {
      await world.database.query(
        `INSERT INTO scratch (${column}) VALUES (${column === 'note' ? '$1' : "convert_to($1, 'UTF8')"})`,
        [planted],
      )
      expect(search(await dumpDatabase(world.database)), column).toEqual([planted])
      await world.database.query('DELETE FROM scratch')
      expect(search(await dumpDatabase(world.database)), column).toEqual([])
    }
    await world.database.query('DROP TABLE scratch')
  })

  test("a secret in PostgreSQL's log is found", async () => {
    // A literal in a statement that fails is logged: what the service must never do with a secret.
    await expect(world.database.query(`SELECT '${planted.replaceAll("'", "''")}'::integer`)).rejects.toThrow()
    expect(search(await readPostgresLog())).toEqual([planted])
  })
})

test('what a proxy forwards is neither logged nor handed to PostgreSQL unread', async () => {
  const proxied = await world.startAnother({ TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'debug' })
  const { key } = await world.account()
  const secrets = Array.from({ length: 20 }, () => makeCanary('plain').text)
  for (const [place, secret] of secrets.entries()) {
    const forwarded = place % 2 === 0 ? secret : `fe80::1%${secret}`
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
  let received = await send(remember(kind))
  failures += `${received.failure}\n`
  // A machine that stands still for seconds makes any call a 503; that is not the way that was meant.
  if (received.status === 503 && status !== 503) {
    received = await send(remember(kind))
    failures += `${received.failure}\n`
  }
  if (received.status !== status) wrongStatuses.push(`${name}: ${received.status} instead of ${status}`)
}

async function http(url: string, options: CallOptions = {}): Promise<Received> {
  const { status, headers, text, json } = await call(url, options)
  const isFailure = status >= 400 || json?.success === false
  return { status, failure: isFailure ? `${JSON.stringify([...headers])}${text}` : '' }
}

async function raw(bytes: string | Buffer): Promise<Received> {
  const answer = await rawRequest(world.url, bytes, { firstByteMs: 20_000 })
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]), failure: answer }
}

function register(own: Record<string, string>): Promise<Received> {
  return http(hooks, { method: 'POST', key: account.key, form: { ...form, ...own } })
}

function jsonText(body: string): CallOptions {
  return { headers: { 'content-type': 'application/json' }, body }
}

async function between(before: string, during: () => Promise<void>, after: string): Promise<void> {
  await world.database.query(before)
  try {
    await during()
  } finally {
    await world.database.query(after)
  }
}

/** Holds the tables locked for longer than a statement may take. */
async function whileLocked(during: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: world.database.url.href })
  await client.connect()
  try {
    await client.query('BEGIN; LOCK TABLE keys, logins, hooks IN ACCESS EXCLUSIVE MODE')
    await during()
  } finally {
    await client.end()
  }
}

async function inParallel<T>(
  atOnce: number,
  items: readonly T[],
  task: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await task(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
